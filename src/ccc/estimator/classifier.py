"""``ConvexCovariateClustering``: interpretable clusters of covariates, in scikit-learn's terms."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from ccc.design import Design, Standardized, as_design
from ccc.estimator.choice import by_cross_validation, feasible_folds, nearest
from ccc.estimator.model import ClusterModel, refit_on_clusters
from ccc.estimator.parameters import check_parameters, seed_from
from ccc.estimator.recipe import Recipe
from ccc.magnitude import check_columns
from ccc.names import covariate_names
from ccc.results import Path
from ccc.selection import SigmaChoice, choose_sigma, select

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ConvexCovariateClustering"]

logger = logging.getLogger("ccc.estimator")

# Numbers: below that many, 8 MB, sparse products cost more than they save.
SMALL = 10**6

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class ConvexCovariateClustering(ClassifierMixin, TransformerMixin, BaseEstimator):
    r"""Multinomial logistic regression whose covariates are clustered while it is learnt.

    .. math::

        \min_{B, \beta_0} -\sum_s \log f(y_s \mid x_s, B, \beta_0) + \lambda \lVert B \rVert_F^2
        + \nu \sum_{i<j} S_{ij} \lVert b_i - b_j \rVert_2 + \gamma \sum_i \lVert b_i \rVert_2

    Covariates with equal columns of B form a cluster, and in the second step
    a logistic regression on the sums over clusters is fitted.

    Parameters
    ----------
    similarity : {"ledoit-wolf", "rbf", "knn"}, callable, or (d, d) array, sparse matrix, DataFrame
        S: which covariates should rather be together; symmetric and non-negative, the diagonal is
        ignored.

        - ``"ledoit-wolf"``: the shrunk covariance within classes, negative entries set to zero, as
          in the paper. With ``standardize`` it has no units, so that lengths and prices in one
          table are treated alike; it has nothing to tune, needs no more samples than covariates,
          and never joins covariates that move against each other.
        - ``"rbf"``: exp(-γ‖w_i - w_j‖²) of vectors of length one; parameters ``gamma`` (0.5) and
          ``vectors``, an embedding of the covariates with a row each. Without ``vectors`` the
          exponent is -2γ times one minus the correlation within classes.
        - ``"knn"``: the same for nearest neighbours only (``n_neighbors``, 10), a sparse matrix:
          fewer pairs to settle. The solver makes it dense, so that memory grows with d² as ever.
        - A function (X, y) -> S. It sees the covariates as Eq. (1) does, standardised if they are:
          an array, or for a large sparse X a sparse matrix or :class:`ccc.Standardized`; y is
          0..c-1. Cross-validation calls it in every fold.
        - A DataFrame is put into the order of the columns of X by its names.
    similarity_params : dict, optional
        Parameters of a named similarity, or arguments of the function.
    nu : {"evidence", "cv"} or float
        ν of Eq. (1), or how it is chosen: by the Laplace evidence of the clustering, or by
        cross-validated accuracy, the fewest clusters within one standard deviation of the best.
    n_clusters : int, optional
        Take the clustering whose number of clusters is nearest to this, and among those the one
        that the criterion ``nu`` prefers.
    ridge : float
        λ > 0.
    sparsity : float
        γ ≥ 0. Covariates whose columns are zero form a cluster that is left out of the second
        step and of :meth:`transform`; the evidence counts it as one more cluster.
    standardize : bool
        Centre every covariate and divide it by its standard deviation first. Eq. (1) ties
        coefficients, and coefficients of different units cannot be compared. ``coef_`` is in the
        units of X all the same. A large sparse X stays sparse.
    refit : bool
        Take coefficients from the second step (a Gaussian prior with standard deviation σ on the
        coefficients of the clusters), not from Eq. (1), whose fusion penalty shrinks them.
    sigma : {"log_probability", "first", "last"} or float
        σ, or how it is chosen by cross-validation without clusters: by the log-probability of
        held-out classes, or the smallest or largest σ of those with the best accuracy. The paper's
        is ``"first"``: a small σ and hesitant probabilities. On its contradicting design (d, n of
        40, 40; 40, 400; 200, 100; four draws each, 60 values of ν) the default predicted 0.995 to
        1.000 of new samples right instead of 0.86 to 0.89; the true clusters were met a little
        less well, ANMI 0.65 to 0.73 instead of 0.70 to 0.81.
    nus : int or array
        Values of ν, or how many are spread from where the first covariates fuse to where all have.
    cv : int
        Folds, for σ and for ``nu="cv"``; fewer, with a warning, if a class has fewer members.
    tol : float
        Relative duality gap that is promised; a ``ConvergenceWarning`` tells where it is missed.
    n_jobs : int, optional
        Processes for the folds of ``nu="cv"``, as in joblib.
    random_state : int, RandomState or None
        Seed of the folds.
    verbose : bool
        Show a progress bar along ν if standard error is a terminal.

    Attributes
    ----------
    classes_ : (c,) array
    labels_ : (d,) array
        Cluster of each covariate, 0..m-1 in order of first appearance.
    n_clusters_ : int
    coef_, intercept_ : (c, d) and (c,) arrays
        Scores are ``X @ coef_.T + intercept_``. With two classes the shapes are (1, d) and (1,),
        and the one score is the log-odds of ``classes_[1]``, as in scikit-learn.
    cluster_coef_, cluster_intercept_ : arrays
        The same for the columns of :meth:`transform`.
    used_ : (m,) array of bool
        Clusters that the model uses: all, but for covariates that ``sparsity`` has put to zero.
    nu_ : float
    sigma_ : float or None
        None if it was not needed.
    path_ : ccc.Path
        All solutions of Eq. (1), in standardised covariates, by descending ν.
    path_index_ : int
        Position of ``nu_`` on it.
    selection_ : ccc.Selection or None
        Scores along the path; None if ``nu`` is a number.
    dual_gap_ : float
        Certified relative duality gap at ``nu_``.
    similarity_ : (d, d) array or sparse matrix
    centre_, scale_ : (d,) arrays
        What standardisation subtracts and divides by.
    n_iter_ : int
        Newton steps along the whole path.
    n_features_in_ : int
    feature_names_in_ : (d,) array
        Where X has names.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> import ccc
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = ccc.ConvexCovariateClustering(n_clusters=5).fit(X, y)
    >>> model.n_clusters_
    5
    >>> model.transform(X).shape
    (178, 5)
    """

    def __init__(
        self,
        similarity: Any = "ledoit-wolf",
        *,
        similarity_params: dict[str, Any] | None = None,
        nu: float | str = "evidence",
        n_clusters: int | None = None,
        ridge: float = 0.1,
        sparsity: float = 0.0,
        standardize: bool = True,
        refit: bool = True,
        sigma: float | str = "log_probability",
        nus: Any = 100,
        cv: int = 5,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: bool = False,
    ) -> None:
        self.similarity = similarity
        self.similarity_params = similarity_params
        self.nu = nu
        self.n_clusters = n_clusters
        self.ridge = ridge
        self.sparsity = sparsity
        self.standardize = standardize
        self.refit = refit
        self.sigma = sigma
        self.nus = nus
        self.cv = cv
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> Self:
        """Cluster the covariates and fit the classifier.

        Parameters
        ----------
        X : (n, d) array, sparse matrix or DataFrame
        y : (n,) array
            Class labels of any kind, at least two classes.
        """
        check_parameters(self)
        X, y = self._validated(X, y, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must have at least two classes, got one class, {y[0]!r}")
        codes = codes.astype(np.int64)
        check_columns(as_design(X).column_sizes())
        design = self._standardise(X)
        sigma = self._cluster(design, codes)
        self._model = self._model_on_clusters(design, codes, sigma)
        self.coef_, self.intercept_ = self._model.in_units_of_x()
        self.cluster_coef_, self.cluster_intercept_ = self._model.coef, self._model.intercept
        return self

    def _standardise(self, X: Any) -> Design:
        """X as Eq. (1) sees it; sets ``centre_`` and ``scale_``."""
        if sp.issparse(X) and X.shape[0] * X.shape[1] <= max(SMALL, 3 * X.nnz):
            X = X.toarray()
        self.centre_, self.scale_ = np.zeros(X.shape[1]), np.ones(X.shape[1])
        if not self.standardize:
            return as_design(X)
        # A constant column has the scale one there.
        scaler = StandardScaler(with_mean=not sp.issparse(X)).fit(X)
        self.centre_, self.scale_ = scaler.mean_, scaler.scale_
        return as_design(Standardized(X, self.centre_, self.scale_))

    def _cluster(self, X: Design, y: Codes) -> SigmaChoice | None:
        """Path and choice of a clustering; returns σ, or None where nothing needs it."""
        names = getattr(self, "feature_names_in_", None)
        penalties = self.ridge, self.sparsity, self.tol
        recipe = Recipe(self.similarity, self.similarity_params, names, *penalties)
        seed, n_folds = seed_from(self.random_state), self.cv
        needs_sigma = self.refit or isinstance(self.nu, str)
        if self.nu == "cv" or (needs_sigma and isinstance(self.sigma, str)):
            n_folds = feasible_folds(self.classes_, y, self.cv)
        sigma = self._settle_sigma(X, y, n_folds, seed) if needs_sigma else None
        if sigma is not None:
            logger.info("prior standard deviation σ = %.3g (%s)", sigma.sigma, sigma.rule)
        S = self.similarity_ = recipe.graph(X, y)
        self.selection_, index = None, 0
        if isinstance(self.nu, str):
            path = recipe.search(X, y, S, self.nus, self.n_clusters, self.verbose)
            logger.info("%d values of ν solved; choosing one by %s", len(path), self.nu)
            if self.nu == "cv":
                assert sigma is not None
                selection = by_cross_validation(
                    path, X, y, recipe, sigma, n_folds, seed, self.n_jobs
                )
            else:
                selection = select(path, X, y, sigma_choice=sigma)
            if self.n_clusters is not None:
                selection = nearest(selection, path, self.n_clusters)
            self.selection_, index = selection, selection.index
        else:
            path = recipe.path(X, y, S, [self.nu], self.verbose)
        self._take(path, index)
        return sigma

    def _settle_sigma(self, X: Design, y: Codes, n_folds: int, seed: int) -> SigmaChoice:
        if not isinstance(self.sigma, str):
            return SigmaChoice.given(float(self.sigma))
        return choose_sigma(X, y, rule=self.sigma, n_folds=n_folds, random_state=seed)

    def _take(self, path: Path, index: int) -> None:
        """Set the attributes that say which solution of the path it is."""
        # Names as plain text or numbers, which a path can store.
        self.path_ = replace(path, classes=np.array(self.classes_.tolist()))
        chosen = path[index]
        self.nu_, self.labels_, self.n_clusters_ = chosen.nu, chosen.labels, chosen.n_clusters
        self.dual_gap_, self.n_iter_ = chosen.gap, int(path.n_iter.sum())
        self.path_index_ = index
        used = np.ones(chosen.n_clusters, dtype=bool)
        used[chosen.labels[chosen.irrelevant]] = False
        self.used_ = used

    def _model_on_clusters(self, X: Design, y: Codes, sigma: SigmaChoice | None) -> ClusterModel:
        """The coefficients of the second step, or those of Eq. (1)."""
        self.sigma_ = None if sigma is None else sigma.sigma
        if self.refit:
            assert sigma is not None
            B, b0 = refit_on_clusters(X, y, self.labels_, self.used_, sigma.sigma)
        else:
            first = np.unique(self.labels_, return_index=True)[1]
            B = self.path_.B[self.path_index_][:, first[self.used_]]
            b0 = self.path_.b0[self.path_index_]
        return ClusterModel.of(self.centre_, self.scale_, self.labels_, self.used_, B, b0)

    def decision_function(self, X: Any) -> Floats:
        """Log-odds of ``classes_[1]``, (n,), or with more classes their scores, (n, c)."""
        return self._fitted().scores(self._checked(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, (n,)."""
        scores = self.decision_function(X)
        best = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[best])

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, (n, c) in the order of ``classes_``."""
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Their logarithms."""
        return self._fitted().log_probabilities(self._checked(X))

    def transform(self, X: Any) -> Any:
        r"""Project on clusters, :math:`x^{\mathscr C} = T x`: sums of (standardised) covariates.

        Clusters that ``sparsity`` has put to zero are left out. Sparse if X is and is not centred.
        """
        return self._fitted().transform(self._checked(X))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns of :meth:`transform`: ``cluster<label>_<its first covariate>``."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        first = np.unique(self.labels_, return_index=True)[1]
        out = [f"cluster{k}_{names[first[k]]}" for k in np.flatnonzero(self.used_)]
        return np.array(out, dtype=object)

    def plot_path(self, ax: Any = None, **options: Any) -> Any:
        """Coefficients along ν, see :func:`ccc.plots.plot_path`."""
        from ccc.plots.coefficients import plot_path

        return plot_path(self, ax, **options)

    def plot_selection(self, ax: Any = None, **options: Any) -> Axes:
        """Scores over the number of clusters, see :func:`ccc.plots.plot_selection`."""
        from ccc.plots.selection import plot_selection

        return plot_selection(self, ax, **options)

    def plot_tree(self, **options: Any) -> Axes:
        """How the clusters come together along ν up to ``nu_``, see :func:`ccc.plots.plot_tree`.

        Classes and odds ratios are those of the coefficients of Eq. (1), per standard deviation.
        """
        from ccc.hierarchy import path_tree, tree_rows
        from ccc.odds import odds_of_path
        from ccc.plots.tree import plot_tree

        check_is_fitted(self)
        rows = tree_rows(self.path_, self.path_index_)
        odds = odds_of_path(self.path_).take(rows)
        tree = path_tree(self.path_, self.path_index_)
        return plot_tree(tree, covariate_names(self), odds, **options).axes[0]

    def write_explorer(self, file: Any, **options: Any) -> None:
        """The whole path as one HTML page, see :func:`ccc.explorer.write_explorer`."""
        from ccc.explorer import write_explorer

        check_is_fitted(self)
        selected = self.path_index_ if self.selection_ is None else self.selection_
        write_explorer(file, self.path_, covariate_names(self), selected=selected, **options)

    def _fitted(self) -> ClusterModel:
        check_is_fitted(self)
        return self._model

    def _validated(self, *data: Any, **options: Any) -> Any:
        """What scikit-learn makes of the data; the errors in which it names none are those of X."""
        try:
            return validate_data(self, *data, accept_sparse="csr", dtype=np.float64, **options)
        except (TypeError, ValueError) as error:
            if re.search(r"\b[Xy]\b", str(error)):
                raise
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"X: {' '.join(str(error).split())}") from None

    def _checked(self, X: Any) -> Any:
        return self._validated(X, reset=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
