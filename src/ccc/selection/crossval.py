r"""Choosing a clustering by cross-validation, the smallest model near the best one (Section 4).

.. math::

    \hat k = \arg\min \{ m_k : \bar a_k \ge \bar a_{k^*} - \mathrm{sd}_{k^*} \},
    \quad k^* = \arg\max_k \bar a_k ,

where :math:`\bar a_k` and :math:`\mathrm{sd}_k` are mean and standard deviation over the folds of
the score of clustering k, and :math:`m_k` is its number of clusters. What is scored is the second
step of the method, the MAP estimate of the logistic model on sums over clusters, on a fold that
neither it nor the clustering has seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.design import Design, Standardized
from ccc.selection.along import fit_along
from ccc.selection.clusterings import check_clusterings, distinct_rows
from ccc.selection.coordinates import Floats
from ccc.selection.folds import CV_TOL, Fold, held_out_scores

__all__ = ["CV_SCORES", "FoldScores", "Recluster", "cross_validate"]

CV_SCORES = ("accuracy", "log_probability")

Recluster = Callable[[Any, NDArray[Any]], Any]


@dataclass(frozen=True)
class FoldScores:
    """Scores of every fold (rows) and position on the path (columns).

    Attributes
    ----------
    accuracy : (n_folds, k) array
        Share of the fold's samples that are predicted right.
    log_probability : (n_folds, k) array
        Mean log-probability of their classes.
    """

    accuracy: Floats
    log_probability: Floats

    def columns(self) -> dict[str, Floats]:
        """Means over the folds, and standard deviations (with n_folds - 1) as ``*_sd``."""
        out = {}
        for name in CV_SCORES:
            values = getattr(self, name)
            out[name] = values.mean(axis=0)
            out[f"{name}_sd"] = values.std(axis=0, ddof=1)
        return out


def cross_validate(
    X: Any,
    y: Any,
    design: Design,
    codes: NDArray[np.int64],
    labels: NDArray[np.int64],
    sigma: float,
    folds: list[Fold],
    recluster: Recluster | None = None,
) -> FoldScores:
    """Scores of all clusterings on all folds.

    Parameters
    ----------
    X, y : what the user gave, for ``recluster``
    design, codes : the same, checked
    labels : (k, d) array
        The clusterings of all samples, used in every fold where ``recluster`` is None.
    recluster : callable (X_train, y_train) -> (k, d) labels, optional
    """
    names = np.asarray(y)
    accuracy, log_probability = np.empty((2, len(folds), len(labels)))
    for f, (train, test) in enumerate(folds):
        clusterings = labels
        if recluster is not None:
            found = recluster(_take_rows(X, train), names[train])
            clusterings = check_clusterings(
                found, len(labels), design.shape[1], "labels from recluster"
            )
        distinct, position = distinct_rows(clusterings)
        scores = _score_fold(design, codes, distinct, sigma, (train, test))[position]
        accuracy[f], log_probability[f] = scores.T / len(test)
    return FoldScores(accuracy, log_probability)


def _score_fold(
    X: Design, y: NDArray[np.int64], clusterings: NDArray[np.int64], sigma: float, fold: Fold
) -> Floats:
    """(k, 2): number of right predictions and sum of log-probabilities of each clustering."""
    train, test = fold
    held_out, c = X.take(test), int(y.max()) + 1
    fits = fit_along(X.take(train), y[train], c, clusterings, sigma, CV_TOL)
    return np.array(
        [
            held_out_scores(held_out.project(labels), y[test], fit)
            for labels, (_, fit) in zip(clusterings, fits, strict=True)
        ]
    )


def _take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Rows of X as the kind of thing that X is."""
    if isinstance(X, Design):
        return X.take(rows)
    if isinstance(X, Standardized):
        return Standardized(_take_rows(X.X, rows), X.centre, X.scale)
    if sp.issparse(X):
        return X.tocsr()[rows]  # not every sparse format has rows
    return np.asarray(X)[rows]
