r"""The fusion penalty of the reduced problem, split into far and near pairs.

With :math:`v = a_i - a_j` and cap :math:`\nu W_{ij}`,

* a **far** pair carries :math:`\nu W \lVert v \rVert` itself, which is smooth away from v = 0; its
  dual is the unit vector v/||v||, so it has neither a multiplier nor slack;
* a **near** pair carries the augmented-Lagrangian envelope with multiplier :math:`\bar u` in the
  unit ball and smoothing length δ, one length for all pairs whatever their weight:
  :math:`\max_{\lVert u \rVert \le 1} \nu W (\langle u, v \rangle - \tfrac{\delta}{2} \lVert u -
  \bar u \rVert^2)`. Its gradient is :math:`\nu W u` for a feasible u, hence a dual point.

A far pair that comes closer than ``radius`` becomes near with :math:`\bar u = v / \lVert v
\rVert`, which changes neither value nor gradient. A near pair that has left again becomes far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ccc.graph import components
from ccc.solvers.exact import kernels

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["Pairs"]

# A smoothing length beside which v / δ is lost in any multiplier. Infinity is not for kernels with
# fastmath: what they do with it is undefined.
ENDLESS = 1e100
GRAM_WIDTH = 6  # dimensions from which the far Hessian is applied through matrix products


class Pairs:
    """All pairs of nodes with positive weight ``W`` (m, m); multipliers of the near ones."""

    kinks = False  # whether weights differ so much that line searches meet sharp kinks

    def __init__(self, W: Array, q: int) -> None:
        self.W, self.q = W, q
        self.m = len(W)
        self.nu, self.delta, self.radius, self.tie = 0.0, 1.0, 0.0, 0.0
        self.reset(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, q)))

    def reset(self, heads: Index, tails: Index, U: Array) -> None:
        """Make exactly these pairs (heads < tails) near, with multipliers ``U``.

        Pairs without weight carry no force; parts of a split node need not be joined to all that
        the node was joined to.
        """
        joined = self.W[heads, tails] > 0
        if not joined.all():
            heads, tails, U = heads[joined], tails[joined], U[joined]
        self.heads, self.tails, self.U = heads, tails, np.ascontiguousarray(U)
        self.far = self.W.copy() if len(heads) else self.W
        self.far[heads, tails] = 0.0
        self.weights = self.W[heads, tails]
        self.forget()

    def forget(self) -> None:
        """Multipliers or weights changed: the curvature must be computed anew."""
        self._curvature: tuple[Array, Array] | None = None
        self._far_weights: tuple[Array, Array, Array] | None = None

    def inherit(self, old: Pairs) -> None:
        """Take over ν and the lengths of the pairs of another partition."""
        self.nu, self.tie = old.nu, old.tie
        self.delta, self.radius = old.delta, old.radius

    @property
    def caps(self) -> Array:
        return self.nu * self.weights

    def value_gradient(self, A: Array, gradient: Array) -> tuple[float, float, float, int]:
        """Add the gradient; return model, penalty, slack, and the count of new near pairs."""
        far, close = kernels.far_value_gradient(A, self.far, self.nu, self.radius, gradient)
        if not len(self.heads):
            return far, far, 0.0, close
        near, penalty, slack = kernels.near_value_gradient(
            A, self.heads, self.tails, self.caps, self.U, self.delta, gradient
        )
        return far + near, far + penalty, max(slack, 0.0), close

    def dual_forces(self, A: Array, gradient: Array) -> tuple[float, float]:
        """Add the forces of the dual point (multipliers, unit vectors); penalty and slack."""
        far, _ = kernels.far_value_gradient(A, self.far, self.nu, 0.0, gradient)
        _, penalty, slack = kernels.near_value_gradient(
            A, self.heads, self.tails, self.caps, self.U, ENDLESS, gradient
        )
        return far + penalty, max(slack, 0.0)

    def fusion(self, A: Array) -> float:
        r"""The fusion penalty per unit of ν, :math:`\sum W_{ij} \lVert v \rVert`."""
        return float(kernels.far_value_gradient(A, self.W, 1.0, 0.0, np.zeros_like(A))[0])

    def linearise(self, A: Array) -> None:
        """Fix the point at which :meth:`product`, :meth:`hessian` and :meth:`laplacian` work."""
        self.forget()
        self.A = A
        weights, unit = np.empty(len(self.heads)), np.empty_like(self.U)
        kernels.near_curvature(
            A, self.heads, self.tails, self.caps, self.U, self.delta, weights, unit
        )
        self._curvature = weights, unit

    def product(self, V: Array, out: Array) -> None:
        assert self._curvature is not None
        # For q = 1 the far penalty is linear along the line it acts on: no curvature.
        if self.q >= GRAM_WIDTH:
            self._far_product(V, out)
        elif self.q > 1:
            kernels.far_hessian_product(self.A, self.far, self.nu, V, out)
        kernels.near_hessian_product(self.heads, self.tails, *self._curvature, V, out)

    def _far_product(self, V: Array, out: Array) -> None:
        r"""The far Hessian times V through matrix products.

        With :math:`b = \nu W / \lVert v \rVert` and :math:`s = b \langle v, V_i - V_j \rangle /
        \lVert v \rVert^2`, two Laplacians: :math:`\sum_j b_{ij} (V_i - V_j) - \sum_j s_{ij} (a_i -
        a_j)`. The inner products come from :math:`A^T V`; what cancels in them is far below what
        conjugate gradients feel.
        """
        m = self.m
        if self._far_weights is None:
            first, third = np.empty((m, m)), np.empty((m, m))
            kernels.far_curvature(self.A, self.far, self.nu, first, third)
            self._far_weights = first, third, first.sum(axis=0)
        first, third, degrees = self._far_weights
        A, V = self.A[:, :m], V[:, :m]
        aligned = np.empty((m, m))
        kernels.far_alignment(A.T @ V, third, aligned)
        out[:, :m] += V * degrees - V @ first - A * aligned.sum(axis=0) + A @ aligned

    def hessian(self, H: Array, stride: int) -> None:
        assert self._curvature is not None
        if self.q > 1:
            kernels.far_hessian(self.A, self.far, self.nu, H, stride)
        kernels.near_hessian(self.heads, self.tails, *self._curvature, H, stride)
        kernels.mirror_blocks(H, self.q, stride, self.m)

    def laplacian(self, L: Array) -> None:
        assert self._curvature is not None
        if self.q > 1:
            kernels.far_laplacian(self.A, self.far, self.nu, L)
        kernels.near_laplacian(self.heads, self.tails, *self._curvature, L)

    def dual_step(self, A: Array) -> None:
        """The multiplier step of the augmented Lagrangian for the near pairs."""
        kernels.near_dual_step(A, self.heads, self.tails, self.U, self.delta)
        self.forget()

    def admit(self, A: Array, count: int) -> None:
        """Make the ``count`` far pairs within ``radius`` near, with aligned multipliers."""
        self._admit(A, *kernels.close_pairs(A, self.far, self.radius, count))

    def admit_tied(self, A: Array) -> None:
        """Make the far pairs near that are no further apart than ``tie``."""
        _, close = kernels.far_value_gradient(A, self.far, 0.0, self.tie, np.zeros_like(A))
        if close:
            self._admit(A, *kernels.close_pairs(A, self.far, self.tie, close))

    def admit_crossing(self, A: Array, B: Array) -> int:
        """Make the far pairs near that meet or cross on the way from ``A`` to ``B``."""
        heads, tails = kernels.crossing_pairs(A, B, self.far)
        if len(heads):
            self._admit(A, heads, tails)
        return len(heads)

    def _admit(self, A: Array, heads: Index, tails: Index) -> None:
        self.reset(
            np.concatenate([self.heads, heads]),
            np.concatenate([self.tails, tails]),
            np.vstack([self.U, self.directions(A, heads, tails)]),
        )

    @staticmethod
    def directions(A: Array, heads: Index, tails: Index) -> Array:
        """(n_pairs, q) unit vectors of a_i - a_j, zero where the two coincide."""
        v = (A[:, heads] - A[:, tails]).T
        norms = np.linalg.norm(v, axis=1, keepdims=True)
        return np.divide(v, norms, out=np.zeros_like(v), where=norms > 0)

    def release(self, A: Array) -> None:
        """Make near pairs that are saturated and beyond twice the radius far."""
        if not len(self.heads):
            return
        v2 = ((A[:, self.heads] - A[:, self.tails]) ** 2).sum(axis=0)
        stay = (v2 <= 4 * self.radius**2) | ((self.U**2).sum(axis=1) < 1 - 1e-9)
        if not stay.all():
            self.reset(self.heads[stay], self.tails[stay], self.U[stay])

    def rescale(self, nu: float) -> None:
        """Move to another ν: multipliers inside their ball keep their absolute flow."""
        if self.nu > 0 and len(self.heads):
            inside = (self.U**2).sum(axis=1) < 1 - 1e-6
            self.U[inside] *= min(self.nu / nu, 1.0)
        self.nu = nu
        self.forget()

    def resting(self, A: Array, kappa: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        r"""Per near pair: is it at rest inside its ball, and is it decided either way?

        At rest iff :math:`\lVert v \rVert / \delta < \kappa (1 - \lVert \bar u \rVert)`: the left
        side is the last movement of the multiplier, so it would need more than 1/κ further steps to
        leave. Where the dual is not unique a multiplier may come to rest on the sphere; then a
        distance below ``tie`` tells. Decided also if saturated and aligned with v.
        """
        v = A[:, self.heads] - A[:, self.tails]
        distance = np.sqrt((v**2).sum(axis=0))
        room = 1 - np.sqrt((self.U**2).sum(axis=1))
        rest = (distance < kappa * self.delta * room) | (distance < self.tie)
        along = (self.U.T * v).sum(axis=0)
        return rest, rest | ((room < 1e-9) & (along > (1 - 1e-6) * distance))

    def fused(self, A: Array, kappa: float) -> Index:
        """Partition of the nodes by the near pairs that are at rest."""
        if not len(self.heads):
            return np.arange(self.m)
        rest, _ = self.resting(A, kappa)
        return components(self.m, self.heads[rest], self.tails[rest])

    def multipliers(self, A: Array, node: int) -> Array:
        """(q, m) array: the duals of all pairs of ``node``, multipliers or unit vectors."""
        v = A[:, node, None] - A[:, : self.m]
        norms = np.sqrt((v**2).sum(axis=0))
        U = np.divide(v, norms, out=np.zeros_like(v), where=norms > 0)
        mine = self.heads == node
        U[:, self.tails[mine]] = self.U[mine].T
        mine = self.tails == node
        U[:, self.heads[mine]] = -self.U[mine].T
        return U
