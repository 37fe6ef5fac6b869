"""The space of centred class vectors, which every optimal column of B lies in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import helmert

__all__ = ["class_basis"]


def class_basis(c: int) -> NDArray[np.float64]:
    r"""Q (c, c - 1) with :math:`Q^T Q = I` and :math:`Q^T \mathbf 1 = 0` (Helmert)."""
    return np.ascontiguousarray(helmert(c).T)
