r"""Choosing one clustering of a path.

.. math:: \hat\nu = \arg\max_\nu \log p(y \mid X, \mathscr C_\nu, \hat\beta_0)

over the clusterings of a path, with the Laplace approximation of :mod:`ccc.selection.laplace` and σ
from :mod:`ccc.selection.sigma`, or by the cross-validation of :mod:`ccc.selection.crossval`. Either
way the choice is the clustering with the fewest clusters among those that score at least a
threshold. A path is anything with ``nus`` (k,) and ``labels`` (k, d): the proposed method, k-means
over k, convex clustering over γ.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.design import Design
from ccc.magnitude import LARGEST
from ccc.selection.clusterings import check_clusterings, distinct_rows
from ccc.selection.coordinates import Floats
from ccc.selection.crossval import CV_SCORES, Recluster, cross_validate
from ccc.selection.folds import stratified_folds
from ccc.selection.laplace import check_hessian
from ccc.selection.scoring import TIE, score_clusterings, smallest_of_best
from ccc.selection.sigma import SigmaChoice, check_rule, choose_sigma
from ccc.storage import load_npz, save_npz
from ccc.validation import check_design, check_labels, check_nus, check_sigma

__all__ = ["Selection", "select"]

CRITERIA = ("evidence", "cv")
# Rounding of a mean over folds.
ROUNDING = 1e-9
FRAMES = ("scores", "sigma_scores")


@dataclass(frozen=True)
class Selection:
    """The chosen clustering and what it was chosen from.

    Attributes
    ----------
    index : int
        Its position in ``path.nus``.
    nu : float
    labels : (d,) array
        0..m-1 in order of first appearance.
    n_clusters : int
    criterion : {"evidence", "cv"}
    column : str
        The column of ``scores`` that decided: log_marginal_likelihood, accuracy or log_probability.
    score : float
        Its value for the chosen clustering.
    threshold : float
        The smallest value that was good enough; the fewest clusters won among those.
    scores : DataFrame
        A row per ν in the order of ``path.nus``: nu, n_clusters, and

        - for ``"evidence"`` log_marginal_likelihood, and gap, the certified distance of the MAP's
          objective from its minimum; of more than 100 clusterings, those that cannot win have a
          rough one (:mod:`ccc.selection.scoring`);
        - for ``"cv"`` accuracy, accuracy_sd, log_probability, log_probability_sd: means and
          standard deviations over the folds.
    hessian : str
        Empty for ``"cv"``, which has none.
    sigma : float
    sigma_rule : str
        How it was chosen, see :class:`ccc.selection.SigmaChoice`; ``"given"`` if it was given.
    n_tied_sigma : int
        How many σ share the best score; 0 if σ was given.
    sigma_scores : DataFrame
        A row per tried σ: sigma, accuracy, log_probability. Empty if σ was given.
    """

    index: int
    nu: float
    labels: NDArray[np.int64]
    n_clusters: int
    criterion: str
    column: str
    score: float
    threshold: float
    scores: pd.DataFrame
    hessian: str
    sigma: float
    sigma_rule: str
    n_tied_sigma: int
    sigma_scores: pd.DataFrame

    def by(self, score: str, path: Any) -> Selection:
        """What another score chooses from the same cross-validation of ``path``.

        Parameters
        ----------
        score : {"accuracy", "log_probability"}
        path : the path that this was selected from
        """
        if f"{score}_sd" not in self.scores:
            raise ValueError(
                f"score must be a column of scores with its standard deviation, got {score!r}"
            )
        k, d = len(self.scores), len(self.labels)
        labels = check_clusterings(path.labels, k, d, "path.labels")
        return replace(self, **_choose(self.scores, score, labels))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an ``.npz`` file, without pickle; columns of frames under their names."""
        columns = {
            f"{name}__{column}": values.to_numpy()
            for name in FRAMES
            for column, values in getattr(self, name).items()
        }
        others = {n: getattr(self, n) for n in self.__dataclass_fields__ if n not in FRAMES}
        save_npz(path, **others, **columns)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Selection:
        """Read what :meth:`save` wrote."""
        stored = load_npz(path)
        for frame in FRAMES:
            of_frame = [key for key in stored if key.startswith(f"{frame}__")]
            columns = {key.removeprefix(f"{frame}__"): stored.pop(key) for key in of_frame}
            stored[frame] = pd.DataFrame(columns)
        return cls(**stored)


def select(
    path: Any,
    X: Any,
    y: Any,
    criterion: str = "evidence",
    sigma: float | None = None,
    sigmas: Sequence[float] | Floats | None = None,
    random_state: int | None = 0,
    hessian: str = "diagonal",
    *,
    sigma_rule: str | None = None,
    sigma_choice: SigmaChoice | None = None,
    score: str = "accuracy",
    recluster: Recluster | None = None,
    n_folds: int = 5,
) -> Selection:
    """Choose one clustering of ``path``.

    ``"evidence"``: the highest approximate marginal likelihood; scores within 1e-4 nats of the best
    are equal. ``"cv"``: a mean score over the folds that is at most one standard deviation below
    the best, where the standard deviation is that of the fold scores (n_folds - 1 degrees of
    freedom) at the best position. Among the clusterings that are left the one with the fewest
    clusters is chosen, and for it the largest ν; the best position of ``"cv"`` is settled likewise
    if several share the best mean.

    Parameters
    ----------
    path : object with ``nus`` (k,) and ``labels`` (k, d)
        Clusterings that occur several times are evaluated once.
    X : (n, d) array, scipy sparse matrix, or Standardized
    y : (n,) array
        Class labels of any kind.
    criterion : {"evidence", "cv"}
    sigma : float, optional
        Standard deviation of the prior; by default by cross-validation on all samples and
        covariates, see :func:`ccc.selection.choose_sigma`.
    sigmas : values of σ to try
    random_state : int or None
        Seed of the folds.
    hessian : {"diagonal", "full"}
        For ``"evidence"``.
    sigma_rule : {"first", "last", "log_probability"}, optional
        Which σ is taken; by default that of ``sigma_choice``, or ``"first"``, the smallest with
        the best accuracy.
    sigma_choice : SigmaChoice, optional
        What :func:`ccc.selection.choose_sigma` has found for the same data.
    score : {"accuracy", "log_probability"}
        What decides for ``"cv"``; both are reported.
    recluster : callable (X_train, y_train) -> (k, d) labels, optional
        For ``"cv"``: makes the clusterings anew from the training samples of a fold, row i for
        position i of ``path.nus``. ``X_train`` are rows of ``X``, of the same kind. Without it the
        clusterings of ``path``, which have seen the held-out samples, are used in every fold: that
        is faster, and optimistic.
    n_folds : int
        Of both cross-validations.

    Examples
    --------
    >>> import ccc
    >>> data = ccc.data.make_synthetic("contradicting", d=40, n=4000)
    >>> S = ccc.similarity.ledoit_wolf(data.X, data.y)
    >>> path = ccc.solve_path(data.X, data.y, S, ccc.nu_grid(4000, count=30, step=1.0))
    >>> choice = ccc.select(path, data.X, data.y)
    >>> choice.n_clusters, ccc.metrics.anmi(data.labels, choice.labels)
    (10, 1.0)
    """
    for name, value, allowed in (("criterion", criterion, CRITERIA), ("score", score, CV_SCORES)):
        if value not in allowed:
            raise ValueError(
                f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}"
            )
    if not (hasattr(path, "nus") and hasattr(path, "labels")):
        raise TypeError(f"path must have nus and labels, got {path!r}")
    if recluster is not None and criterion != "cv":
        raise ValueError(f"recluster is for criterion 'cv', got criterion {criterion!r}")
    check_hessian(hessian)
    design = check_design(X, largest=LARGEST)
    classes, codes = check_labels(y, design.shape[0])
    nus = check_nus(path.nus, "path.nus")
    labels = check_clusterings(path.labels, len(nus), design.shape[1], "path.labels")
    choice = _settle_sigma(
        design, y, sigma, sigmas, sigma_rule, sigma_choice, n_folds, random_state
    )
    columns = {"nu": nus, "n_clusters": labels.max(axis=1) + 1}
    if criterion == "evidence":
        column = "log_marginal_likelihood"
        distinct, position = distinct_rows(labels)
        found = score_clusterings(design, codes, len(classes), distinct, choice.sigma, hessian)
        columns |= {column: found.evidence[position], "gap": found.gap[position]}
    else:
        column, hessian = score, ""
        folds = stratified_folds(classes, codes, n_folds, random_state)
        folded = cross_validate(X, y, design, codes, labels, choice.sigma, folds, recluster)
        columns |= folded.columns()
    scores = pd.DataFrame(columns)
    return Selection(
        **_choose(scores, column, labels),
        criterion=criterion,
        scores=scores,
        hessian=hessian,
        sigma=choice.sigma,
        sigma_rule=choice.rule,
        n_tied_sigma=choice.n_tied,
        sigma_scores=choice.scores,
    )


def _settle_sigma(
    X: Design,
    y: Any,
    sigma: float | None,
    sigmas: Sequence[float] | Floats | None,
    rule: str | None,
    choice: SigmaChoice | None,
    n_folds: int,
    random_state: int | None,
) -> SigmaChoice:
    """σ as :func:`select` was asked to: given, chosen before, or to be chosen now."""
    if rule is not None:
        check_rule(rule, "sigma_rule")
    if sigma is not None:
        if choice is not None:
            raise ValueError(f"sigma_choice must be None where sigma is given, as {sigma}")
        return SigmaChoice.given(check_sigma(sigma))
    if choice is None:
        return choose_sigma(X, y, sigmas, rule or "first", n_folds, random_state)
    choice = choice if rule is None else choice.pick(rule)
    check_sigma(choice.sigma, "sigma_choice")
    return choice


def _choose(scores: pd.DataFrame, column: str, labels: NDArray[np.int64]) -> dict[str, Any]:
    """The fields of a selection that depend on which column decides."""
    threshold = _threshold(scores, column)
    index = _smallest(scores, column, threshold)
    return {
        "index": index,
        "nu": float(scores["nu"][index]),
        "labels": labels[index],
        "n_clusters": int(scores["n_clusters"][index]),
        "column": column,
        "score": float(scores[column][index]),
        "threshold": threshold,
    }


def _threshold(scores: pd.DataFrame, column: str) -> float:
    """The smallest value that is good enough; the rule is stated in :func:`select`."""
    best = float(scores[column].max())
    if f"{column}_sd" not in scores:
        return best - TIE
    at_best = _smallest(scores, column, best - ROUNDING)
    return best - float(scores[f"{column}_sd"][at_best]) - ROUNDING


def _smallest(scores: pd.DataFrame, column: str, threshold: float) -> int:
    """Position of the fewest clusters, then largest ν, where ``column`` reaches the threshold."""
    return smallest_of_best(scores[column], scores["n_clusters"], scores["nu"], threshold)
