r"""Convex clustering of connected points for ascending γ, exact and certified.

.. math:: \min_U \tfrac12 \sum_i \lVert a_i - u_i \rVert^2
          + \gamma \sum_{i<j} w_{ij} \lVert u_i - u_j \rVert

The state is a partition into *nodes*, which share one u. At each γ

1. the problem on the nodes is solved with every norm rounded off below a length δ
   (:mod:`ccc.baselines.huber`); nodes that end up within δ of each other are merged, until none
   are, and then the rounding is not felt by any pair: the reduced problem is solved exactly;
2. each node with several members must show flows within the caps :math:`\gamma w_{ij}` that balance
   the forces on its members (:class:`Cluster`). One that cannot is taken apart, and 1. is repeated
   with a smaller δ.

With flows along the differences between nodes, and the balancing ones inside,

.. math:: F(U) - D(\text{flows}) = \tfrac12 \sum_i \lVert R_i \rVert^2, \qquad
          R_i = u_i - a_i + \sum_j \text{flow}_{ij},

as in :mod:`ccc.duality`: each R_i is what is left unbalanced. Whatever happened in 1. and 2., this
bounds the distance of the reported point, equal within clusters, from the optimum.

Points are kept in coordinates of the space that they span, and nodes that are much fewer than its
dimensions in coordinates of a space that holds them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.baselines.coordinates import Coordinates
from ccc.baselines.huber import Point, SmoothedFusion
from ccc.baselines.pairs import pairs_of
from ccc.graph import canonical_labels, components

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["ConnectedPoints"]

LENGTHS = (1e-2, 1e-3)  # δ at the first solve for a γ, relative to the spread of the points
SHORTER = 0.1  # δ after a cluster had to be taken apart
SHORTEST = 1e-12  # δ is no shorter, relative to the spread: such distances are rounding errors
CLEAR = 0.3  # share of the least distance between nodes up to which δ grows again
RESOLVED = 0.03  # error of positions, relative to δ, at which it is clear who is within δ of whom
ANCHORS = 3  # solutions through which the next is extrapolated
ROUNDS = 60  # solves at one γ before the point is returned as it is
BALANCE_STEPS = 30
DEEPER = 1e-4  # share of its budget that a balance which takes work may leave
APART_STEPS = 10  # of these, how many after it is proven that no flows exist
TRACE = 1e-10  # ridge, relative to the caps, that makes potentials unique


def span(A: Array) -> Array:
    """(q, r) orthonormal basis of the space that the rows of ``A`` (m, q) span."""
    _, s, Vt = np.linalg.svd(A, full_matrices=False)
    return np.ascontiguousarray(Vt[s > 1e-13 * max(s.max(initial=0.0), 1e-300)].T)


def _ahead(known: list[tuple[float, Array]], gamma: float) -> Array:
    """The polynomial in γ through ``known`` pairs (γ, value), at ``gamma``."""
    places = [place for place, _ in known]
    value = np.zeros_like(known[0][1])
    for place, at in known:
        others = [other for other in places if other != place]
        value += math.prod((gamma - other) / (place - other) for other in others) * at
    return value


def _latest(count: int, known: list[tuple[float, Array]], gamma: float, value: Array) -> list[Any]:
    """The last ``count`` pairs with that of ``gamma``, which is not below the others, added."""
    return [*(pair for pair in known if pair[0] < gamma), (gamma, value)][-count:]


def induced(W: Any, members: Index) -> Any:
    """Weights among ``members``."""
    return W[members][:, members] if sp.issparse(W) else W[np.ix_(members, members)]


class Cluster:
    r"""Points that share one u, and the flows that let them.

    Flows are :math:`\gamma w_{ij} \varphi(p_i - p_j)`, :math:`\varphi(x) = x / \max(1, \lVert x
    \rVert)`, with potentials p: if any flows strictly within the caps balance given forces, then
    flows of this form do, for they are the gradient at a minimum of

    .. math:: \langle r, P \rangle + \sum_{i<j} \gamma w_{ij} h_1(p_i - p_j),

    and if :math:`\langle r, P \rangle + \sum \gamma w_{ij} \lVert p_i - p_j \rVert < 0` for some P
    then none do.
    """

    def __init__(self, members: Index, W: Any, P: Array) -> None:
        self.members, self.P = members, P
        self.pairs = pairs_of(induced(W, members))
        self.parts = np.zeros(len(members), dtype=np.int64)
        self.solved: list[tuple[float, Array]] = []

    def move(self, old: float, new: float) -> None:
        """From one γ to the next: γ P, which flows are proportional to, goes on on its line.

        The line is that through the last two γ at which it was solved for, lest errors add up.
        """
        self.P = _ahead(self.solved, new) / new if self.solved else self.P * (old / new)

    def balance(self, r: Array, gamma: float, budget: float) -> tuple[float, bool]:
        """Half the sum of squares of what is left of the forces ``r``; is it at most ``budget``?

        If not, ``parts`` says how the cluster comes apart.
        """
        r = r - r.mean(axis=0)
        left = self._left(SmoothedFusion(self.pairs, np.zeros(len(r)), -r, gamma, 1.0).at(self.P))
        if left <= budget:
            return left, True
        inside = Coordinates(r)
        r = inside.enter(r)
        degree = 2 * self.pairs.total(self.pairs.caps) / len(r)
        ridge = np.full(len(r), TRACE * gamma * degree)
        problem = SmoothedFusion(self.pairs, ridge, -r, gamma, 1.0)
        point = problem.at(inside.enter(self.P))
        doomed, before = 0, np.inf
        for step in range(BALANCE_STEPS + 1):
            left = self._left(point, TRACE * gamma * degree)
            # Further than needed, as far as it is quick: the next γ starts from here.
            enough = left <= DEEPER * budget or (left <= budget and left > 0.1 * before)
            if enough or step == BALANCE_STEPS:
                break
            before = left
            stretch = gamma * self.pairs.total(self.pairs.caps * point.distances)
            if float(np.vdot(r, point.X)) + stretch < -1e-9 * stretch:
                doomed += 1
                self.parts = self._parts(point.distances)
                if self.parts.max() > 0 or doomed > APART_STEPS:
                    break
            point = problem.search(point, problem.direction(point))
        self.P = inside.leave(point.X)
        self.solved = _latest(2, self.solved, gamma, gamma * self.P)
        done = left <= budget
        if not done:
            self.parts = self._parts(point.distances)
            if self.parts.max() == 0:
                self.parts = np.arange(len(r))
        return left, done

    @staticmethod
    def _left(point: Point, ridge: float = 0.0) -> float:
        return 0.5 * float(np.sum((point.gradient - ridge * point.X) ** 2))

    def _parts(self, distances: Array) -> Index:
        """What hangs together by flows below their caps."""
        return components(len(self.members), *self.pairs.listed(distances <= 1.0))


class Breaks:
    """Which clusters were taken apart at one γ, so that no split is tried over and over.

    Parts that have come together again, and have to be taken apart again, were closer than δ, which
    must be shorter; if that happens twice they were the wrong parts, and every point goes its own
    way. A part that comes apart itself is only a finer split.
    """

    def __init__(self, N: int) -> None:
        self.part = np.full(N, -1)
        self.reunited = np.zeros(N, dtype=bool)
        self.count = 0

    def needs_shorter(self, members: Index) -> bool:
        """Is this the first break of these points, or were they taken apart before?"""
        parts = self.part[members]
        return bool(parts[0] < 0 or (parts != parts[0]).any())

    def take_apart(self, cluster: Cluster) -> None:
        """Note the parts of a cluster; where its split is futile, make them single points."""
        members = cluster.members
        parts = self.part[members]
        if (parts != parts[0]).any():
            if self.reunited[members].any():
                cluster.parts = np.arange(len(members))
            self.reunited[members] = True
        self.part[members] = self.count + cluster.parts
        self.count += int(cluster.parts.max()) + 1


class ConnectedPoints:
    """Solutions for ascending γ.

    Parameters
    ----------
    points : (N, p) array
    W : (N, N) array or sparse matrix
        Weights, symmetric, without diagonal.
    target : float
        Absolute gap per point to work for.
    """

    def __init__(self, points: Array, W: Any, target: float) -> None:
        self.W, self.target = W, target
        self.N = len(points)
        centred = points - points.mean(axis=0)
        self.mean, self.axes = points.mean(axis=0), span(centred)
        self.A = centred @ self.axes
        self.spread = float(np.sqrt(np.sum(self.A**2) / self.N))
        self.clusters: dict[int, Cluster] = {}
        self.gamma = 0.0
        self.gap, self.primal, self.nearest = 0.0, 0.0, np.inf
        self.newton_steps = 0
        labels = self._equal(points)
        self._reduce(labels)
        self.U = self._means(self.A)
        for k in np.flatnonzero(self.sizes > 1):
            members = np.flatnonzero(labels == k)
            self.clusters[int(k)] = Cluster(members, W, np.zeros((len(members), self.q)))
        self.anchors = [(0.0, self.U[labels])]
        self.delta = LENGTHS[-1]
        self.moved = np.zeros(self.N)
        self.final = self.m == 1

    def _equal(self, points: Array) -> Index:
        """Equal points that hang together, as a partition."""
        same = np.unique(points, axis=0, return_inverse=True)[1].reshape(-1)
        heads, tails = self.W.nonzero()
        joined = same[heads] == same[tails]
        return components(self.N, heads[joined], tails[joined])

    @property
    def q(self) -> int:
        return int(self.A.shape[1])

    def _reduce(self, labels: Index) -> None:
        """Set up the problem on the nodes of a partition."""
        self.labels, self.m = labels, int(labels.max()) + 1
        self.sizes = np.bincount(labels, minlength=self.m).astype(np.float64)
        self.sums = sp.csr_array(
            (np.ones(self.N), (labels, np.arange(self.N))), shape=(self.m, self.N)
        )
        self.W_to = self.sums @ self.W
        W = self.sums @ self.W_to.T if self.m < self.N else self.W.copy()
        if sp.issparse(W):
            W = sp.csr_array(W)
            W.setdiag(0.0)
            W.eliminate_zeros()
        else:
            W = np.ascontiguousarray(W)
            np.fill_diagonal(W, 0.0)
        self.pairs = pairs_of(W)
        means = self._means(self.A)
        self.inside = Coordinates(means)
        self.data = self.inside.enter(means) * self.sizes[:, None]

    def _means(self, X: Array) -> Array:
        return np.asarray(self.sums @ X) / self.sizes[:, None]

    def solve(self, gamma: float) -> None:
        """Move to ``gamma``, not below the present one: sets labels, U (m, q), primal and gap."""
        if self.final:
            self.gamma = gamma
            return
        for cluster in self.clusters.values():
            cluster.move(self.gamma, gamma)
        # A node that is new goes on as its points did on average. Positions that were themselves
        # extrapolated are no anchors, lest errors add up.
        self.U = _ahead([(at, self._means(X)) for at, X in self.anchors], gamma)
        # Rounded off in two steps where there is nothing to go on from.
        delta = self.delta
        lengths = list(LENGTHS) if len(self.anchors) < 2 else [delta]
        self.gamma, before = gamma, self.newton_steps
        history = Breaks(self.N)
        for _ in range(ROUNDS):
            if self._settle([x * self.spread for x in lengths]):
                lengths = [delta]
                continue
            failed = self._certify()
            if not failed:
                break
            if any(history.needs_shorter(self.clusters[k].members) for k in failed):
                delta = max(SHORTER * delta, SHORTEST)
            lengths = [delta]
            self._refine(failed, delta * self.spread, history)
        else:
            self._certify()
        self.final = self.m == 1 and self.gap <= self.target * self.N
        # Nodes that are close and must stay apart will be so at the next γ too. Where all points
        # attract each other most of them will not, and a short δ takes many more Newton steps.
        if sp.issparse(self.W):
            clear = delta if history.count else max(delta, CLEAR * self.nearest / self.spread)
            self.delta = min(clear, LENGTHS[-1])
        if self.newton_steps > before:
            self.anchors = _latest(ANCHORS, self.anchors, gamma, self.U[self.labels])

    def positions(self) -> Array:
        """(N, p) array of the u_i, in the coordinates of the points."""
        return np.asarray((self.U @ self.axes.T + self.mean)[self.labels])

    def _settle(self, lengths: list[float]) -> bool:
        """Solve on the nodes; merge what is closer than the last length. Was anything?"""
        if self.m == 1:
            self.U = self._means(self.A)
            return False
        X = self.inside.enter(self.U)
        for delta in lengths:
            problem = SmoothedFusion(self.pairs, self.sizes, self.data, self.gamma, delta)
            point = problem.minimise(X, 0.1 * self.target * self.N)
            X = point.X
            self.newton_steps += problem.newton_steps
        point = self._resolved(problem, point)
        self.U = self.inside.leave(point.X)
        heads, tails = self.pairs.listed(point.distances <= delta)
        if not len(heads):
            return False
        self._coarsen(components(self.m, heads, tails), delta)
        return True

    def _resolved(self, problem: SmoothedFusion, point: Point) -> Point:
        """The solution so accurately that it is clear who is within δ of whom."""
        left, delta = problem.residual(point.gradient), problem.delta
        # It bounds half the squared error of all positions together.
        doubtful = np.abs(point.distances - delta) <= 2 * np.sqrt(left)
        enough = 0.5 * (RESOLVED * delta) ** 2
        ends = np.unique(self.pairs.listed(doubtful))
        if left > enough and len(ends):
            before = problem.newton_steps
            point = problem.minimise_near(point, ends, enough)
            self.newton_steps += problem.newton_steps - before
        return point

    def _coarsen(self, groups: Index, delta: float) -> None:
        """Merge nodes; their offsets, in units of δ, become potentials."""
        old, U, clusters = self.labels, self.U, self.clusters
        old_sizes = self.sizes
        self._reduce(groups[old])
        weights = sp.csr_array((old_sizes, (groups, np.arange(len(groups)))))
        self.U = np.asarray(weights @ U) / self.sizes[:, None]
        P = (U - self.U[groups])[old] / delta
        for cluster in clusters.values():
            P[cluster.members] += cluster.P
        count = np.bincount(groups)
        self.clusters = {}
        for k, cluster in clusters.items():
            if count[groups[k]] == 1:
                self.clusters[int(groups[k])] = cluster
        for g in np.flatnonzero(count > 1):
            members = np.flatnonzero(self.labels == g)
            self.clusters[int(g)] = Cluster(members, self.W, P[members])

    def _certify(self) -> list[int]:
        """Set primal and gap; the nodes whose members no flows balance."""
        gamma = self.gamma
        exact = SmoothedFusion(self.pairs, self.sizes, self.data, gamma, 1e-12 * self.spread)
        point = exact.at(self.inside.enter(self.U))
        self.gap = exact.residual(point.gradient)
        moved = self.U[self.labels] - self.A
        self.moved = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        apart = point.distances[self.pairs.caps > 0]
        self.nearest = float(apart.min(initial=np.inf))
        penalty = gamma * self.pairs.total(self.pairs.caps * point.distances)
        self.primal = 0.5 * float(np.vdot(self.moved, self.moved)) + penalty
        failed = []
        for k, cluster in self.clusters.items():
            forces = moved[cluster.members] + gamma * self._pull(k)
            left, done = cluster.balance(forces, gamma, 0.5 * self.target * len(cluster.members))
            self.gap += left
            if not done:
                failed.append(k)
        return failed

    def _pull(self, k: int) -> Array:
        r"""(members, q) forces per unit of γ on the members of node k from outside it:
        :math:`\sum_j w_{ij} (u_i - u_j) / \lVert u_i - u_j \rVert`."""
        weights = self.W_to[:, self.clusters[k].members]
        if not sp.issparse(weights):
            return np.asarray(weights.T @ self._towards(k, slice(None)))
        near = np.unique(weights.nonzero()[0])
        return np.asarray(weights[near].T @ self._towards(k, near))

    def _towards(self, k: int, nodes: Index | slice) -> Array:
        """Unit vectors of u_k - u_l for the ``nodes`` l; zero for l = k."""
        v = self.U[k] - self.U[nodes]
        norms = np.sqrt(np.einsum("ij,ij->i", v, v))[:, None]
        return np.divide(v, norms, out=np.zeros_like(v), where=norms > 0)

    def _refine(self, failed: list[int], delta: float, history: Breaks) -> None:
        """Take nodes apart; each part starts where its potentials, in units of δ, put it."""
        fresh, top = self.labels.copy(), self.m
        starts = self.U[self.labels]
        kept = {k: cluster for k, cluster in self.clusters.items() if k not in failed}
        broken = [self.clusters[k] for k in failed]
        for cluster in broken:
            history.take_apart(cluster)
            fresh[cluster.members] = top + cluster.parts
            top += int(cluster.parts.max()) + 1
        self._reduce(canonical_labels(fresh))
        clusters = {int(self.labels[c.members[0]]): c for c in kept.values()}
        for cluster in broken:
            starts[cluster.members] += delta * (cluster.P - cluster.P.mean(axis=0))
            for part in range(int(cluster.parts.max()) + 1):
                mine = cluster.parts == part
                if mine.sum() > 1:
                    members = cluster.members[mine]
                    P = cluster.P[mine] - cluster.P[mine].mean(axis=0)
                    clusters[int(self.labels[members[0]])] = Cluster(members, self.W, P)
        self.clusters = clusters
        self.U = self._means(starts)
