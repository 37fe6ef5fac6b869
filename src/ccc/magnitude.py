r"""Numbers whose squares overflow or vanish: scaled by a power of two, or refused.

A power of two changes no digit, and is one wherever numbers are ordinary: what is computed from
those is the same to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LARGEST", "SMALLEST", "check_columns", "lengths", "overflow", "scaled"]

Array = NDArray[np.float64]

# Fourth powers of ordinary numbers, and sums of more of these than memory holds, are numbers too.
SMALLEST, LARGEST = 1e-50, 1e50
# Between these, a root of a sum of squares has lost nothing.
SHORTEST, LONGEST = 1e-140, 1e150


def scaled(A: Array, axis: int | None = None) -> tuple[Array, NDArray[np.intc]]:
    """``A`` times 2^-e and e, with which the largest entry is between 1/2 and 1 along ``axis``.

    Where that entry is ordinary, or zero, e is 0. Like a sum with ``keepdims``, e has all axes.
    """
    size = np.abs(A).max(axis=axis, keepdims=True, initial=0.0)
    ordinary = (size >= SMALLEST) & (size <= LARGEST)
    exponent = np.where(ordinary, 0, np.frexp(size)[1])
    return np.ldexp(A, -exponent), exponent


def lengths(V: Array, axis: int) -> Array:
    """Euclidean norms along an axis of a matrix, also where squares overflow or vanish."""
    with np.errstate(over="ignore"):
        found = np.linalg.norm(V, axis=axis)
    odd = ~((found > SHORTEST) & (found < LONGEST)) & V.any(axis=axis)
    if odd.any():
        rows, exponent = scaled(np.moveaxis(V, axis, -1)[odd], axis=1)
        found[odd] = np.ldexp(np.linalg.norm(rows, axis=1), exponent[:, 0])
    return np.asarray(found)


def check_columns(sizes: Array, name: str = "X") -> None:
    """Refuse columns, given their largest entries, that have no variance in double precision."""
    odd = ((sizes > 0) & (sizes < SMALLEST)) | (sizes > LARGEST)
    if odd.any():
        j = int(np.argmax(odd))
        verdict = "large" if sizes[j] > 1 else "small"
        raise ValueError(
            f"column {j} of {name} has entries up to {sizes[j]:.2g}, too {verdict} to be squared: "
            "change its unit"
        )


def overflow(what: str, arguments: dict[str, Any]) -> ValueError:
    """The error of a result that is no number, with the largest entry of every argument."""
    sizes = {name: np.max(np.abs(values), initial=0.0) for name, values in arguments.items()}
    listed = ", ".join(f"{name} {size:.2g}" for name, size in sizes.items())
    return ValueError(f"{what} overflows; the largest entries are {listed}")
