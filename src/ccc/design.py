r"""The design matrix: dense, sparse, or sparse with an implicit centre and scale.

Everything that follows sees one thing, a :class:`Design`

.. math:: \tilde X = M - \mathbf 1 \mu^T ,

where ``M`` is a dense array or a sparse matrix and ``mu`` (``shift``) is a vector or absent. A
standardised sparse matrix is never densified: its columns are scaled in place and its centre stays
in ``shift``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.magnitude import check_columns

__all__ = ["Design", "Standardized", "as_design", "indicators"]


@dataclass(frozen=True)
class Standardized:
    r"""A matrix whose columns are to be read as :math:`(x - \text{centre}) / \text{scale}`.

    Parameters
    ----------
    X : (n, d) sparse matrix or array
    centre, scale : (d,) arrays
    """

    X: Any
    centre: NDArray[np.float64]
    scale: NDArray[np.float64]

    def __post_init__(self) -> None:
        if len(np.shape(self.X)) != 2:
            raise ValueError(f"X must be a matrix (n, d), got shape {np.shape(self.X)}")
        d = self.X.shape[1]
        for name in ("centre", "scale"):
            value = np.asarray(getattr(self, name), dtype=np.float64)
            if value.shape != (d,):
                raise ValueError(f"{name} has shape {value.shape}, expected ({d},)")
            if not np.isfinite(value).all():
                raise ValueError(f"{name} contains {value[~np.isfinite(value)][0]}")
            object.__setattr__(self, name, value)
        if (self.scale <= 0).any():
            j = int(np.argmin(self.scale))
            raise ValueError(f"scale must be positive, got {self.scale[j]} for column {j}")

    @classmethod
    def fit(cls, X: Any) -> Standardized:
        """Centre and scale every column of ``X`` to mean 0 and variance 1.

        A constant column is a ``ValueError`` that names it: it carries no information and has no
        scale.

        Parameters
        ----------
        X : (n, d) sparse matrix or array
        """
        # Imported here: the checks need this module.
        from ccc.validation import check_design

        design = check_design(X)
        if design.shift is not None:
            raise ValueError(f"X must be a sparse matrix or an array, got a {type(X).__name__}")
        check_columns(design.column_sizes())
        matrix = design.matrix
        constant = _extreme(matrix, "max") == _extreme(matrix, "min")
        if constant.any():
            raise ValueError(f"column {int(np.argmax(constant))} of X is constant")
        centre = design.sum_columns() / design.shape[0]
        return cls(matrix, centre, np.sqrt(_variance(matrix, centre)))

    @property
    def shape(self) -> tuple[int, int]:
        return tuple(self.X.shape)  # type: ignore[return-value]

    def __getitem__(self, rows: Any) -> Standardized:
        """The given rows, with the same centre and scale."""
        return Standardized(self.X[rows], self.centre, self.scale)


@dataclass(frozen=True)
class Design:
    """The operator ``matrix - 1 shift'``; see the module's docstring."""

    matrix: Any
    shift: NDArray[np.float64] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return tuple(self.matrix.shape)  # type: ignore[return-value]

    @property
    def is_sparse(self) -> bool:
        return bool(sp.issparse(self.matrix))

    def dot(self, V: NDArray[np.float64]) -> NDArray[np.float64]:
        """Products with ``V`` (d,) or (d, k): O(nnz k)."""
        out = np.asarray(self.matrix @ V)
        return out if self.shift is None else out - self.shift @ V

    def tdot(self, G: NDArray[np.float64]) -> NDArray[np.float64]:
        """Transposed products with ``G`` (n,) or (n, k)."""
        out = np.asarray(self.matrix.T @ G)
        if self.shift is None:
            return out
        return out - np.multiply.outer(self.shift, G.sum(axis=0))

    def largest(self) -> float:
        """The largest absolute value in ``matrix`` and ``shift``."""
        values = self.matrix.data if self.is_sparse else self.matrix
        size = np.abs(values).max(initial=0.0)
        return float(size if self.shift is None else max(size, np.abs(self.shift).max()))

    def column_sizes(self) -> NDArray[np.float64]:
        """Absolute values of the largest entries of the columns of ``matrix``."""
        most, least = self.matrix.max(axis=0), self.matrix.min(axis=0)
        if self.is_sparse:
            most, least = most.toarray().ravel(), least.toarray().ravel()
        return np.maximum(most, -least)

    def sum_columns(self) -> NDArray[np.float64]:
        return self.tdot(np.ones(self.shape[0]))

    def weighted_squares(self, h: NDArray[np.float64]) -> NDArray[np.float64]:
        r""":math:`\sum_s h_s \tilde x_{sz}^2` for every column z; ``h`` is (n,) or (n, k).

        With a centre this is :math:`(M^2)^T h - 2 \mu\, M^T h + \mu^2 \sum_s h_s`.
        """
        squares = self.matrix.multiply(self.matrix) if self.is_sparse else self.matrix**2
        out = np.asarray(squares.T @ h)
        if self.shift is None:
            return out
        mu = self.shift if h.ndim == 1 else self.shift[:, None]
        return out - 2 * mu * np.asarray(self.matrix.T @ h) + mu**2 * h.sum(axis=0)

    def project(self, labels: NDArray[np.integer]) -> Design:
        r"""The design on clusters, :math:`\tilde X T^T` with :math:`T_{kj} = [j \in C_k]`."""
        labels = np.asarray(labels)
        m = int(labels.max()) + 1
        T = indicators(labels, m)
        shift = None if self.shift is None else T @ self.shift
        if not self.is_sparse:
            return Design(np.ascontiguousarray((T @ self.matrix.T).T), shift)
        product = (self.matrix @ T.T).tocsr()
        # A third full, a sparse product costs more than a dense one.
        if product.nnz > product.shape[0] * m / 3:
            return Design(product.toarray(), shift)
        return Design(product, shift)

    def take(self, rows: NDArray[np.integer]) -> Design:
        return Design(self.matrix[rows], self.shift)

    def columns(self, which: NDArray[np.integer]) -> Design:
        """Only the covariates ``which``."""
        matrix = self.matrix[:, which]
        if not self.is_sparse:
            matrix = np.ascontiguousarray(matrix)
        return Design(matrix, None if self.shift is None else self.shift[which])

    def toarray(self) -> NDArray[np.float64]:
        dense = self.matrix.toarray() if self.is_sparse else np.array(self.matrix)
        return dense if self.shift is None else dense - self.shift


def as_design(X: Any) -> Design:
    """View an array, a scipy sparse matrix, or a :class:`Standardized` as a :class:`Design`."""
    if isinstance(X, Design):
        return X
    if isinstance(X, Standardized):
        inner = as_design(X.X)
        if inner.is_sparse:
            return Design(
                (inner.matrix @ sp.diags_array(1.0 / X.scale)).tocsr(), X.centre / X.scale
            )
        return Design((inner.matrix - X.centre) / X.scale)
    if sp.issparse(X):
        return Design(sp.csr_array(X, dtype=np.float64))
    return Design(np.ascontiguousarray(X, dtype=np.float64))


def indicators(labels: NDArray[np.integer], m: int, without: int | None = None) -> sp.csr_array:
    """(m, d) matrix of which column is in which cluster; the row ``without`` is left empty."""
    ones = np.ones(len(labels)) if without is None else (labels != without).astype(np.float64)
    return sp.csr_array((ones, (labels, np.arange(len(labels)))), shape=(m, len(labels)))


def _extreme(matrix: Any, which: str) -> NDArray[np.float64]:
    """The largest (``"max"``) or smallest (``"min"``) entry of each column."""
    found = getattr(matrix, which)(axis=0)
    return np.asarray(found.toarray() if sp.issparse(found) else found).ravel()


def _variance(matrix: Any, centre: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean squares about the centre, summed as they are: a difference of sums would cancel."""
    if not sp.issparse(matrix):
        return np.asarray(np.mean((matrix - centre) ** 2, axis=0))
    n, d = matrix.shape
    stored = matrix.copy()
    stored.sum_duplicates()
    squares = (stored.data - centre[stored.indices]) ** 2
    empty = n - np.bincount(stored.indices, minlength=d)
    return (np.bincount(stored.indices, squares, d) + empty * centre**2) / n
