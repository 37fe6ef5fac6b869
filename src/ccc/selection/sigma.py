r"""The prior's standard deviation σ, by cross-validation on the full model.

.. math::

    \hat\sigma = \arg\max_\sigma \sum_{\text{folds } F} \sum_{s \in F}
    \bigl[ y_s = \arg\max_y f(y \mid x_s, \hat B_\sigma^{-F}, \hat\beta_{0,\sigma}^{-F}) \bigr]

with the MAP estimates of the model without clustering on the other folds. The accuracy is a count
of samples, so it often has several maximisers, and which of them is taken decides what is selected
later: the rule is explicit and the number of ties is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from ccc.design import Design
from ccc.selection.coordinates import Floats
from ccc.selection.map import fit_map, gram_side, gram_side_pays
from ccc.selection.newton import gram_of, gram_pays
from ccc.validation import check_design, check_labels, check_positive

__all__ = ["SIGMAS", "SigmaChoice", "choose_sigma", "pick_sigma", "sigma_grid"]

SIGMAS: Floats = 10.0 ** np.arange(-3.0, 1.75, 0.5)
CRITERIA = ("accuracy", "log_probability")
TIES = ("first", "last")
# Nats of the objective: far below what could change a predicted class.
TOL = 1e-8


@dataclass(frozen=True)
class SigmaChoice:
    """The chosen σ, how many values of the grid share the best score, and all scores.

    ``scores`` has a row per σ: sigma, accuracy (share of held-out samples predicted right),
    log_probability (their mean log-probability).
    """

    sigma: float
    n_tied: int
    scores: pd.DataFrame


def sigma_grid(sigmas: Sequence[float] | Floats | None) -> Floats:
    """The values to try, ascending; the paper's ten if ``sigmas`` is None."""
    if sigmas is None:
        return SIGMAS.copy()
    values = np.unique([check_positive(sigma, "sigmas") for sigma in np.ravel(sigmas)])
    if not len(values):
        raise ValueError("sigmas is empty")
    return values


def choose_sigma(
    X: Any,
    y: Any,
    sigmas: Sequence[float] | Floats | None = None,
    criterion: str = "accuracy",
    ties: str = "first",
    n_folds: int = 5,
    random_state: int | None = 0,
) -> SigmaChoice:
    """Choose σ by stratified cross-validation on all covariates.

    Parameters
    ----------
    X, y : as in :func:`ccc.log_marginal_likelihood`
    sigmas : values to try; default 10^-3, 10^-2.5, ..., 10^1.5
    criterion, ties : see :func:`pick_sigma`
    n_folds : int
        Every class needs at least as many members.
    random_state : int or None
        Seed of the shuffled folds.
    """
    design = check_design(X)
    classes, codes = check_labels(y, design.shape[0])
    grid = sigma_grid(sigmas)
    _check_rule(criterion, ties)
    counts = np.bincount(codes)
    if counts.min() < n_folds:
        rarest = int(np.argmin(counts))
        raise ValueError(
            f"y: class {classes[rarest]!r} has {counts[rarest]} members, "
            f"fewer than the {n_folds} folds"
        )
    # One factor serves all folds and all σ: its rows stand for the rows of X.
    small = gram_side(design) if gram_side_pays(design) else design
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    right, log_probability = np.zeros(len(grid), dtype=np.int64), np.zeros(len(grid))
    for train, test in folds.split(np.zeros(len(codes)), codes):
        r, lp = _score_fold(small, codes, len(classes), grid, train, test)
        right += r
        log_probability += lp
    scores = pd.DataFrame(
        {
            "sigma": grid,
            "accuracy": right / len(codes),
            "log_probability": log_probability / len(codes),
        }
    )
    sigma, n_tied = pick_sigma(scores, criterion, ties)
    return SigmaChoice(sigma, n_tied, scores)


def pick_sigma(
    scores: pd.DataFrame, criterion: str = "accuracy", ties: str = "first"
) -> tuple[float, int]:
    """The maximiser of a column of ``scores`` and the number of σ that attain the maximum.

    Parameters
    ----------
    criterion : {"accuracy", "log_probability"}
    ties : {"first", "last"}
        Among equal scores the smallest or the largest σ.
    """
    _check_rule(criterion, ties)
    ordered = scores.sort_values("sigma")
    values = ordered[criterion].to_numpy()
    best = np.flatnonzero(values == values.max())
    position = best[0] if ties == "first" else best[-1]
    return float(ordered["sigma"].to_numpy()[position]), len(best)


def _check_rule(criterion: str, ties: str) -> None:
    for name, value, allowed in (("criterion", criterion, CRITERIA), ("ties", ties, TIES)):
        if value not in allowed:
            raise ValueError(
                f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}"
            )


def _score_fold(
    X: Design,
    y: NDArray[np.int64],
    c: int,
    grid: Floats,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
) -> tuple[NDArray[np.int64], Floats]:
    """Number of right predictions and sum of log-probabilities on ``test`` for every σ."""
    fitted, held_out = X.take(train), X.take(test)
    right, log_probability = np.zeros(len(grid), dtype=np.int64), np.zeros(len(grid))
    gram = gram_of(fitted) if gram_pays(fitted, c) else None
    start = None
    for i, sigma in enumerate(grid):
        fit = fit_map(fitted, y[train], c, float(sigma), start, TOL, gram)
        start = (fit.B, fit.b0)
        Z = held_out.dot(fit.B.T) + fit.b0
        Z -= Z.max(axis=1, keepdims=True)
        Z -= np.log(np.exp(Z).sum(axis=1, keepdims=True))
        right[i] = np.sum(Z.argmax(axis=1) == y[test])
        log_probability[i] = Z[np.arange(len(test)), y[test]].sum()
    return right, log_probability
