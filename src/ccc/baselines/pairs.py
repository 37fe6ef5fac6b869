r"""Pairs of points and what sums over them: distances, flows, Laplacians.

A *quantity of pairs* has one number for each, as a symmetric array (:class:`DensePairs`) or, where
few pairs of many points have a weight, as a vector (:class:`SparsePairs`). Nothing is stored per
pair and dimension: for all pairs there are a few matrix products, for few pairs one loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numba import njit
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["DensePairs", "Pairs", "SparsePairs", "groups_of", "pairs_of"]

SPARSE_SIZE, SPARSE_SHARE = 100, 0.1  # sparse from so many points, up to so large a share of pairs
FEW = 24  # points up to which distances are taken from differences
CANCELLED = 1e-6  # share of the norms below which a Gram matrix does not give accurate distances
CHUNK = 4096
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

    def curved(self, c: Array, radial: Array, X: Array, V: Array) -> Array:
        r""":math:`\sum_l c_{kl} v - e_{kl} x \langle x, v \rangle`, with x and v the differences of
        the rows k and l of ``X`` and ``V`` and e the ``radial``: a Hessian of norms times V."""
        return self.divergence(c, V) - self.divergence(radial * self.products(X, V), X)

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
        return groups_of(connected_components(sp.csr_array(c > floor), directed=False)[1])

    def among(self, members: Index) -> DensePairs:
        return DensePairs(self.caps[np.ix_(members, members)])


class SparsePairs:
    """Pairs ``heads[e] < tails[e]`` of m points; a quantity of pairs is an (n_pairs,) array."""

    def __init__(self, C: Any) -> None:
        upper = sp.triu(C, 1, format="coo")
        self.heads, self.tails = (index.astype(np.int64) for index in upper.coords)
        self.caps = upper.data.astype(np.float64)
        self.m = C.shape[0]

    def squares(self, X: Array, floor: float) -> Array:
        """Squared distances."""
        return np.asarray(_products(self.heads, self.tails, X, X))

    def products(self, X: Array, V: Array) -> Array:
        r""":math:`\langle x_k - x_l, v_k - v_l \rangle`."""
        return np.asarray(_products(self.heads, self.tails, X, V))

    def total(self, values: Array) -> float:
        return float(values.sum())

    def divergence(self, c: Array, X: Array) -> Array:
        r""":math:`\sum_l c_{kl} (x_k - x_l)` for every k."""
        return np.asarray(_divergence(self.heads, self.tails, c, X))

    def curved(self, c: Array, radial: Array, X: Array, V: Array) -> Array:
        """The same as of :class:`DensePairs`."""
        return np.asarray(_curved(self.heads, self.tails, c, radial, X, V))

    def among(self, members: Index, c: Array) -> Array:
        """A quantity of pairs as a symmetric array, for the pairs among ``members``."""
        place = np.full(self.m, -1)
        place[members] = np.arange(len(members))
        i, j = place[self.heads], place[self.tails]
        inside = (i >= 0) & (j >= 0)
        out = np.zeros((len(members), len(members)))
        out[i[inside], j[inside]] = out[j[inside], i[inside]] = c[inside]
        return out

    def degrees(self, c: Array) -> Array:
        """Diagonal of the Laplacian."""
        ends = np.concatenate([self.heads, self.tails])
        return np.bincount(ends, np.tile(c, 2), self.m).astype(np.float64)

    def neighbours(self, points: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A mask of points, and of those that share a pair with one of them."""
        out = points.copy()
        out[self.tails[points[self.heads]]] = True
        out[self.heads[points[self.tails]]] = True
        return out

    def touching(self, points: NDArray[np.bool_]) -> tuple[Index, SparsePairs]:
        """Pairs with an end in a mask of points: all points they have, and the pairs of those."""
        edges = np.flatnonzero(points[self.heads] | points[self.tails])
        ends = np.concatenate([self.heads[edges], self.tails[edges], np.flatnonzero(points)])
        nodes, place = np.unique(ends, return_inverse=True)
        heads, tails = place[: len(edges)], place[len(edges) : 2 * len(edges)]
        size = (len(nodes), len(nodes))
        C = sp.coo_array((self.caps[edges], (heads, tails)), shape=size)
        return nodes, SparsePairs(C)

    def listed(self, mask: NDArray[np.bool_]) -> tuple[Index, Index]:
        """The pairs in a mask over pairs."""
        return self.heads[mask], self.tails[mask]


Pairs = DensePairs | SparsePairs


def pairs_of(C: Any) -> Pairs:
    """The layout that suits the caps ``C``, a symmetric array or sparse matrix without diagonal."""
    m = C.shape[0]
    if sp.issparse(C):
        few = m > SPARSE_SIZE and C.nnz < SPARSE_SHARE * m**2
        return SparsePairs(C) if few else DensePairs(C.toarray())
    return DensePairs(C)


def groups_of(labels: Index) -> list[Index]:
    """Members of each group of a partition."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


# Sums over dimensions may be taken in any order, which lets them be vectorised.
@njit(cache=True, fastmath={"reassoc", "contract"})
def _products(heads: Index, tails: Index, X: Array, V: Array) -> Array:
    out = np.empty(len(heads))
    for e in range(len(heads)):
        i, j = heads[e], tails[e]
        total = 0.0
        for k in range(X.shape[1]):
            total += (X[i, k] - X[j, k]) * (V[i, k] - V[j, k])
        out[e] = total
    return out


@njit(cache=True)
def _divergence(heads: Index, tails: Index, c: Array, X: Array) -> Array:
    out = np.zeros_like(X)
    for e in range(len(heads)):
        i, j = heads[e], tails[e]
        for k in range(X.shape[1]):
            flow = c[e] * (X[i, k] - X[j, k])
            out[i, k] += flow
            out[j, k] -= flow
    return out


@njit(cache=True, fastmath={"reassoc", "contract"})
def _curved(heads: Index, tails: Index, c: Array, radial: Array, X: Array, V: Array) -> Array:
    out = np.zeros_like(X)
    for e in range(len(heads)):
        i, j = heads[e], tails[e]
        along = 0.0
        if radial[e] != 0.0:
            for k in range(X.shape[1]):
                along += (X[i, k] - X[j, k]) * (V[i, k] - V[j, k])
            along *= radial[e]
        for k in range(X.shape[1]):
            flow = c[e] * (V[i, k] - V[j, k]) - along * (X[i, k] - X[j, k])
            out[i, k] += flow
            out[j, k] -= flow
    return out
