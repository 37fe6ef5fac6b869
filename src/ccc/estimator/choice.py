"""Which clustering of a path the estimator takes, and the folds that decide it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from ccc.design import Design
from ccc.estimator.recipe import Recipe
from ccc.results import Path
from ccc.selection import Selection, SigmaChoice, select
from ccc.selection.folds import stratified_folds

__all__ = ["by_cross_validation", "feasible_folds", "nearest"]

Codes = NDArray[np.int64]


def feasible_folds(classes: NDArray[Any], codes: Codes, wanted: int) -> int:
    """``wanted`` folds, or as many as the rarest class has members, with a warning."""
    counts = np.bincount(codes)
    rarest = int(np.argmin(counts))
    name, members = classes.tolist()[rarest], int(counts[rarest])
    if members < 2:
        raise ValueError(
            f"y: class {name!r} has 1 member, cross-validation needs 2: leave the class out, or "
            "give numbers for sigma and nu"
        )
    if members < wanted:
        warnings.warn(
            f"class {name!r} has {members} members: {members} folds in place of cv = {wanted}",
            UserWarning,
            stacklevel=3,
        )
    return min(wanted, members)


def by_cross_validation(
    path: Path,
    X: Design,
    y: Codes,
    recipe: Recipe,
    sigma: SigmaChoice,
    n_folds: int,
    seed: int,
    n_jobs: int | None,
) -> Selection:
    """:func:`ccc.select` by ``"cv"``, with the paths of the folds on ``n_jobs`` processes."""
    folds = stratified_folds(np.unique(y), y, n_folds, seed)
    nus_per_sample = path.nus / X.shape[0]
    solved = iter(
        Parallel(n_jobs=n_jobs)(
            delayed(recipe.clusterings)(X.take(train), y[train], nus_per_sample)
            for train, _ in folds
        )
    )
    return select(
        path,
        X,
        y,
        "cv",
        sigma_choice=sigma,
        n_folds=n_folds,
        random_state=seed,
        # The same seed gives the same folds there, in the same order.
        recluster=lambda X_train, y_train: next(solved),
    )


def nearest(selection: Selection, path: Path, target: int) -> Selection:
    """The best of the clusterings whose number of clusters is nearest to ``target``.

    That is the one with the highest score, and of equal ones that with the largest ν.
    """
    scores = selection.scores
    away = np.abs(scores["n_clusters"].to_numpy() - target)
    candidates = scores[away == away.min()].sort_values("nu", ascending=False, kind="stable")
    index = int(candidates[selection.column].idxmax())
    score = float(scores[selection.column][index])
    return replace(
        selection,
        index=index,
        nu=float(path.nus[index]),
        labels=path.labels[index],
        n_clusters=int(path.n_clusters[index]),
        score=score,
        threshold=score,
    )
