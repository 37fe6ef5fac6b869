"""Which ν to solve: where the clusters are, and nearer to a number of clusters that is wanted."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from ccc.magnitude import LARGEST, SMALLEST
from ccc.results import Path

__all__ = ["approach", "fusion_grid"]

Solve = Callable[[NDArray[np.float64]], Path]

# Exponents of 2, relative to n / max S, between which fusions are looked for.
LOWEST, HIGHEST = -30, 12
ROUNDS, POINTS = 3, 7


def fusion_grid(solve: Solve, n: int, largest: float, count: int) -> NDArray[np.float64]:
    r""":math:`\nu` from where everything is fused down to where nothing is, ``count`` values.

    The paper's grid :math:`n\, 2^{-0.1 a}` suits its similarities. Eq. (1) depends on ν S, so for
    any S the range is found first: on powers of two times n / max S, the last value before the
    first change of the number of clusters and the first one after the last. Values are equally
    spaced in log ν, descending.

    Parameters
    ----------
    solve : values of ν to a Path
    n : number of samples
    largest : the largest entry of S off the diagonal
    count : int
    """
    if not largest > 0:
        return np.array([float(n)])  # without similarities ν has no effect
    if not SMALLEST <= largest <= LARGEST:
        raise ValueError(
            f"similarity must have its largest entry between {SMALLEST:g} and {LARGEST:g} where ν "
            f"is looked for, got {largest:g}"
        )
    scan = n / largest * np.exp2(np.arange(LOWEST, HIGHEST + 1, dtype=np.float64))
    with warnings.catch_warnings():
        # The same ν, or neighbours, are solved again, and warned of then.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = solve(scan).n_clusters
    changes = np.flatnonzero(np.diff(found))
    if not len(changes):
        return scan[-1:]
    return np.geomspace(scan[changes[-1] + 1], scan[changes[0]], count)


def approach(path: Path, target: int, solve: Solve) -> Path:
    """Add ν between neighbours whose numbers of clusters jump over the target.

    Ends when some clustering has exactly ``target`` clusters, when all numbers are on one side of
    it, or after a few rounds, each of which makes the step of the grid eight times finer there.
    """
    for _ in range(ROUNDS):
        away = path.n_clusters - target
        # Between some ν and none there are no steps in log ν.
        jumps = np.flatnonzero((away[:-1] * away[1:] < 0) & (path.nus[1:] > 0))
        if (away == 0).any() or not len(jumps):
            break
        # Cluster numbers need not be monotone in ν: take the smallest jump.
        i = jumps[np.argmin(np.abs(away[jumps] - away[jumps + 1]))]
        between = np.geomspace(path.nus[i], path.nus[i + 1], POINTS + 2)[1:-1]
        path = _joined(path, solve(between))
    return path


def _joined(path: Path, more: Path) -> Path:
    """Both, by descending ν."""
    order = np.argsort(-np.concatenate([path.nus, more.nus]), kind="stable")

    def both(one: Any, two: Any) -> Any:
        return np.concatenate([one, two])[order]

    along = [f.name for f in fields(Path) if f.name not in CONSTANT]
    arrays = {name: both(getattr(path, name), getattr(more, name)) for name in along}
    info = {name: both(path.info[name], more.info[name]) for name in path.info}
    return replace(path, **arrays, info=info)


CONSTANT = {"classes", "method", "ridge", "sparsity", "tol", "info"}
