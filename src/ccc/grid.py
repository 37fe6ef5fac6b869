r"""The paper's grid of ν, :math:`\{ n\, 2^{-0.1 a} \mid a = 0, \ldots, 299 \}`, and its like."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ccc.validation import check_nu, check_positive, check_whole

__all__ = ["gamma_grid", "nu_grid", "stretches"]


def nu_grid(n: int, count: int = 300, step: float = 0.1) -> NDArray[np.float64]:
    r"""The grid :math:`n\, 2^{-\text{step}\, a}`, a = 0..count-1, descending.

    Examples
    --------
    >>> import ccc
    >>> ccc.nu_grid(400, count=4, step=1.0)
    array([400., 200., 100.,  50.])
    """
    if check_nu(n, "n") < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    check_whole(count, "count", 1)
    check_positive(step, "step")
    with np.errstate(over="ignore"):  # 2^-inf is 0
        return n * np.exp2(-step * np.arange(count, dtype=np.float64))


def gamma_grid(max: int = 5, per_unit: int = 300) -> NDArray[np.float64]:
    """The γ of convex clustering, 0, 1/per_unit, ..., max; by default the paper's."""
    return np.arange(max * per_unit + 1) / per_unit


def stretches(nus: NDArray[np.float64], parts: int) -> list[NDArray[np.float64]]:
    """A descending grid of ν as stretches for separate jobs: the larger half, then equal parts.

    A job walks up from no penalty, coarsely, to where its stretch begins. That is short for small
    ν and long for large ones, where nearly all is fused and a ν costs nothing once one is there:
    dividing the larger half would repeat the way for no gain.

    Examples
    --------
    >>> import ccc
    >>> [len(nus) for nus in ccc.grid.stretches(ccc.nu_grid(400), 4)]
    [150, 50, 50, 50]
    """
    if parts == 1:
        return [nus]
    half = len(nus) // 2
    return [nus[:half], *np.array_split(nus[half:], parts - 1)]
