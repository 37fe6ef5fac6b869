r"""Choosing one clustering of a path.

.. math:: \hat\nu = \arg\max_\nu \log p(y \mid X, \mathscr C_\nu, \hat\beta_0)

over the clusterings of a path, with the Laplace approximation of :mod:`ccc.selection.laplace` and σ
from :mod:`ccc.selection.sigma`. A path is anything with ``nus`` (k,) and ``labels`` (k, d): the
proposed method, k-means over k, convex clustering over γ.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.design import Design
from ccc.selection.coordinates import Floats
from ccc.selection.laplace import check_clustering, check_hessian, evidence
from ccc.selection.map import gram_side_pays
from ccc.selection.newton import gram_of, gram_pays, project_gram
from ccc.selection.sigma import choose_sigma
from ccc.storage import load_npz, save_npz
from ccc.validation import check_design, check_labels, check_nus, check_positive

__all__ = ["Selection", "select"]

CRITERIA = ("evidence",)
# Nats; the accuracy to which the approximation is computed. Closer scores are equal.
TIE = 1e-6
SCORE_COLUMNS = ("nu", "n_clusters", "log_marginal_likelihood", "gap")
SIGMA_COLUMNS = ("sigma", "accuracy", "log_probability")


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
    score : float
        Its approximate log marginal likelihood.
    sigma : float
    criterion, hessian : str
    scores : DataFrame
        A row per ν in the order of ``path.nus``: nu, n_clusters, log_marginal_likelihood, and gap,
        the certified distance of the MAP's objective from its minimum.
    sigma_scores : DataFrame
        A row per tried σ: sigma, accuracy, log_probability. Empty if σ was given.
    n_tied_sigma : int
        How many σ share the best accuracy; 0 if σ was given.
    """

    index: int
    nu: float
    labels: NDArray[np.int64]
    n_clusters: int
    score: float
    sigma: float
    criterion: str
    hessian: str
    scores: pd.DataFrame
    sigma_scores: pd.DataFrame
    n_tied_sigma: int

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an ``.npz`` file, without pickle."""
        frames = {"scores": self.scores, "sigma_scores": self.sigma_scores}
        columns = {
            f"{name}__{column}": frame[column].to_numpy()
            for name, frame in frames.items()
            for column in frame.columns
        }
        scalars = {
            name: getattr(self, name)
            for name in self.__dataclass_fields__
            if name not in frames and name != "labels"
        }
        save_npz(path, labels=self.labels, **scalars, **columns)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Selection:
        """Read what :meth:`save` wrote."""
        stored = load_npz(path)
        for name, columns in (("scores", SCORE_COLUMNS), ("sigma_scores", SIGMA_COLUMNS)):
            stored[name] = pd.DataFrame({key: stored.pop(f"{name}__{key}") for key in columns})
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
) -> Selection:
    """Choose the clustering of ``path`` with the highest approximate marginal likelihood.

    Scores within 1e-6 nats of the best are equal; among them the clustering with the fewest
    clusters is chosen, and for it the largest ν.

    Parameters
    ----------
    path : object with ``nus`` (k,) and ``labels`` (k, d)
        Clusterings that occur several times are evaluated once.
    X : (n, d) array, scipy sparse matrix, or Standardized
    y : (n,) array
        Class labels of any kind.
    criterion : {"evidence"}
    sigma : float, optional
        Standard deviation of the prior; by default the first maximiser of the cross-validated
        accuracy, see :func:`ccc.selection.choose_sigma`.
    sigmas : values of σ to try if ``sigma`` is None
    random_state : int or None
        Seed of the folds.
    hessian : {"diagonal", "full"}
    """
    if criterion not in CRITERIA:
        raise ValueError(
            f"criterion must be one of {', '.join(map(repr, CRITERIA))}, got {criterion!r}"
        )
    check_hessian(hessian)
    design = check_design(X)
    classes, codes = check_labels(y, design.shape[0])
    nus = check_nus(path.nus, "path.nus")
    labels = _check_path_labels(path.labels, len(nus), design.shape[1])
    if sigma is None:
        choice = choose_sigma(design, codes, sigmas, random_state=random_state)
        sigma, n_tied, sigma_scores = choice.sigma, choice.n_tied, choice.scores
    else:
        sigma, n_tied = check_positive(sigma, "sigma"), 0
        sigma_scores = pd.DataFrame({column: np.empty(0) for column in SIGMA_COLUMNS})
    distinct, position = _distinct(labels)
    values, gaps = score_clusterings(design, codes, len(classes), distinct, sigma, hessian)
    scores = pd.DataFrame(
        {
            "nu": nus,
            "n_clusters": labels.max(axis=1) + 1,
            "log_marginal_likelihood": values[position],
            "gap": gaps[position],
        }
    )
    index = _best(scores)
    return Selection(
        index=index,
        nu=float(nus[index]),
        labels=labels[index],
        n_clusters=int(labels[index].max()) + 1,
        score=float(scores["log_marginal_likelihood"].iloc[index]),
        sigma=sigma,
        criterion=criterion,
        hessian=hessian,
        scores=scores,
        sigma_scores=sigma_scores,
        n_tied_sigma=n_tied,
    )


def score_clusterings(
    X: Design,
    y: NDArray[np.int64],
    c: int,
    clusterings: NDArray[np.int64],
    sigma: float,
    hessian: str = "diagonal",
) -> tuple[Floats, Floats]:
    """Evidence and gap of each row of ``clusterings`` (k, d), each MAP started at its neighbour's.

    All share one Gram matrix, which is summed over clusters like the columns of X.
    """
    if not X.is_sparse:
        # Sums of columns run along the memory in this order: ten times faster.
        X = Design(np.asfortranarray(X.matrix), X.shift)
    shared = gram_of(X) if gram_pays(X, c) and not gram_side_pays(X) else None
    values, gaps = np.empty(len(clusterings)), np.empty(len(clusterings))
    start: tuple[Floats, Floats] | None = None
    for i, labels in enumerate(clusterings):
        gram = None if shared is None else project_gram(shared, labels)
        found = evidence(X.project(labels), y, c, sigma, hessian, start, gram=gram)
        values[i], gaps[i] = found.value, found.fit.gap
        if i + 1 < len(clusterings):
            start = _carry_over(found.fit.B, labels, clusterings[i + 1]), found.fit.b0
    return values, gaps


def _carry_over(B: Floats, old: NDArray[np.int64], new: NDArray[np.int64]) -> Floats:
    """Coefficients on the clusters ``new`` from those on ``old``.

    A cluster's coefficient multiplies the sum of its covariates, so each covariate has that very
    coefficient, and a new cluster takes the mean over its members.
    """
    sizes = np.bincount(new)
    return np.stack([np.bincount(new, row) for row in B[:, old]]) / sizes


def _check_path_labels(labels: Any, k: int, d: int) -> NDArray[np.int64]:
    values = np.asarray(labels)
    if values.ndim != 2 or values.shape != (k, d):
        raise ValueError(
            f"path.labels must have shape ({k}, {d}), a row per nu and a column per column of X; "
            f"got {values.shape}"
        )
    return np.stack([check_clustering(row, d, "path.labels") for row in values])


def _distinct(labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct rows in order of first appearance, and for each row its place among them."""
    _, inverse = np.unique(labels, axis=0, return_inverse=True)
    from_first = np.unique(inverse.reshape(-1), return_index=True)[1]
    order = np.argsort(from_first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return labels[from_first[order]], rank[inverse.reshape(-1)]


def _best(scores: pd.DataFrame) -> int:
    """Position of the chosen row; the rule is stated in :func:`select`."""
    value = scores["log_marginal_likelihood"].to_numpy()
    tied = np.flatnonzero(value >= value.max() - TIE)
    clusters, nus = scores["n_clusters"].to_numpy()[tied], scores["nu"].to_numpy()[tied]
    return int(tied[np.lexsort((-nus, clusters))[0]])
