r"""The smooth part of the problem, in coordinates that know nothing of the penalty.

Coefficients are held as ``A`` (q, m + k): one column per node and, where the loss has intercepts,
one last column for them (k = 1). Since the ridge makes every optimal column of B sum to zero over
the classes, the multinomial loss lives in q = c - 1 dimensions, ``B = Q A`` with orthonormal Q
(Helmert); norms, and with them every penalty, are unchanged.

A loss offers, for the current partition of the covariates,

``evaluate(A)``
    a point: value, gradient (q, m + k), and what curvature needs;
``slope(point, direction)``
    a function t -> derivative of the loss along the ray, without passes over X;
``product(point, V)``
    Hessian times V;
``hessian(point, out)``
    the Hessian, blocks k <= kk of the layout of :func:`kernels.far_hessian`;
``curved``
    whether the Hessian is anything but zero;
``reduced(labels, m, without)``
    the same loss with one column per cluster, of zeros for the cluster ``without``;
``floor``
    gaps are relative to the objective, or to this where the objective can vanish.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import blas

from ccc.basis import class_basis
from ccc.design import indicators

Array = NDArray[np.float64]

TINY = 1e-300
SINGLE_SIZE = 2_000_000  # entries of a dense design from which Hessian products are in float32

__all__ = ["LinearLoss", "MultinomialLoss", "Point"]


@dataclass
class Point:
    """Value and gradient of a loss at ``A``, with scores T (q, n) and probabilities P (c, n)."""

    value: float
    gradient: Array
    T: Array
    P: Array


class MultinomialLoss:
    """Multinomial logistic loss with free intercepts; X is dense, (n, m), or sparse.

    ``rows`` is the design transposed with a last row of ones, (m + 1, n): fusing nodes adds rows.
    """

    intercepts = 1
    curved = True
    floor = 0.0

    def __init__(self, rows: Any, onehot: Array, Q: Array) -> None:
        self.rows, self.onehot, self.Q = rows, onehot, Q
        self.sparse = sp.issparse(rows)
        self.columns = rows.T.tocsr() if self.sparse else None
        self.q, self.m, self.n = Q.shape[1], rows.shape[0] - 1, rows.shape[1]
        self.target = Q.T @ onehot

    @classmethod
    def of(cls, matrix: Any, y: NDArray[np.int64], c: int, ground: bool = False) -> MultinomialLoss:
        """From an (n, d) array or sparse matrix without centre (the intercepts absorb it).

        With ``ground`` there is one more covariate, zero everywhere.
        """
        n = matrix.shape[0]
        last = np.vstack([np.zeros((int(ground), n)), np.ones((1, n))])
        if sp.issparse(matrix):
            rows = sp.vstack([sp.csr_array(matrix.T), sp.csr_array(last)], format="csr")
        else:
            rows = np.vstack([matrix.T, last])
        onehot = np.zeros((c, n))
        onehot[y, np.arange(n)] = 1.0
        return cls(rows, onehot, class_basis(c))

    def reduced(
        self, labels: NDArray[np.int64], m: int, without: int | None = None
    ) -> MultinomialLoss:
        rows = indicators(np.append(labels, m), m + 1, without) @ self.rows
        # A third full, sparse products cost more than dense ones.
        if self.sparse and rows.nnz > rows.shape[0] * rows.shape[1] / 3:
            rows = rows.toarray()
        return MultinomialLoss(rows, self.onehot, self.Q)

    def scores(self, A: Array) -> Array:
        return (self.columns @ A.T).T.copy() if self.columns is not None else A @ self.rows

    def pull(self, G: Array) -> Array:
        """(q, m + 1) gradient from residuals ``G`` (q, n)."""
        return np.ascontiguousarray((self.rows @ G.T).T) if self.sparse else G @ self.rows.T

    def node_gradient(self, point: Point) -> Array:
        """(q, m) gradient of this loss at a point that another reduction has evaluated."""
        return self.pull(self.Q.T @ point.P - self.target)[:, : self.m]

    def probabilities(self, T: Array) -> tuple[Array, float]:
        """Probabilities (c, n) and the sum of the log-sum-exps of the scores ``T``."""
        P = self.Q @ T
        top = P.max(axis=0)
        P -= top
        np.exp(P, out=P)
        total = P.sum(axis=0)
        P /= total
        return P, float(np.log(total).sum() + top.sum())

    def evaluate(self, A: Array) -> Point:
        T = self.scores(A)
        P, lse = self.probabilities(T)
        value = lse - float(np.vdot(T, self.target))
        return Point(value, self.pull(self.Q.T @ P - self.target), T, P)

    def slope(self, point: Point, direction: Array) -> Callable[[float], float]:
        dT = self.scores(direction)
        dZ, constant = self.Q @ dT, float(np.vdot(dT, self.target))
        return lambda t: float(np.vdot(self.probabilities(point.T + t * dT)[0], dZ)) - constant

    def product(self, point: Point, V: Array) -> Array:
        """Hessian times V; with many rows in single precision, enough for conjugate gradients."""
        single = self.single
        T = self.scores(V) if single is None else V.astype(np.float32) @ single
        Z = self.Q @ T
        Z *= point.P
        Z -= point.P * Z.sum(axis=0)
        G = self.Q.T @ Z
        return self.pull(G) if single is None else (G.astype(np.float32) @ single.T).astype(float)

    @cached_property
    def single(self) -> NDArray[np.float32] | None:
        """The rows in single precision if they are dense and many."""
        large = not self.sparse and self.rows.size > SINGLE_SIZE
        return self.rows.astype(np.float32) if large else None

    def class_weights(self, P: Array, k: int, kk: int) -> Array:
        """Entry (k, kk) of every Q'(diag p - pp')Q: (n,)."""
        Q = self.Q
        return (Q[:, k] * Q[:, kk]) @ P - (Q[:, k] @ P) * (Q[:, kk] @ P)

    def hessian(self, P: Array, out: Array) -> None:
        """Write the Hessian for probabilities ``P``: all of every block k <= kk."""
        size = self.m + 1
        for k in range(self.q):
            for kk in range(k, self.q):
                block = out[k * size : (k + 1) * size, kk * size : (kk + 1) * size]
                block[...] = weighted_gram(self.rows, self.class_weights(P, k, kk))

    def class_gram(self, w: Array) -> NDArray[np.float32]:
        """``X' diag(w) X`` without intercepts, in single precision."""
        rows = self.rows[: self.m]
        if self.sparse:
            return weighted_gram(rows, w).astype(np.float32)
        half = (rows * np.sqrt(w)).astype(np.float32)
        gram = blas.ssyrk(1.0, half.T, trans=1, lower=1)
        return np.ascontiguousarray(gram.T)

    def stationary(self, A: Array, point: Point, steps: int = 30) -> Point:
        """Newton on the intercepts alone until their gradient vanishes; ``A`` is changed in place.

        The dual point is feasible only with stationary intercepts (:mod:`ccc.duality`).
        """
        T, P, gradient = point.T, point.P, point.gradient
        G = self.Q.T @ P - self.target
        worst = np.inf
        for _ in range(steps):
            g = G.sum(axis=1)
            size = np.abs(g).max()
            if size <= 1e-15 * self.n or size >= worst:
                break
            worst = size
            PQ = self.Q.T @ P
            H = (self.Q.T * P.sum(axis=1)) @ self.Q - PQ @ PQ.T
            step = -np.linalg.lstsq(H, g, rcond=1e-14)[0]
            previous = T, P, G
            T = T + step[:, None]
            P, _ = self.probabilities(T)
            G = self.Q.T @ P - self.target
            if np.abs(G.sum(axis=1)).max() >= size:
                T, P, G = previous
                break
            A[:, -1] += step
        if P is not point.P:
            gradient = self.pull(G)
        value = float(np.log(1.0 / np.maximum((P * self.onehot).sum(axis=0), TINY)).sum())
        return Point(value, gradient, T, P)


def weighted_gram(rows: Any, w: Array) -> Array:
    """``rows diag(w) rows'`` as a dense array."""
    if sp.issparse(rows):
        return np.asarray((rows.multiply(w).tocsr() @ rows.T).todense())
    return (rows * w) @ rows.T


class LinearLoss:
    r""":math:`-\langle D, U \rangle` for data D (q, m): with ridge ½, convex clustering.

    :math:`\tfrac12 \lVert U - D \rVert_F^2 = \tfrac12 \lVert U \rVert_F^2 - \langle D, U \rangle +
    \text{const}`, so the fusion machinery for Eq. (1) serves it unchanged.
    """

    intercepts = 0
    curved = False

    def __init__(self, data: Array, constant: float | None = None) -> None:
        self.data = np.ascontiguousarray(data)
        self.q, self.m = data.shape
        self.n = 1
        # Kept through reductions, so that values, and relative gaps, are those of the problem.
        self.constant = 0.5 * float(np.vdot(data, data)) if constant is None else constant
        self.floor = self.constant

    def reduced(self, labels: NDArray[np.int64], m: int, without: int | None = None) -> LinearLoss:
        sums = indicators(labels, m, without)
        return LinearLoss((sums @ self.data.T).T, self.constant)

    def evaluate(self, A: Array) -> Point:
        empty = np.empty((0, 0))
        value = self.constant - float(np.vdot(self.data, A))
        return Point(value, -self.data, empty, empty)

    def node_gradient(self, point: Point) -> Array:
        return -self.data

    def slope(self, point: Point, direction: Array) -> Callable[[float], float]:
        constant = -float(np.vdot(self.data, direction))
        return lambda t: constant

    def product(self, point: Point, V: Array) -> Array:
        return np.zeros_like(V)

    def hessian(self, P: Array, out: Array) -> None:
        out[...] = 0.0

    def stationary(self, A: Array, point: Point) -> Point:
        return point
