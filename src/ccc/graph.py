r"""The similarity matrix S as a weighted graph: edges, components, partitions.

An edge joins covariates i < j iff :math:`S_{ij} > 0`; the diagonal is ignored. Partitions are label
vectors with values 0..m-1 in order of first appearance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

__all__ = ["Graph", "canonical_labels", "components", "graph_of", "incidence"]


@dataclass(frozen=True)
class Graph:
    """Edges (``heads[e]``, ``tails[e]``), heads < tails, with positive ``weights``."""

    d: int
    heads: NDArray[np.int64]
    tails: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def n_edges(self) -> int:
        return len(self.heads)

    def differences(self, B: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n_edges, c) array of ``b_i - b_j`` for a (c, d) matrix ``B``."""
        return (B[:, self.heads] - B[:, self.tails]).T

    def divergence(self, flows: NDArray[np.float64]) -> NDArray[np.float64]:
        r"""(c, d) array of :math:`\sum_j u_{ij}`, where :math:`u_{ji} = -u_{ij}`."""
        out = np.empty((flows.shape[1], self.d))
        for k in range(flows.shape[1]):
            out[k] = np.bincount(self.heads, flows[:, k], self.d)
            out[k] -= np.bincount(self.tails, flows[:, k], self.d)
        return out

    def components(self, keep: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Connected components of the graph, or of the edges in the mask ``keep``."""
        h, t = (self.heads, self.tails) if keep is None else (self.heads[keep], self.tails[keep])
        return components(self.d, h, t)


def graph_of(S: Any) -> Graph:
    """Edges of a (d, d) array or sparse matrix, row by row."""
    upper = sp.triu(sp.csr_array(S) if sp.issparse(S) else np.asarray(S), k=1, format="coo")
    keep = upper.data > 0
    heads, tails = (index[keep].astype(np.int64) for index in upper.coords)
    weights = upper.data[keep].astype(np.float64)
    order = np.lexsort((tails, heads))
    return Graph(S.shape[0], heads[order], tails[order], weights[order])


def incidence(d: int, heads: NDArray[np.int64], tails: NDArray[np.int64]) -> sp.csr_array:
    """(n_edges, d) matrix with rows :math:`e_i - e_j`, for edges from heads i to tails j."""
    edges = np.arange(len(heads))
    values = np.repeat([1.0, -1.0], len(edges))
    ends = np.concatenate([heads, tails])
    return sp.csr_array((values, (np.tile(edges, 2), ends)), shape=(len(edges), d))


def components(d: int, heads: NDArray[np.int64], tails: NDArray[np.int64]) -> NDArray[np.int64]:
    """Labels of the connected components of a graph on d nodes."""
    adjacency = sp.coo_array((np.ones(len(heads)), (heads, tails)), shape=(d, d))
    return canonical_labels(connected_components(adjacency, directed=False)[1])


def canonical_labels(labels: Any) -> NDArray[np.int64]:
    """The same partition with labels 0..m-1 in order of first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.reshape(-1)]
