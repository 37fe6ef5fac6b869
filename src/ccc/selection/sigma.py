r"""The prior's standard deviation σ, by cross-validation on the full model.

.. math::

    \hat\sigma = \arg\max_\sigma \sum_{\text{folds } F} \sum_{s \in F}
    \bigl[ y_s = \arg\max_y f(y \mid x_s, \hat B_\sigma^{-F}, \hat\beta_{0,\sigma}^{-F}) \bigr]

with the MAP estimates of the model without clustering on the other folds. The accuracy is a count
of samples, so it often has several maximisers, and which of them is taken decides what is selected
later: the rule is explicit and the number of ties is reported.
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
from ccc.magnitude import LARGEST
from ccc.selection.coordinates import Floats
from ccc.selection.folds import CV_TOL, Fold, held_out_scores, stratified_folds
from ccc.selection.map import fit_map, gram_side, gram_side_pays
from ccc.selection.newton import gram_of, gram_pays
from ccc.storage import load_npz, save_npz
from ccc.validation import check_design, check_labels, check_sigma

__all__ = ["RULES", "SIGMAS", "SigmaChoice", "check_rule", "choose_sigma"]

SIGMAS: Floats = 10.0 ** np.arange(-3.0, 1.75, 0.5)
RULES = ("first", "last", "log_probability")
SCORES = ("sigma", "accuracy", "log_probability")


@dataclass(frozen=True)
class SigmaChoice:
    """The chosen σ and what it was chosen from.

    Attributes
    ----------
    sigma : float
    rule : {"first", "last", "log_probability"}
        The smallest or the largest σ with the best accuracy, or the σ with the best
        log-probability.
    n_tied : int
        How many σ share the best score of the rule.
    scores : DataFrame
        A row per σ, ascending: sigma, accuracy (share of held-out samples predicted right),
        log_probability (their mean log-probability).
    """

    sigma: float
    rule: str
    n_tied: int
    scores: pd.DataFrame

    @classmethod
    def of(cls, scores: pd.DataFrame, rule: str = "first") -> SigmaChoice:
        """Choose from ``scores`` by ``rule``; among equal log-probabilities the smallest σ."""
        check_rule(rule)
        if not len(scores):
            raise ValueError(f"scores has no rows to choose from by rule {rule!r}")
        ordered = scores.sort_values("sigma", ignore_index=True)
        values = ordered["log_probability" if rule == "log_probability" else "accuracy"].to_numpy()
        best = np.flatnonzero(values == values.max())
        position = best[-1] if rule == "last" else best[0]
        return cls(float(ordered["sigma"][position]), rule, len(best), ordered)

    @classmethod
    def given(cls, sigma: float) -> SigmaChoice:
        """A σ that was not chosen: rule ``"given"``, no ties, no scores."""
        return cls(sigma, "given", 0, pd.DataFrame({name: np.empty(0) for name in SCORES}))

    def pick(self, rule: str) -> SigmaChoice:
        """What another rule chooses from the same scores."""
        return SigmaChoice.of(self.scores, rule)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an ``.npz`` file, without pickle."""
        columns = {f"scores__{name}": self.scores[name].to_numpy() for name in SCORES}
        save_npz(path, sigma=self.sigma, rule=self.rule, n_tied=self.n_tied, **columns)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SigmaChoice:
        """Read what :meth:`save` wrote."""
        stored = load_npz(path)
        scores = pd.DataFrame({name: stored.pop(f"scores__{name}") for name in SCORES})
        return cls(**stored, scores=scores)


def choose_sigma(
    X: Any,
    y: Any,
    sigmas: Sequence[float] | Floats | None = None,
    rule: str = "first",
    n_folds: int = 5,
    random_state: int | None = 0,
) -> SigmaChoice:
    """Choose σ by stratified cross-validation on all covariates.

    Parameters
    ----------
    X, y : as in :func:`ccc.log_marginal_likelihood`
    sigmas : values to try; default 10^-3, 10^-2.5, ..., 10^1.5
    rule : {"first", "last", "log_probability"}
        Which maximiser is taken, see :class:`SigmaChoice`.
    n_folds : int
        Every class needs at least as many members.
    random_state : int or None
        Seed of the shuffled folds.
    """
    design = check_design(X, largest=LARGEST)
    classes, codes = check_labels(y, design.shape[0])
    grid = _check_grid(sigmas)
    check_rule(rule)
    folds = stratified_folds(classes, codes, n_folds, random_state)
    # One factor serves all folds and all σ: its rows stand for the rows of X.
    small = gram_side(design) if gram_side_pays(design) else design
    sums = np.sum([_score_fold(small, codes, len(classes), grid, fold) for fold in folds], axis=0)
    accuracy, log_probability = sums / len(codes)
    scores = {"sigma": grid, "accuracy": accuracy, "log_probability": log_probability}
    return SigmaChoice.of(pd.DataFrame(scores), rule)


def check_rule(rule: str, name: str = "rule") -> None:
    if rule not in RULES:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, RULES))}, got {rule!r}")


def _check_grid(sigmas: Sequence[float] | Floats | None) -> Floats:
    """The values to try, ascending; the paper's ten if ``sigmas`` is None."""
    if sigmas is None:
        return SIGMAS.copy()
    values = np.unique([check_sigma(sigma, "sigmas") for sigma in np.ravel(sigmas)])
    if not len(values):
        raise ValueError("sigmas is empty")
    return values


def _score_fold(X: Design, y: NDArray[np.int64], c: int, grid: Floats, fold: Fold) -> Floats:
    """(2, k): number of right predictions and sum of log-probabilities for every σ."""
    train, test = fold
    fitted, held_out = X.take(train), X.take(test)
    gram = gram_of(fitted) if gram_pays(fitted, c) else None
    out, start = np.empty((2, len(grid))), None
    for i, sigma in enumerate(grid):
        fit = fit_map(fitted, y[train], c, float(sigma), start, CV_TOL, gram)
        start = (fit.B, fit.b0)
        out[:, i] = held_out_scores(held_out, y[test], fit)
    return out
