"""Checks of user input: every error is a ``ValueError`` that names the argument and the value."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.design import Design, Standardized, as_design
from ccc.magnitude import LARGEST, SMALLEST

__all__ = [
    "check_array",
    "check_classes",
    "check_design",
    "check_labels",
    "check_nu",
    "check_nus",
    "check_positive",
    "check_ridge",
    "check_sigma",
    "check_similarity",
    "check_sparsity",
    "check_whole",
]

RIDGE_REASON = "the dual, and with it the certificate, needs a strictly positive ridge"
# Smallest ridge relative to the squares of X about their means, and to the squares themselves, at
# which Newton's matrix can be told from a singular one in double precision.
LEAST_RIDGE = 1e-13
LEAST_RIDGE_OFF_CENTRE = 1e-16
LEAST_SPARSITY, MOST_SPARSITY = 1e-100, 1e100


def _first_bad(values: NDArray[Any]) -> str:
    flat = np.ravel(values)
    position = int(np.argmax(~np.isfinite(flat)))
    place = tuple(int(i) for i in np.unravel_index(position, values.shape))
    return f"{flat[position]} at position {place}"


def _as_float(values: Any, name: str) -> Any:
    """An array, or a CSR matrix, of doubles."""
    if np.iscomplexobj(values):
        raise ValueError(f"{name} must hold real numbers, got complex ones")
    try:
        if sp.issparse(values):
            return sp.csr_array(values, dtype=np.float64)
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold real numbers: {error}") from None


def check_array(values: Any, shape: tuple[int, ...], name: str) -> NDArray[np.float64]:
    """Finite numbers in an array of the given shape."""
    array = _as_float(values, name)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} contains {_first_bad(array)}")
    return array


def check_design(X: Any, name: str = "X", largest: float = np.inf) -> Design:
    """A finite (n, d) design with n, d ≥ 1 and no entry beyond ``largest``."""
    if not isinstance(X, Design | Standardized):
        X = _as_float(X, name)
        if X.ndim != 2:
            raise ValueError(f"{name} must be a matrix (n, d), got shape {X.shape}")
    design = as_design(X)
    n, d = design.shape
    if n < 1 or d < 1:
        raise ValueError(f"{name} must have at least one row and one column, got shape {(n, d)}")
    values = design.matrix.data if design.is_sparse else design.matrix
    for part in (values, design.shift):
        if part is not None and not np.isfinite(part).all():
            raise ValueError(f"{name} contains {_first_bad(part)}")
    if largest < np.inf and design.largest() > largest:
        raise ValueError(
            f"{name} has an entry of size {design.largest():.2g}, too large to be squared: "
            "change its unit"
        )
    return design


def check_classes(values: NDArray[Any], name: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Distinct labels (sorted) of a vector, and their positions 0..c-1."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError(f"{name} contains {_first_bad(values)}")
    try:
        # Not a number, not a time: neither is equal to itself.
        missing = values.dtype.kind in "cmMO" and any(label != label for label in values)
        classes, codes = np.unique(values[:0] if missing else values, return_inverse=True)
    except (TypeError, ValueError):
        raise ValueError(f"{name} mixes labels that cannot be ordered") from None
    if missing:
        raise ValueError(f"{name} contains nan")
    return classes, codes.astype(np.int64)


def check_labels(y: Any, n: int, name: str = "y") -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Classes (sorted) and codes 0..c-1 of n class labels, with at least two classes."""
    values = np.asarray(y)
    if values.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {values.shape}")
    classes, codes = check_classes(values, name)
    if len(classes) < 2:
        raise ValueError(f"{name} must have at least two classes, got only {classes[0]}")
    return classes, codes


def check_similarity(S: Any, d: int, name: str = "S") -> Any:
    """A finite, symmetric, non-negative (d, d) array or CSR matrix without diagonal.

    What stands on the diagonal is ignored, but has to be a number ≥ 0: anything else there says
    that S is no similarity.
    """
    S = _as_float(S, name)
    if S.ndim != 2 or S.shape[0] != S.shape[1]:
        raise ValueError(f"{name} must be square, got shape {S.shape}")
    if S.shape[0] != d:
        raise ValueError(f"{name} must have shape ({d}, {d}) like the columns of X, got {S.shape}")
    out = S.copy()
    if sp.issparse(S):
        out.sum_duplicates()
    values = out.data if sp.issparse(S) else out
    if not np.isfinite(values).all():
        raise ValueError(f"{name} contains {_first_bad(values)}")
    if values.size and values.min() < 0:
        raise ValueError(f"{name} must be non-negative, got {values.min()}")
    if sp.issparse(S):
        out.setdiag(0.0)
        out.eliminate_zeros()
    else:
        np.fill_diagonal(out, 0.0)
    worst = abs(out - out.T).max()
    if worst > 1e-10 * out.max():
        raise ValueError(f"{name} must be symmetric, entries differ from their mirror by {worst}")
    # Two halves first: the sum of two huge entries may overflow.
    return 0.5 * out + 0.5 * out.T


def check_nu(nu: Any, name: str = "nu") -> float:
    """A finite number ≥ 0."""
    try:
        value = float(nu)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number, got {nu!r}") from None
    except OverflowError:
        raise ValueError(f"{name} must be finite, got an integer beyond 1e308") from None
    if not np.isfinite(value) or value < 0:
        raise ValueError(f"{name} must be finite and non-negative, got {value}")
    return value


def check_nus(nus: Any, name: str = "nus") -> NDArray[np.float64]:
    """A non-empty vector of finite numbers ≥ 0."""
    values = _as_float(nus, name)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"{name} must be a non-empty vector, got shape {values.shape}")
    for value in values:
        check_nu(value, name)
    return values


def check_positive(value: Any, name: str, why: str = "") -> float:
    """A finite number > 0; ``why`` completes the message."""
    number = check_nu(value, name)
    if number == 0:
        raise ValueError(f"{name} must be positive, got {value}{': ' + why if why else ''}")
    return number


def check_whole(value: Any, name: str, least: float = -np.inf) -> int:
    """An integer of at least ``least``."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < least:
        bound = f" of at least {least}" if np.isfinite(least) else ""
        raise ValueError(f"{name} must be an integer{bound}, got {value!r}")
    return int(value)


def check_sigma(value: Any, name: str = "sigma") -> float:
    """A standard deviation > 0 whose square and its reciprocal are numbers with room for sums."""
    number = check_positive(value, name)
    if not SMALLEST <= number <= LARGEST:
        raise ValueError(
            f"{name} must be between {SMALLEST:g} and {LARGEST:g}, got {number:g}: "
            "change the unit of X"
        )
    return number


def check_sparsity(value: Any, name: str = "sparsity") -> float:
    """Zero, or a number whose square is one, with room for sums."""
    number = check_nu(value, name)
    if number > 0 and not LEAST_SPARSITY <= number <= MOST_SPARSITY:
        raise ValueError(
            f"{name} must be 0 or between {LEAST_SPARSITY:g} and {MOST_SPARSITY:g}, got {number:g}"
        )
    return number


def check_ridge(ridge: float, X: Design) -> None:
    r"""A ridge λ that is not lost in rounding beside :math:`\lVert X \rVert_F^2`."""
    with np.errstate(over="ignore", invalid="ignore"):
        squares = X.weighted_squares(np.ones(X.shape[0]))
        about_mean = squares - X.sum_columns() ** 2 / X.shape[0]
        least = max(
            LEAST_RIDGE * float(about_mean.sum()), LEAST_RIDGE_OFF_CENTRE * float(squares.sum())
        )
    if not ridge >= least:
        raise ValueError(
            f"ridge = {ridge:g} is lost in rounding beside X, whose squares sum to "
            f"{float(squares.sum()):.2g}: standardise X"
            + (f", or set ridge to {least:.1g} or more" if np.isfinite(least) else "")
        )
