r"""Smoothed fusion: the one minimisation behind convex clustering.

.. math:: \min_X \sum_k \frac{s_k}{2} \lVert x_k \rVert^2 - \langle B, X \rangle
          + \sum_{k<l} c_{kl} \, h_\delta(x_k - x_l)

with Huber's function, :math:`h_\delta(v) = \lVert v \rVert^2 / 2\delta` for :math:`\lVert v \rVert
\le \delta` and :math:`\lVert v \rVert - \delta/2` beyond, so that the gradient of every term is a
flow within its cap c. Rows of X are points.

Nothing is stored per pair and dimension. Distances come from Gram matrices and sums of flows from
products with a Laplacian, so gradients and Hessian products are a few matrix products
(:class:`DensePairs`); with few pairs they go over an incidence matrix (:class:`SparsePairs`).

Newton systems are solved by conjugate gradients, apart for groups of points whose curvature towards
the others is too small to matter for a direction. The preconditioner is one Cholesky factor of
diag(s) + L that all q dimensions share, where L is the penalty's Hessian averaged over them: the
Laplacian of :math:`c_{kl} / \max(\lVert v \rVert, \delta)`, less a q-th of it for pairs beyond δ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse.csgraph import connected_components

from ccc.graph import incidence
from ccc.solvers.line_search import zero_of_slope

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["DensePairs", "Point", "SmoothedFusion", "SparsePairs", "pairs_of"]

SPARSE_SIZE, SPARSE_SHARE = 100, 0.1  # sparse from so many points, up to so large a share of pairs
FEW = 24  # points up to which distances are taken from differences
CANCELLED = 1e-6  # share of the norms below which a Gram matrix does not give accurate distances
CHUNK = 4096
CG_STEPS, CG_ACCURACY = 100, 0.05
ROUNDING = 1e-22  # a decrease, relative to the value, that no step can improve on
WEAK = 0.01  # share of a point's own curvature that all that is left out for it may have
MANY = 150  # points from which it pays to look for groups


class DensePairs:
    """All pairs of m points; a quantity of pairs is a symmetric (m, m) array."""

    def __init__(self, C: Array) -> None:
        self.caps = C
        self.m = len(C)

    def squares(self, X: Array, floor: float) -> Array:
        """Squared distances; below ``floor`` they need not be accurate."""
        if self.m <= FEW:
            v = X[:, None] - X
            return np.einsum("ijk,ijk->ij", v, v)
        G = X @ X.T
        own = np.einsum("ii->i", G).copy()
        norms = own[:, None] + own
        G *= -2.0
        G += norms
        # Where little is left of the norms, the difference has lost its digits.
        lost = (CANCELLED * norms > G) & (0.25 * floor < G) & (self.caps > 0)
        heads, tails = np.nonzero(lost)
        for start in range(0, len(heads), CHUNK):
            i, j = heads[start : start + CHUNK], tails[start : start + CHUNK]
            v = X[i] - X[j]
            G[i, j] = np.einsum("ek,ek->e", v, v)
        np.maximum(G, 0.0, out=G)
        return np.asarray(G)

    def products(self, X: Array, V: Array) -> Array:
        r""":math:`\langle x_k - x_l, v_k - v_l \rangle`."""
        G = X @ V.T
        own = np.einsum("ii->i", G).copy()
        return np.asarray(own[:, None] + own - G - G.T)

    def total(self, values: Array) -> float:
        return 0.5 * float(values.sum())

    def divergence(self, c: Array, X: Array) -> Array:
        r""":math:`\sum_l c_{kl} (x_k - x_l)` for every k."""
        return np.asarray(c.sum(axis=1)[:, None] * X - c @ X)

    def laplacian(self, c: Array) -> Array:
        L = -c
        np.einsum("ii->i", L)[...] = c.sum(axis=1) - np.einsum("ii->i", c)
        return L

    def listed(self, mask: NDArray[np.bool_]) -> tuple[Index, Index]:
        """The pairs k < l in a mask over pairs."""
        heads, tails = np.nonzero(np.triu(mask & (self.caps > 0), 1))
        return heads, tails

    def groups(self, c: Array, floor: float) -> list[Index]:
        """Points that hang together by pairs with c above ``floor``, if there are many."""
        if self.m < MANY:
            return [np.arange(self.m)]
        labels = connected_components(sp.csr_array(c > floor), directed=False)[1]
        order = np.argsort(labels, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)

    def among(self, members: Index) -> DensePairs:
        return DensePairs(self.caps[np.ix_(members, members)])

    @staticmethod
    def of(members: Index, values: Array) -> Array:
        """A quantity of pairs, for the pairs among ``members``."""
        return np.ascontiguousarray(values[np.ix_(members, members)])


class SparsePairs:
    """Pairs ``heads[e] < tails[e]`` of m points; a quantity of pairs is an (n_pairs,) array."""

    def __init__(self, C: Any) -> None:
        upper = sp.triu(C, 1, format="coo")
        self.heads, self.tails = (index.astype(np.int64) for index in upper.coords)
        self.caps = upper.data.astype(np.float64)
        self.m = C.shape[0]
        self.incidence = incidence(self.m, self.heads, self.tails)
        self.transposed = self.incidence.T.tocsr()

    def squares(self, X: Array, floor: float) -> Array:
        v = self.incidence @ X
        return np.einsum("ek,ek->e", v, v)

    def products(self, X: Array, V: Array) -> Array:
        return np.einsum("ek,ek->e", self.incidence @ X, self.incidence @ V)

    def total(self, values: Array) -> float:
        return float(values.sum())

    def divergence(self, c: Array, X: Array) -> Array:
        return np.asarray(self.transposed @ (c[:, None] * (self.incidence @ X)))

    def laplacian(self, c: Array) -> Array:
        return np.asarray((self.transposed @ (self.incidence * c[:, None])).todense())

    def listed(self, mask: NDArray[np.bool_]) -> tuple[Index, Index]:
        return self.heads[mask], self.tails[mask]

    def groups(self, c: Array, floor: float) -> list[Index]:
        """All points in one: few pairs are cheap as they are."""
        return [np.arange(self.m)]


Pairs = DensePairs | SparsePairs


def pairs_of(C: Any) -> Pairs:
    """The layout that suits the caps ``C``, a symmetric array or sparse matrix without diagonal."""
    m = C.shape[0]
    if sp.issparse(C):
        few = m > SPARSE_SIZE and C.nnz < SPARSE_SHARE * m**2
        return SparsePairs(C) if few else DensePairs(C.toarray())
    return DensePairs(C)


@dataclass
class Point:
    """Value and gradient at X, with the distances of all pairs."""

    X: Array
    value: float
    gradient: Array
    distances: Array


class SmoothedFusion:
    """The problem of the module's docstring.

    Parameters
    ----------
    pairs : DensePairs or SparsePairs
        Their ``caps`` times ``scale`` are the c of the formula.
    s : (m,) array
    B : (m, q) array
    scale, delta : float
    """

    def __init__(
        self, pairs: DensePairs | SparsePairs, s: Array, B: Array, scale: float, delta: float
    ) -> None:
        self.pairs, self.s, self.B, self.delta = pairs, s[:, None], B, delta
        self.caps = scale * pairs.caps
        self.cg_steps = self.newton_steps = 0

    def at(self, X: Array) -> Point:
        """Evaluate at ``X``."""
        r = np.sqrt(self.pairs.squares(X, self.delta**2))
        p = np.minimum(r, self.delta)
        penalty = self.pairs.total(self.caps * (p * r - 0.5 * p**2)) / self.delta
        value = 0.5 * float(np.sum(self.s * X**2)) - float(np.vdot(self.B, X)) + penalty
        gradient = self.s * X - self.B
        gradient += self.pairs.divergence(self.caps / np.maximum(r, self.delta), X)
        return Point(X, value, gradient, r)

    def residual(self, gradient: Array) -> float:
        r""":math:`\sum_k \lVert g_k \rVert^2 / 2 s_k`, what the gradient is worth as a gap."""
        return 0.5 * float(np.sum(gradient**2 / self.s))

    def minimise(self, X: Array, target: float, limit: int = 50) -> Point:
        """Newton steps until the residual is at most ``target``, or as small as rounding allows."""
        point = self.at(X)
        for _ in range(limit):
            if self.residual(point.gradient) <= target:
                break
            step = self.direction(point)
            if -float(np.vdot(point.gradient, step)) <= ROUNDING * self.size(point.X):
                break
            point = self.search(point, step)
            self.newton_steps += 1
        return point

    def size(self, X: Array) -> float:
        """What rounding errors of the value are relative to."""
        return 0.5 * float(np.sum(self.s * X**2)) + abs(float(np.vdot(self.B, X)))

    def direction(self, point: Point) -> Array:
        """Solve H x = -gradient, roughly: what matters little for a group of points is left out."""
        pairs = self.pairs
        longer = np.maximum(point.distances, self.delta)
        c = self.caps / longer
        outside = point.distances > self.delta
        radial = np.where(outside, c / longer**2, 0.0)
        groups = pairs.groups(c, WEAK * float(self.s.min()) / pairs.m)
        if len(groups) == 1 or isinstance(pairs, SparsePairs):
            return self._solve(pairs, self.s, c, radial, point.X, point.gradient)
        x = -point.gradient / self.s
        for members in groups:
            if len(members) > 1:
                x[members] = self._solve(
                    pairs.among(members),
                    self.s[members],
                    pairs.of(members, c),
                    pairs.of(members, radial),
                    point.X[members],
                    point.gradient[members],
                )
        return x

    def _solve(
        self, pairs: Pairs, s: Array, c: Array, radial: Array, X: Array, gradient: Array
    ) -> Array:
        """Conjugate gradients on the Newton system of some points."""
        M = pairs.laplacian(np.where(radial > 0, c * (1 - 1 / X.shape[1]), c))
        np.einsum("ii->i", M)[...] += s[:, 0]
        factor = cho_factor(M, lower=True, overwrite_a=True, check_finite=False)

        def product(V: Array) -> Array:
            out = s * V + pairs.divergence(c, V)
            out -= pairs.divergence(radial * pairs.products(X, V), X)
            return np.asarray(out)

        x = np.zeros_like(X)
        r = -gradient
        z = cho_solve(factor, r, check_finite=False)
        p, rz = z, float(np.vdot(r, z))
        first = rz
        for _ in range(CG_STEPS):
            Hp = product(p)
            alpha = rz / float(np.vdot(p, Hp))
            x += alpha * p
            r -= alpha * Hp
            z = cho_solve(factor, r, check_finite=False)
            new = float(np.vdot(r, z))
            self.cg_steps += 1
            if new <= CG_ACCURACY**2 * first:
                break
            p, rz = z + (new / rz) * p, new
        return x

    def search(self, point: Point, step: Array) -> Point:
        """The full step if it descends enough, else the zero of the slope."""
        start = float(np.vdot(point.gradient, step))
        new = self.at(point.X + step)
        end = float(np.vdot(new.gradient, step))
        if end <= 0.1 * abs(start) or new.value <= point.value + 1e-4 * start:
            return new

        # On the line the squared distances are quadratic in t.
        squares, cross = point.distances**2, self.pairs.products(point.X, step)
        own = self.pairs.squares(step, np.inf)
        curvature = float(np.sum(self.s * step**2))
        level = float(np.vdot(self.s * point.X - self.B, step))

        def slope(t: float) -> float:
            r = np.sqrt(np.maximum(squares + t * (2 * cross + t * own), 0.0))
            pull = self.caps / np.maximum(r, self.delta) * (cross + t * own)
            return level + t * curvature + self.pairs.total(pull)

        return self.at(point.X + zero_of_slope(slope, start, end) * step)
