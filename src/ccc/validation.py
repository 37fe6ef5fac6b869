"""Checks of user input: every error is a ``ValueError`` that names the argument and the value."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.design import Design, as_design

__all__ = [
    "check_array",
    "check_design",
    "check_labels",
    "check_nu",
    "check_nus",
    "check_positive",
    "check_ridge",
    "check_similarity",
    "check_sparsity",
]

RIDGE_REASON = "the dual, and with it the certificate, needs a strictly positive ridge"
# Smallest ridge relative to the squares of X about their means, and to the squares themselves, at
# which Newton's matrix can be told from a singular one in double precision.
LEAST_RIDGE = 1e-13
LEAST_RIDGE_OFF_CENTRE = 1e-16


def _first_bad(values: NDArray[Any]) -> str:
    flat = np.ravel(values)
    position = int(np.argmax(~np.isfinite(flat)))
    return f"{flat[position]} at position {np.unravel_index(position, values.shape)}"


def _as_float(values: Any, name: str) -> NDArray[np.float64]:
    if np.iscomplexobj(values):
        raise ValueError(f"{name} must hold real numbers, got complex ones")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold real numbers: {error}") from None


def check_array(values: Any, shape: tuple[int, ...], name: str) -> NDArray[np.float64]:
    """Finite numbers in an array of the given shape."""
    array = _as_float(values, name)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} contains {_first_bad(array)}")
    return array


def check_design(X: Any, name: str = "X") -> Design:
    """A finite (n, d) design with n, d ≥ 1."""
    if not (sp.issparse(X) or hasattr(X, "centre") or isinstance(X, Design)):
        X = _as_float(X, name)
        if X.ndim != 2:
            raise ValueError(f"{name} must be a matrix (n, d), got shape {X.shape}")
    design = as_design(X)
    n, d = design.shape
    if n < 1 or d < 1:
        raise ValueError(f"{name} must have at least one row and one column, got shape {(n, d)}")
    values = design.matrix.data if design.is_sparse else design.matrix
    if not np.isfinite(values).all():
        raise ValueError(f"{name} contains {_first_bad(values)}")
    return design


def check_labels(y: Any, n: int, name: str = "y") -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Classes (sorted) and codes 0..c-1 of n class labels, with at least two classes."""
    values = np.asarray(y)
    if values.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {values.shape}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError(f"{name} contains {_first_bad(values)}")
    if values.dtype == object and any(label != label for label in values):
        raise ValueError(f"{name} contains nan")
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError:
        raise ValueError(f"{name} mixes labels that cannot be ordered") from None
    if len(classes) < 2:
        raise ValueError(f"{name} must have at least two classes, got only {classes[0]!r}")
    return classes, codes.astype(np.int64)


def check_similarity(S: Any, d: int, name: str = "S") -> Any:
    """A finite, symmetric, non-negative (d, d) array or CSR matrix without diagonal."""
    if not sp.issparse(S):
        S = _as_float(S, name)
    if S.ndim != 2 or S.shape[0] != S.shape[1]:
        raise ValueError(f"{name} must be square, got shape {S.shape}")
    if S.shape[0] != d:
        raise ValueError(f"{name} must have shape ({d}, {d}) like the columns of X, got {S.shape}")
    if sp.issparse(S):
        out = sp.csr_array(S, dtype=np.float64, copy=True)
        out.sum_duplicates()
        out.setdiag(0.0)
        out.eliminate_zeros()
        values = out.data
    else:
        out = np.array(S)
        np.fill_diagonal(out, 0.0)
        values = out
    if not np.isfinite(values).all():
        raise ValueError(f"{name} contains {_first_bad(values)}")
    if values.size and values.min() < 0:
        raise ValueError(f"{name} must be non-negative, got {values.min()}")
    asymmetry = abs(out - out.T)
    worst = asymmetry.max() if values.size else 0.0
    if worst > 1e-10 * (values.max() if values.size else 1.0):
        raise ValueError(f"{name} must be symmetric, entries differ from their mirror by {worst}")
    # Two halves first: the sum of two huge entries may overflow.
    return 0.5 * out + 0.5 * out.T


def check_nu(nu: Any, name: str = "nu") -> float:
    """A finite number ≥ 0."""
    try:
        value = float(nu)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number, got {nu!r}") from None
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


def check_sparsity(value: Any, name: str = "sparsity") -> float:
    """Zero, or a finite number that has a reciprocal."""
    number = check_nu(value, name)
    if 0 < number < np.finfo(np.float64).tiny:
        raise ValueError(f"{name} = {number:g} is too small: set it to 0, or make it larger")
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
