r"""Stratified folds, and how well a model predicts the fold that it has not seen.

.. math:: \sum_{s \in F} [y_s = \arg\max_y f(y \mid x_s, B, \beta_0)] \quad\text{and}\quad
    \sum_{s \in F} \log f(y_s \mid x_s, B, \beta_0)

for a fold F and estimates B, :math:`\beta_0` from the other folds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.design import Design
from ccc.selection.map import MapFit

__all__ = ["CV_TOL", "Fold", "held_out_scores", "stratified_folds"]

Fold = tuple[NDArray[np.int64], NDArray[np.int64]]

# Nats of the objective: far below what could change a predicted class.
CV_TOL = 1e-8


def stratified_folds(
    classes: NDArray[Any], codes: NDArray[np.int64], n_folds: int, random_state: int | None
) -> list[Fold]:
    """Positions (train, test) of each fold, shuffled; every class is in every fold.

    The folds do not depend on how classes are named.
    """
    if isinstance(n_folds, bool) or not isinstance(n_folds, int | np.integer) or n_folds < 2:
        raise ValueError(f"n_folds must be an integer of at least 2, got {n_folds!r}")
    counts = np.bincount(codes)
    if counts.min() < n_folds:
        rarest = int(np.argmin(counts))
        raise ValueError(
            f"y: class {classes.tolist()[rarest]!r} has {counts[rarest]} members, "
            f"fewer than the {n_folds} folds"
        )
    # Imported here: see ccc.results.
    from sklearn.model_selection import StratifiedKFold
    from sklearn.utils import check_random_state

    try:
        check_random_state(random_state)
    except ValueError:
        raise ValueError(
            f"random_state must be an integer of at least 0 or None, got {random_state!r}"
        ) from None

    folds = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    return list(folds.split(np.zeros(len(codes)), codes))


def held_out_scores(X: Design, y: NDArray[np.int64], fit: MapFit) -> tuple[int, float]:
    """Number of right predictions and sum of log-probabilities of samples outside the fit."""
    Z = X.dot(fit.B.T) + fit.b0
    Z -= Z.max(axis=1, keepdims=True)
    Z -= np.log(np.exp(Z).sum(axis=1, keepdims=True))
    return int(np.sum(Z.argmax(axis=1) == y)), float(Z[np.arange(len(y)), y].sum())
