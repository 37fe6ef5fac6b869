"""The working partition: nodes, their reduced problem, and how it is coarsened and refined."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.design import indicators
from ccc.graph import Graph, canonical_labels
from ccc.solvers.exact.flows import ClusterFlow
from ccc.solvers.exact.ground import GroundedPairs, GroundFlow
from ccc.solvers.exact.newton import Newton
from ccc.solvers.exact.pairs import Pairs

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["Nodes", "sums_by"]


def sums_by(groups: Index, values: Array, m: int) -> Array:
    """Sums of the columns of ``values`` (q, k) over each of the m groups."""
    return np.stack([np.bincount(groups, row, m) for row in values])


def oriented(heads: Index, tails: Index, U: Array) -> tuple[Index, Index, Array]:
    """The same pairs with heads < tails; a flow changes its sign with its direction."""
    flip = heads > tails
    return (
        np.where(flip, tails, heads),
        np.where(flip, heads, tails),
        np.where(flip[:, None], -U, U),
    )


class Nodes:
    """Clusters of covariates as nodes of a smaller problem of the same form.

    Attributes
    ----------
    labels : (d,) node of each covariate
    sizes : (m,)
    A : (q, m + k) coefficients
    loss, pairs, newton : the reduced problem
    flows : ClusterFlow of every node with more than one member
    ground : the node of the last covariate, if there is sparsity (:mod:`ground`), else None
    """

    def __init__(self, loss: Any, S: Array, ridge: float, A: Array, sparsity: float = 0.0) -> None:
        self.full, self.S, self.ridge, self.sparsity = loss, S, ridge, sparsity
        self.q, self.d, self.k = loss.q, loss.m, loss.intercepts
        self.A = A
        self.flows: dict[int, ClusterFlow] = {}
        self._reduce(np.arange(self.d))

    def _reduce(self, labels: Index) -> None:
        """Set up the reduced problem of a partition; its pairs are all far."""
        self.labels = labels
        self.m = m = int(labels.max()) + 1
        self.sizes = np.bincount(labels, minlength=m).astype(np.float64)
        self.ground = int(labels[-1]) if self.sparsity else None
        if m == self.d:
            order = np.argsort(labels)
            if not np.array_equal(order, np.arange(self.d)):
                raise AssertionError("a partition into singletons must keep the covariates' order")
            self.loss, self.S_to, W = self.full, self.S, self.S
        else:
            T = indicators(labels, m)
            self.loss = self.full.reduced(labels, m, self.ground)
            self.S_to = T @ self.S
            W = np.ascontiguousarray(T @ self.S_to.T)
            np.fill_diagonal(W, 0.0)
        self._links: dict[int, Array] = {}
        if self.ground is None:
            self.pairs = Pairs(W, self.q)
        else:
            self.pairs = GroundedPairs(W, self.q, self.sparsity, self.sizes, self.ground)
        self.newton = Newton(self.loss, self.pairs, self.sizes, self.ridge)

    def _replace(self, labels: Index, A: Array, near: tuple[Index, Index, Array]) -> None:
        """Move to another partition with coefficients A and the given near pairs."""
        old = self.pairs
        self._reduce(labels)
        self.A = np.ascontiguousarray(A)
        self.pairs.inherit(old)
        self.pairs.reset(*near)

    def links(self, k: int) -> Array:
        """(m, N) similarities of all nodes to the members of the cluster ``k``."""
        if k not in self._links:
            self._links[k] = np.ascontiguousarray(self.S_to[:, self.flows[k].members])
        return self._links[k]

    def averaged(self, groups: Index) -> Array:
        """Coefficients with the columns of each group of nodes replaced by their mean.

        What is fused with the ground becomes zero.
        """
        A, m = self.A.copy(), int(groups.max()) + 1
        if m < self.m:
            mean = sums_by(groups, A[:, : self.m] * self.sizes, m)
            A[:, : self.m] = (mean / np.bincount(groups, self.sizes, m))[:, groups]
            if self.ground is not None:
                A[:, : self.m][:, groups == groups[self.ground]] = 0.0
        return np.ascontiguousarray(A)

    def edge_flows(self, A: Array, graph: Graph) -> Array:
        """(n_edges, q) flows of the dual point on the original graph, at coefficients ``A``."""
        pairs = self.pairs
        heads, tails = self.labels[graph.heads], self.labels[graph.tails]
        w = pairs.nu * pairs.directions(A, heads, tails)
        if len(pairs.heads):
            low, high = np.minimum(heads, tails), np.maximum(heads, tails)
            order = np.argsort(pairs.heads * self.m + pairs.tails)
            keys = (pairs.heads * self.m + pairs.tails)[order]
            slot = np.minimum(np.searchsorted(keys, low * self.m + high), len(keys) - 1)
            near = keys[slot] == low * self.m + high
            sign = np.where(heads[near] < tails[near], 1.0, -1.0)
            w[near] = pairs.nu * sign[:, None] * pairs.U[order[slot[near]]]
        position = np.empty(self.d, dtype=np.int64)
        for k, flow in self.flows.items():
            position[flow.members] = np.arange(len(flow.members))
            inside = (heads == k) & (tails == k)
            i, j = position[graph.heads[inside]], position[graph.tails[inside]]
            low, high = np.minimum(i, j), np.maximum(i, j)
            u = flow.w[low, :, high] + (flow.p[:, low] - flow.p[:, high]).T
            w[inside] = np.where(i < j, 1.0, -1.0)[:, None] * u
        return w * graph.weights[:, None]

    def coarsen(self, groups: Index) -> None:
        """Merge nodes; pairs inside a group become inner flows, pairs between groups are pooled."""
        m, old = int(groups.max()) + 1, self.pairs
        labels = groups[self.labels]
        A = np.empty((self.q, m + self.k))
        A[:, groups] = self.averaged(groups)[:, : self.m]
        A[:, m:] = self.A[:, self.m :]
        flows = self._merged_flows(groups, m)
        between = groups[old.heads] != groups[old.tails]
        heads, tails, U = oriented(
            groups[old.heads[between]], groups[old.tails[between]], old.U[between]
        )
        weights = old.weights[between]
        key, inverse = np.unique(heads * m + tails, return_inverse=True)
        pooled = sums_by(inverse, U.T * weights, len(key)) if len(key) else np.empty((self.q, 0))
        near_weight = np.bincount(inverse, weights, len(key))
        heads, tails = key // m, key % m
        self._replace(labels, A, (heads[:0], tails[:0], np.empty((0, self.q))))
        total = self.pairs.W[heads, tails]
        # Members of a near pair that were far themselves push along the common direction.
        rest = self.pairs.directions(A, heads, tails) * (total - near_weight)[:, None]
        self.pairs.reset(heads, tails, (pooled.T + rest) / total[:, None])
        self.flows = flows

    def _merged_flows(self, groups: Index, m: int) -> dict[int, ClusterFlow]:
        old = self.pairs
        by_node = np.argsort(self.labels, kind="stable")
        starts = np.searchsorted(self.labels[by_node], np.arange(self.m + 1))
        by_group = np.argsort(groups, kind="stable")
        ends = np.searchsorted(groups[by_group], np.arange(m + 1))
        inside = np.flatnonzero(groups[old.heads] == groups[old.tails])
        inside = inside[np.argsort(groups[old.heads[inside]], kind="stable")]
        first = np.searchsorted(groups[old.heads[inside]], np.arange(m + 1))
        position = np.empty(self.m, dtype=np.int64)
        flows: dict[int, ClusterFlow] = {}
        for g in range(m):
            nodes = by_group[ends[g] : ends[g + 1]]
            if len(nodes) == 1:
                if nodes[0] in self.flows:
                    flows[g] = self.flows[nodes[0]]
                continue
            if self.ground is not None and self.ground in nodes:
                nodes = np.append(nodes[nodes != self.ground], self.ground)  # it stands last
            parts = [by_node[starts[k] : starts[k + 1]] for k in nodes]
            lengths = [len(part) for part in parts]
            position[nodes] = np.arange(len(nodes))
            mine = inside[first[g] : first[g + 1]]
            between = np.zeros((len(nodes), self.q, len(nodes)))
            i, j = position[old.heads[mine]], position[old.tails[mine]]
            between[i, :, j] = old.nu * old.U[mine]
            between[j, :, i] = -old.nu * old.U[mine]
            if len(nodes) < sum(lengths):
                owner = np.repeat(np.arange(len(nodes)), lengths)
                between = between[np.ix_(owner, np.arange(self.q), owner)]
                offset = np.concatenate([[0], np.cumsum(lengths)])
                for x, k in enumerate(nodes):
                    if k in self.flows:
                        block = slice(offset[x], offset[x + 1])
                        between[block, :, block] = self.flows[k].formed()
            members = np.concatenate(parts)
            S = np.ascontiguousarray(self.S[np.ix_(members, members)])
            flows[g] = self._flow(members, S, np.ascontiguousarray(between))
        return flows

    def _flow(self, members: Index, S: Array, w: Array) -> ClusterFlow:
        """Flows among the members of one node, the ground's if its covariate is among them."""
        if self.ground is None or members[-1] < self.d - 1:
            return ClusterFlow(members, S, w)
        return GroundFlow(members, S, w, self.sparsity)

    def loosen(self) -> bool:
        """Make nodes of the ground's members that may soon leave it; whether there are any."""
        if self.ground is None or self.ground not in self.flows:
            return False
        flow = self.flows[self.ground]
        assert isinstance(flow, GroundFlow)
        parts = flow.restless_parts()
        if parts.any():
            self.refine({self.ground: parts})
        return bool(parts.any())

    def refine(self, apart: dict[int, Index]) -> None:
        """Take nodes apart; for each of them, the part that every member goes to."""
        old, old_m, A = self.pairs, self.m, self.A
        fresh, top = self.labels.copy(), self.m
        for k, parts in apart.items():
            fresh[self.flows[k].members] = top + parts
            top += int(parts.max()) + 1
        labels = canonical_labels(fresh)
        m = int(labels.max()) + 1
        parent = np.empty(m, dtype=np.int64)
        parent[labels] = self.labels
        heads, tails, U = self._inherited(parent, old)
        flows: dict[int, ClusterFlow] = {}
        found = [(heads, tails, U)]
        for k, flow in self.flows.items():
            mine = labels[flow.members]
            if k not in apart:
                flows[int(mine[0])] = flow
                continue
            found.append(self._released(flow, mine, m))
            w = flow.formed()
            for node in np.unique(mine):
                inside = np.flatnonzero(mine == node)
                if len(inside) > 1:
                    S = np.ascontiguousarray(flow.S[np.ix_(inside, inside)])
                    part = np.ascontiguousarray(w[np.ix_(inside, np.arange(self.q), inside)])
                    flows[int(node)] = self._flow(flow.members[inside], S, part)
        heads, tails, U = (np.concatenate(parts) for parts in zip(*found, strict=True))
        near = heads, tails, U
        self._replace(labels, np.concatenate([A[:, parent], A[:, old_m:]], axis=1), near)
        self.flows = flows

    def _inherited(self, parent: Index, old: Pairs) -> tuple[Index, Index, Array]:
        """Near pairs of the parents, for every pair of their children with positive weight."""
        order = np.argsort(parent, kind="stable")
        starts = np.searchsorted(parent[order], np.arange(old.m + 1))
        count = np.diff(starts)
        a, b = count[old.heads], count[old.tails]
        edge = np.repeat(np.arange(len(old.heads)), a * b)
        within = np.arange(len(edge)) - np.repeat(np.cumsum(a * b) - a * b, a * b)
        heads = order[starts[old.heads[edge]] + within // b[edge]]
        tails = order[starts[old.tails[edge]] + within % b[edge]]
        return oriented(heads, tails, old.U[edge])

    def _released(self, flow: ClusterFlow, nodes: Index, m: int) -> tuple[Index, Index, Array]:
        """Inner flows of a cluster between members that are now in different nodes, pooled."""
        heads, tails, weights, w = flow.pairs()
        apart = nodes[heads] != nodes[tails]
        heads, tails, u = oriented(
            nodes[heads[apart]], nodes[tails[apart]], w[apart] / self.pairs.nu
        )
        key, inverse = np.unique(heads * m + tails, return_inverse=True)
        total = np.bincount(inverse, weights[apart], len(key))
        mean = (sums_by(inverse, u.T * weights[apart], len(key)) / total).T
        mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1.0)
        return key // m, key % m, mean
