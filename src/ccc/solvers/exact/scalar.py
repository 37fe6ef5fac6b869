r"""The reduced problem for q = 1 (two classes): proximal Newton, dual coordinate descent inside.

With scalar coefficients the penalty of a far pair is linear, so all that is not smooth is which
pairs are tied. A proximal Newton step minimises :math:`g^T s + \tfrac12 s^T H s + \sum c_e |v_e(x +
s)|` exactly, through its dual: one multiplier :math:`u_e \in [-1, 1]` per near pair, far ones at
:math:`\operatorname{sign} v_e`, and

.. math:: s = -H^{-1} \bigl( g + \sum_e c_e u_e (e_i - e_j) \bigr) .

Coordinate descent on u is exact in each pair, :math:`u_e \leftarrow \operatorname{clip}(u_e + v_e /
M_{ee})`, and equalises a tied group in a few sweeps. It needs :math:`H^{-1}`, which is kept over
many ν: with an old metric the outer iteration still contracts fast, and passes over X stay few.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.linalg import lapack

from ccc.design import indicators
from ccc.solvers.exact.alm import Outcome
from ccc.solvers.exact.losses import Point
from ccc.solvers.exact.nodes import Nodes

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["ProximalNewton"]

STEPS = 30
SMALLEST = 1e-3  # a shorter step shows that the metric is of no use here
WORK = 1e9  # operations of one descent, beyond which fused nodes are better merged first
SLOW = 5  # steps at one ν after which the metric is renewed


@njit(cache=True, fastmath=True, error_model="numpy")
def descend(x, s, u, heads, tails, caps, inverse, precision, changes):  # type: ignore[no-untyped-def]
    """Coordinate descent on the multipliers ``u`` with s kept up to date.

    Ends at the ``precision`` of v, or after so many ``changes``; returns how many were left.
    """
    size = len(s)
    while changes > 0:
        largest = 0.0
        for e in range(len(u)):
            i, j = heads[e], tails[e]
            v = x[i] + s[i] - x[j] - s[j]
            curvature = caps[e] * (inverse[i, i] + inverse[j, j] - 2 * inverse[i, j])
            if curvature <= 0.0:
                continue
            new = min(max(u[e] + v / curvature, -1.0), 1.0)
            change = new - u[e]
            if change != 0.0:
                changes -= 1
                u[e] = new
                largest = max(largest, abs(change) * curvature)
                t = caps[e] * change
                for k in range(size):
                    s[k] -= t * (inverse[i, k] - inverse[j, k])
        if largest <= precision:
            break
    return changes


class ProximalNewton:
    """Keeps the metric between calls: the loss Hessian of all covariates, and the inverse."""

    def __init__(self, full: Any, ridge: float) -> None:
        self.full, self.ridge = full, ridge
        self.hessian: Array | None = None
        self.labels: Index | None = None
        self.inverse = np.empty((0, 0))
        self.renew = True

    def metric(self, nodes: Nodes, point: Point) -> Array:
        """Inverse of H for the present nodes; the loss part is that of the last renewal."""
        if self.hessian is None or self.renew:
            size = self.full.m + 1
            self.hessian = np.empty((size, size))
            self.full.hessian(point.P, self.hessian)
            self.labels, self.renew = None, False
        if self.labels is nodes.labels:
            return self.inverse
        H = self.hessian.copy()
        if nodes.m < nodes.d:
            T = indicators(np.append(nodes.labels, nodes.m), nodes.m + 1, nodes.ground)
            H = np.ascontiguousarray(T @ (T @ H).T)
        diagonal = np.einsum("ii->i", H)
        diagonal += nodes.newton.diagonal[0]
        diagonal[-1] += 1e-10 * (1 + abs(diagonal[-1]))
        L, info = lapack.dpotrf(H.T, lower=1, overwrite_a=1, clean=0)
        if info:
            raise np.linalg.LinAlgError("the metric is not positive definite")
        inverse, _ = lapack.dpotri(L, lower=1, overwrite_c=1)
        lower = np.tril(inverse)
        self.inverse = np.ascontiguousarray(lower + np.tril(lower, -1).T)
        if nodes.ground is not None:
            # Nothing moves the ground.
            self.inverse[nodes.ground] = self.inverse[:, nodes.ground] = 0.0
        self.labels = nodes.labels
        return self.inverse

    def minimise(self, nodes: Nodes, target: float) -> Outcome:
        """Solve until the gap of the reduced problem is at most ``target`` times the objective."""
        weights = nodes.newton.diagonal[0, : nodes.m] / 2
        A = nodes.A
        nodes.pairs.admit_tied(A)
        state = self._evaluate(nodes, A, weights)
        for step in range(STEPS + 1):
            point, smooth, primal, residual, slack = state
            gap = residual + slack
            if gap <= target * primal or step == STEPS:
                break
            inverse = self.metric(nodes, point)
            s, crowded = self._model_step(nodes, A, smooth, inverse)
            if not np.isfinite(s).all():
                break
            t = 1.0
            state = self._evaluate(nodes, A + s, weights)
            while state[2] > primal * (1 + 1e-13) and t > SMALLEST:
                t /= 2
                state = self._evaluate(nodes, A + t * s, weights)
            if state[2] > primal * (1 + 1e-13):
                break
            A = A + t * s
            if crowded:
                point, _, primal, residual, slack = state
                return Outcome(A, point, primal, residual + slack, step + 1, crowded=True)
            if state[3] + state[4] > 0.3 * gap and step > 1:
                self.renew = True
        self.renew = self.renew or step > SLOW
        return Outcome(A, point, primal, gap, step)

    def _evaluate(
        self, nodes: Nodes, A: Array, weights: Array
    ) -> tuple[Point, Array, float, float, float]:
        """Point, gradient of the smooth part, objective, residual and slack of the dual point."""
        point = nodes.loss.evaluate(A)
        smooth = point.gradient + nodes.newton.diagonal * A
        force = smooth.copy()
        penalty, slack = nodes.pairs.dual_forces(A, force)
        primal = point.value + float(np.sum(weights * A[:, : nodes.m] ** 2)) + penalty
        residual = float(np.sum(force[:, : nodes.m] ** 2 / weights)) / 4
        # The intercept has no ridge to turn its force into a gap; its curvature does.
        residual += float(force[0, -1] ** 2) / max(float(point.P[0] @ point.P[1]), 1e-300)
        return point, smooth, primal, residual, slack

    def _model_step(
        self, nodes: Nodes, A: Array, smooth: Array, inverse: Array
    ) -> tuple[Array, bool]:
        """The minimiser of the quadratic model with penalty; True if it was too much work."""
        pairs = nodes.pairs
        x = A[0]
        force = smooth.copy()
        pairs.dual_forces(A, force)
        s = -(inverse @ force[0])
        floor = 1e-14 * float(np.abs(x[: nodes.m]).max())
        work = WORK // len(s)
        while True:
            precision = max(1e-5 * float(np.abs(s).max()), floor)
            u, caps = pairs.U[:, 0], pairs.caps
            work = descend(x, s, u, pairs.heads, pairs.tails, caps, inverse, precision, work)
            pairs.forget()
            if work <= 0 or not pairs.admit_crossing(A, A + s):
                return s[None, :], work <= 0
