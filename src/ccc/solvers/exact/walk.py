r"""The walk along ascending ν: predict, solve, fuse, certify, and split what cannot be certified.

The state is a partition of the covariates into working nodes (:class:`Nodes`). Nodes that are fused
at the optimum but not merged are near pairs with resting multipliers; a merged cluster keeps its
inner flows. Whatever the heuristics did on the way, every ν ends with a point whose columns are
equal within the reported clusters and with a dual-feasible point of the original graph, hence a
gap.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.duality import column_gap
from ccc.graph import Graph, canonical_labels, components, graph_of
from ccc.solvers.exact.alm import LOOSE, Outcome, minimise
from ccc.solvers.exact.ground import GroundedPairs
from ccc.solvers.exact.losses import Point
from ccc.solvers.exact.nodes import Nodes
from ccc.solvers.exact.scalar import ProximalNewton
from ccc.solvers.exact.start import begin

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["Solution", "Walk"]

ROUNDS = 15  # solves at one ν before the best point is returned as it is
GUESSES = 4  # rounds at one ν that may merge what only looks fused
KAPPA = 0.02  # see Pairs.fused
RADIUS = 2e-3  # distance, relative to the coefficients, below which a pair is near
TIE = 1e-9  # distance, relative to the coefficients, that counts as none
MOVE = 0.5  # smoothing length relative to the predicted movement of the coefficients
HISTORY = 6  # solutions on one partition through which the next is extrapolated
LAZY = 0.95  # merge only if it leaves fewer than this share of the nodes ...
SMALL = 60  # ... or if there are at most so many
PATIENCE = 4  # see Walk._merge
CALM = 10
EARLY, LARGE = 2, 30  # clusters that large wait only so many ν
WARM_UP = 2.0  # ratio of the ν that lead up to a grid that starts high


@dataclass(frozen=True)
class Solution:
    """What the walk found at one ν.

    Attributes
    ----------
    A : (q, n_clusters) array
        One column per cluster.
    intercepts : (q, k) array
    labels : (d,) array
    primal, gap, slack : float
        Absolute, on the original graph.
    irrelevant : (d,) array
        Whether a covariate is fused with the ground.
    flows : (n_edges, q) array or None
    """

    nu: float
    A: Array
    intercepts: Array
    labels: Index
    primal: float
    gap: float
    slack: float
    imbalance: float
    newton_steps: int
    working_nodes: int
    rounds: int
    irrelevant: NDArray[np.bool_]
    flows: Array | None


@dataclass
class Check:
    """Result of :meth:`Walk.certify` for the averaged coefficients ``A`` of the working nodes."""

    A: Array
    primal: float
    gap: float
    slack: float
    imbalance: float
    failed: list[int]


class Walk:
    """Solutions of ``loss + ridge ||A||^2 + nu sum S_ij ||a_i - a_j||`` for ascending ν.

    With ``sparsity`` γ > 0 also ``+ gamma sum ||a_i||``; the last covariate is then the ground
    (:mod:`ground`): zero in the loss, without similarities, and not among the results.

    Parameters
    ----------
    loss : a loss of :mod:`ccc.solvers.exact.losses`
    S : (d, d) array
    ridge : float
    target : float
        Relative gap at which a solution is accepted.
    sparsity : float
    """

    def __init__(
        self, loss: Any, S: Array, ridge: float, target: float, sparsity: float = 0.0
    ) -> None:
        self.ridge, self.target, self.sparsity = ridge, target, sparsity
        A = np.zeros((loss.q, loss.m + loss.intercepts))
        self.nodes = Nodes(loss, S, ridge, A, sparsity)
        self.history: list[tuple[float, Array]] = []
        self.d = loss.m - bool(sparsity)
        self.components = graph_of(S).components()[: self.d]
        self.n_components = int(self.components.max()) + 1
        self.last: Solution | None = None
        scalar = loss.q == 1 and loss.intercepts == 1
        self.scalar = ProximalNewton(loss, ridge) if scalar else None
        self.reported: list[Index] = []
        self.patience, self.calm = 1, 0

    # -- start ------------------------------------------------------------------------------------

    def start(
        self,
        nu: float,
        graph: Graph | None = None,
        report: Callable[[float, int], None] = lambda nu, n_clusters: None,
    ) -> None:
        """Solve without penalty, then walk up, coarsely, to where the grid begins at ``nu``.

        ``report`` is told each ν on the way and its number of clusters.
        """
        nodes = self.nodes
        value = begin(nodes)
        penalty = nodes.pairs.fusion(nodes.A)
        reach = 1e-3 * max(value, nodes.loss.floor) / penalty if penalty > 0 else np.inf
        if nu > reach:
            target, self.target = self.target, max(self.target, 1e-6)
            for exponent in range(int(np.ceil(np.log(nu / reach) / np.log(WARM_UP))), 0, -1):
                solution = self.step(nu / WARM_UP**exponent, graph)
                report(solution.nu, solution.A.shape[1])
            self.target = target

    # -- one ν ------------------------------------------------------------------------------------

    def step(self, nu: float, graph: Graph | None = None) -> Solution:
        """Solve at ``nu``, not below the previous one; with ``graph``, also give its flows."""
        if self.last is not None and self._is_final():
            # One cluster per component: nothing depends on ν any more, and the flows stay feasible.
            self.last = replace(self.last, nu=nu, newton_steps=0, rounds=0)
            return self.last
        nodes = self.nodes
        self._prepare(nu)
        steps, kappa, target = 0, KAPPA, 0.1 * self.target
        best = np.inf
        for rounds in range(1, ROUNDS + 1):
            outcome = self._minimise(target, kappa, crowd=rounds <= GUESSES)
            nodes.A = outcome.A
            steps += outcome.newton_steps
            groups = nodes.pairs.fused(nodes.A, LOOSE if outcome.crowded else kappa)
            if outcome.crowded and int(groups.max()) + 1 < nodes.m:
                nodes.coarsen(groups)
                self.history = []
                continue
            check = self.certify(groups, outcome.point)
            if check.gap < best:
                best = check.gap
                self.last = self._solution(nu, groups, check, steps, rounds, graph)
            if check.gap <= self.target * self._size(check.primal):
                break
            if check.failed:
                nodes.refine({k: nodes.flows[k].parts() for k in check.failed})
                self.history = []
            else:
                target *= 0.1
                kappa *= 0.2
        else:
            # The nodes may have changed since the last look at who is fused with whom.
            groups = np.arange(nodes.m)
            if best == np.inf:
                # No round came to a certificate: the last solution is that of another ν.
                check = self._last_resort(groups)
                self.last = self._solution(nu, groups, check, steps, rounds, graph)
        self.history = [*self.history, (nu, nodes.A.copy())][-HISTORY:]
        self._merge(groups, rounds > 1)
        if nodes.loosen():
            self.history = []
        assert self.last is not None
        return self.last

    def _last_resort(self, groups: Index) -> Check:
        """The certificate of the nodes as they are; a gap that is not a number proves nothing."""
        check = self.certify(groups, self.nodes.loss.evaluate(self.nodes.A))
        return replace(check, gap=np.inf) if np.isnan(check.gap) else check

    def _minimise(self, target: float, kappa: float, crowd: bool) -> Outcome:
        """Solve the reduced problem: two classes have a solver of their own.

        It counts on a good start; where it fails, the general one takes over.
        """
        nodes = self.nodes
        if self.scalar is not None:
            outcome = self.scalar.minimise(nodes, target)
            if outcome.crowded or outcome.gap <= target * outcome.primal:
                return outcome
            nodes.A = outcome.A
        return minimise(nodes.newton, nodes.A, target, kappa, crowd)

    def _is_final(self) -> bool:
        last = self.last
        if last is None or last.A.shape[1] > self.n_components or last.nu == 0:
            return False
        if self.sparsity:
            # Irrelevant covariates of several components are one cluster.
            parts = np.unique(self.components * self.d + last.labels)
            if len(parts) > self.n_components:
                return False
        return last.gap <= self.target * self._size(last.primal)

    def _size(self, primal: float) -> float:
        """What a gap is relative to."""
        return max(primal, float(self.nodes.full.floor))

    def _prepare(self, nu: float) -> None:
        """Predict the coefficients and set the lengths δ and radius of the near pairs."""
        nodes, pairs = self.nodes, self.nodes.pairs
        m, old = nodes.m, nodes.A
        self.predict(nu)
        pairs.rescale(nu)
        scale = float(np.sqrt(np.sum(nodes.sizes * nodes.A[:, :m] ** 2) / nodes.d)) + 1e-12
        move = float(np.sqrt(np.mean(np.sum((nodes.A - old)[:, :m] ** 2, axis=0))))
        pairs.delta = RADIUS * scale
        if move > 0:
            pairs.delta = float(np.clip(MOVE * move, 1e-5 * scale, 0.1 * scale))
            pairs.admit_crossing(old, nodes.A)
        pairs.radius, pairs.tie = min(pairs.delta, RADIUS * scale), TIE * scale
        pairs.release(nodes.A)

    def predict(self, nu: float) -> None:
        """Extrapolate the coefficients in log ν through the last solutions on the same partition.

        Through as many of them as would have predicted the last one well from those before it, the
        fewer the better, for high orders magnify rounding; one more if that was all there were.
        """
        history = [(x, A) for x, A in self.history if x > 0]
        count = len(history)
        if len({x for x, _ in history} | {nu}) <= max(count, 2):
            return
        places = [math.log(x) for x, _ in history]
        solutions = np.stack([A.ravel() for _, A in history])
        order = 1
        if count > 2:
            weights = [lagrange(places[:-1], o, places[-1]) for o in range(2, count)]
            misses = np.array(weights) @ solutions[:-1] - solutions[-1]
            errors = np.einsum("ij,ij->i", misses, misses)
            order = 2 + int(np.argmax(errors <= 2 * errors.min()))
        order += order == count - 1
        prediction = lagrange(places, order, math.log(nu)) @ solutions
        self.nodes.A = prediction.reshape(self.nodes.A.shape)

    def _merge(self, groups: Index, split: bool) -> None:
        """Merge nodes that have been fused for ``patience`` values of ν running.

        Where coefficients cross, small clusters meet, stick and separate again; merging them at
        sight would make every ν take some apart. A split doubles the patience, a long run of ν
        without one halves it.
        """
        nodes = self.nodes
        self.calm = 0 if split else self.calm + 1
        if split:
            self.patience = min(2 * self.patience, PATIENCE)
        elif self.calm >= CALM:
            self.patience, self.calm = max(self.patience // 2, 1), 0
        self.reported = [*self.reported, groups[nodes.labels]][-PATIENCE:]
        if int(groups.max()) + 1 == nodes.m or len(self.reported) < self.patience:
            return
        stable = self._together(self.patience)
        if self.patience > EARLY:
            # A large cluster costs most while it is not merged, and seldom comes apart as a whole.
            early = self._together(EARLY)
            large = np.bincount(early, nodes.sizes)[early] >= LARGE
            stable = canonical_labels(np.where(large, early, nodes.m + stable))
        # What joined two nodes may itself have come later: a merged cluster must hang together.
        heads, tails = nodes.pairs.heads, nodes.pairs.tails
        same = stable[heads] == stable[tails]
        if isinstance(nodes.pairs, GroundedPairs):
            leaving = nodes.pairs.restless() & (stable == stable[nodes.ground])
            same &= ~(leaving[heads] | leaving[tails])
        stable = components(nodes.m, heads[same], tails[same])
        merged = int(stable.max()) + 1
        if merged < nodes.m and (nodes.m <= SMALL or merged < LAZY * nodes.m):
            nodes.coarsen(stable)
            self.history = []

    def _together(self, patience: int) -> Index:
        """Groups of nodes that have been reported together for the last ``patience`` ν."""
        nodes = self.nodes
        member = np.empty(nodes.m, dtype=np.int64)
        member[nodes.labels] = np.arange(nodes.d)
        keys = np.stack([labels[member] for labels in self.reported[-patience:]])
        return canonical_labels(np.unique(keys, axis=1, return_inverse=True)[1])

    def _solution(
        self, nu: float, groups: Index, check: Check, steps: int, rounds: int, graph: Graph | None
    ) -> Solution:
        nodes = self.nodes
        own = nodes.labels[: self.d]
        labels = canonical_labels(groups[own])
        representative = np.empty(int(labels.max()) + 1, dtype=np.int64)
        representative[labels] = own
        zero = np.zeros(self.d, dtype=bool)
        if nodes.ground is not None:
            zero = groups[own] == groups[nodes.ground]
        flows = None if graph is None else nodes.edge_flows(check.A, graph)
        if flows is not None and nu == 0:
            flows[:] = 0.0  # beside the ground, a tiny ν stands for none
        return Solution(
            nu=nu,
            A=check.A[:, representative],
            intercepts=check.A[:, nodes.m :].copy(),
            labels=labels,
            primal=check.primal,
            gap=check.gap,
            slack=check.slack,
            imbalance=check.imbalance,
            newton_steps=steps,
            working_nodes=nodes.m,
            rounds=rounds,
            irrelevant=zero,
            flows=flows,
        )

    # -- certificate ------------------------------------------------------------------------------

    def certify(self, groups: Index, point: Point) -> Check:
        r"""The gap on the original graph with the columns of each group of nodes averaged.

        ``point`` is the loss at the nodes' coefficients as they are.

        :math:`\sum_i \lVert R_i \rVert^2 / (4 \lambda) + \text{slack}`, as in :mod:`ccc.duality`.
        """
        nodes, pairs, lam = self.nodes, self.nodes.pairs, self.ridge
        m = nodes.m
        A = nodes.averaged(groups)
        if int(groups.max()) + 1 < m:
            point = nodes.loss.evaluate(A)
        point = nodes.loss.stationary(A, point)
        force = point.gradient + nodes.newton.diagonal * A
        penalty, slack = pairs.dual_forces(A, force)
        primal = point.value + lam * float(np.sum(nodes.sizes * A[:, :m] ** 2)) + penalty
        pull = np.zeros((nodes.q, m))
        if isinstance(pairs, GroundedPairs):
            # Given all flows between covariates, the best ones to the ground are known.
            pull, idle = pairs.pulls(A)
            slack = max(slack - idle, 0.0)
        single = np.flatnonzero(nodes.sizes == 1)
        residual = self._worth(force[:, single], A[:, single], pull[:, single])
        failed: list[int] = []
        if nodes.flows:
            gradient = nodes.full.node_gradient(point)
            budget = 0.5 * self.target * self._size(primal) * 4 * lam / nodes.d
            for k, flow in nodes.flows.items():
                outside = pairs.multipliers(A, k) @ nodes.links(k)
                a, own = A[:, k, None], pull[:, k, None] / nodes.sizes[k]
                r = gradient[:, flow.members] + 2 * lam * a + pairs.nu * outside + own
                enough = budget * len(flow.members)
                R, balanced = flow.balance(r, pairs.nu, enough)
                worth = self._worth(R, a, own)
                residual += worth
                if not balanced and worth > enough:
                    failed.append(k)
        imbalance = float(np.abs(force[:, m:]).max(initial=0.0))
        return Check(A, primal, residual / (4 * lam) + slack, slack, imbalance, failed)

    def _worth(self, R: Array, a: Array, pull: Array) -> float:
        """4λ times the gap of covariates with residuals R and coefficients a.

        ``pull`` is what the ground adds to R; it is replaced by the best there is.
        """
        if not self.sparsity:
            return float(np.sum(R**2))
        lam = self.ridge
        return 4 * lam * column_gap(R - 2 * lam * a - pull, a + 0 * R, lam, self.sparsity)


def lagrange(places: list[float], order: int, x: float) -> Array:
    """Weights of values at ``places`` in the polynomial through the last ``order``, at ``x``."""
    weights = np.zeros(len(places))
    last = places[-order:]
    for i, place in enumerate(last):
        factors = [(x - other) / (place - other) for other in last if other != place]
        weights[i - order] = math.prod(factors)
    return weights
