"""Few points of many dimensions, in coordinates of a space that holds them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

__all__ = ["Coordinates"]

FEWER = 0.7  # share of the dimensions below which points get coordinates of their own


class Coordinates:
    """Rows in coordinates of a smaller space that holds some of them, if that is worth it."""

    def __init__(self, rows: Array) -> None:
        m, q = rows.shape
        # Rows that lose digits in the basis are not known better than that themselves.
        self.basis = np.linalg.qr(rows.T)[0] if m < FEWER * q else None

    def enter(self, X: Array) -> Array:
        """In coordinates of the smaller space."""
        return X if self.basis is None else X @ self.basis

    def leave(self, X: Array) -> Array:
        """In those of the larger one."""
        return X if self.basis is None else X @ self.basis.T
