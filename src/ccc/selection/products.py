r"""Products of the loss Hessian with a vector, in one pass over the samples.

.. math::

    \sum_s W_s A \begin{pmatrix} x_s \\ 1 \end{pmatrix} \begin{pmatrix} x_s \\ 1 \end{pmatrix}^T ,
    \quad W_s = Q^T (\mathrm{diag}(p_s) - p_s p_s^T) Q ,

for a (c - 1, m + 1) matrix A. A compiled loop reads each sample once, for its scores and for what
it adds. With matrix products it would be read twice and the arrays between them several times: that
took three times as long (n = 4000, m = 1000, c = 4).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ccc.design import Design
from ccc.selection.coordinates import Floats

__all__ = ["HessianProduct"]


class HessianProduct:
    """H A for one design, without the prior.

    Parameters
    ----------
    X : Design
    Q : (c, c - 1) array
    precision : numpy floating type
        Of the products with X. The weights are in double precision.
    """

    def __init__(self, X: Design, Q: Floats, precision: type[np.floating]) -> None:
        self.Q, self.precision, self.shift = Q, precision, X.shift
        matrix = X.matrix.tocsr() if X.is_sparse else np.ascontiguousarray(X.matrix)
        self.matrix: Any = matrix.astype(precision, copy=False)
        self.is_sparse = X.is_sparse

    def __call__(self, P: Floats, A: Floats) -> Floats:
        """The (c - 1, m + 1) product at probabilities ``P``, (n, c) and contiguous."""
        coefficients, intercepts = A[:, :-1], A[:, -1].copy()
        if self.shift is not None:
            intercepts -= coefficients @ self.shift
        out = np.zeros_like(A)
        if self.is_sparse:
            M, thin = self.matrix, np.ascontiguousarray(coefficients.T, dtype=self.precision)
            total, out[:, -1] = _sparse(M.data, M.indices, M.indptr, P, self.Q, thin, intercepts)
            out[:, :-1] = total.T
        else:
            wide = np.ascontiguousarray(coefficients, dtype=self.precision)
            out[:, :-1], out[:, -1] = _dense(self.matrix, P, self.Q, wide, intercepts)
        if self.shift is not None:
            out[:, :-1] -= np.multiply.outer(out[:, -1], self.shift)
        return out


@njit(cache=True, fastmath=True, error_model="numpy")
def _weigh(p, Q, z, v):
    """Replace the scores z of one sample by W z; ``v`` is room for c numbers."""
    mean = 0.0
    for i in range(len(v)):
        v[i] = 0.0
        for a in range(len(z)):
            v[i] += Q[i, a] * z[a]
        mean += p[i] * v[i]
    for a in range(len(z)):
        z[a] = 0.0
    for i in range(len(v)):
        weighted = p[i] * (v[i] - mean)
        for a in range(len(z)):
            z[a] += Q[i, a] * weighted


@njit(cache=True, fastmath=True, error_model="numpy")
def _dense(X, P, Q, A, a0):
    c, k = Q.shape
    n, m = X.shape
    total = np.zeros((k, m), X.dtype)
    total0 = np.zeros(k)
    z, v, u = np.empty(k), np.empty(c), np.empty(k, X.dtype)
    for s in range(n):
        x = X[s]
        for a in range(k):
            row = A[a]
            score = row[0] * x[0]
            for j in range(1, m):
                score += row[j] * x[j]
            z[a] = score + a0[a]
        _weigh(P[s], Q, z, v)
        for a in range(k):
            u[a] = z[a]
            total0[a] += z[a]
            row, weight = total[a], u[a]
            for j in range(m):
                row[j] += weight * x[j]
    return total, total0


@njit(cache=True, fastmath=True, error_model="numpy")
def _sparse(data, indices, indptr, P, Q, A, a0):
    c, k = Q.shape
    total = np.zeros(A.shape, A.dtype)
    total0 = np.zeros(k)
    z, v, u = np.empty(k), np.empty(c), np.empty(k, A.dtype)
    for s in range(len(P)):
        entries = range(indptr[s], indptr[s + 1])
        u[:] = 0
        for e in entries:
            row, x = A[indices[e]], data[e]
            for a in range(k):
                u[a] += row[a] * x
        for a in range(k):
            z[a] = u[a] + a0[a]
        _weigh(P[s], Q, z, v)
        for a in range(k):
            u[a] = z[a]
            total0[a] += z[a]
        for e in entries:
            row, x = total[indices[e]], data[e]
            for a in range(k):
                row[a] += u[a] * x
    return total, total0
