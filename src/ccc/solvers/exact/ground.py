r"""Column sparsity as fusion with the ground: one more node, pinned at zero.

.. math:: \gamma \sum_i \lVert b_i \rVert = \gamma \sum_i \lVert b_i - b_0 \rVert ,
          \qquad b_0 = 0 ,

so a covariate is irrelevant iff it is fused with the ground. The ground stands last among the
covariates, with a column of zeros in X and no similarities. Its pairs are pairs like all others but
for two things: their weight :math:`\gamma n_k` does not grow with ν, and no force moves the ground
(:class:`GroundedPairs`). Covariates that have been merged with it take no part in the loss. What
proves that they may stay are flows that leave to each of them a force no larger than γ, which the
ground takes up (:class:`GroundFlow`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ccc.solvers.exact.flows import ClusterFlow
from ccc.solvers.exact.pairs import Pairs

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["GroundFlow", "GroundedPairs", "beyond", "huber"]

NOTHING = 1e-100  # stands for ν = 0, of which γ is no multiple; no sum notices it
AIM = 0.98  # share of γ that balancing leaves to a member, so that it need not be redone at once
PASSES = 12
LEAK = 1e-3  # conductance of the ground relative to the similarities, for members apart from all


def beyond(R: Array, gamma: float) -> Array:
    r"""What of each column is beyond the ball of radius γ: :math:`R_i (1 - \gamma / \lVert R_i
    \rVert)_+`."""
    norms = np.sqrt((R**2).sum(axis=0))
    share = 1 - np.divide(gamma, norms, out=np.ones_like(norms), where=norms > gamma)
    return np.asarray(R * share)


def huber(A: Array, caps: Array, delta: float) -> tuple[float, Array]:
    r"""Value and gradient of :math:`\sum_k c_k \lVert a_k \rVert`, rounded off below δ."""
    norms = np.sqrt((A**2).sum(axis=0))
    inside = np.minimum(norms, delta)
    value = float(caps @ (inside**2 / (2 * delta) + norms - inside))
    return value, A * (caps / np.maximum(norms, delta))


class GroundedPairs(Pairs):
    r"""Pairs of nodes of which one is the ground, with weights :math:`W_{k0} + \gamma n_k / \nu`.

    Parameters
    ----------
    W : (m, m) array
        Sums of similarities, those to the ground's members included.
    q : int
    pull : (m,) array
        :math:`\gamma n_k`.
    ground : int
        Which node it is.
    """

    def __init__(self, W: Array, q: int, pull: Array, ground: int) -> None:
        self.similarities, self.ground = W, ground
        self.pull = pull.copy()
        self.pull[ground] = 0.0
        super().__init__(W, q)
        self._weigh(0.0)

    def _weigh(self, nu: float) -> None:
        self.nu = max(nu, NOTHING)
        row = self.similarities[self.ground] + self.pull / self.nu
        self.W = self.similarities.copy()
        self.W[self.ground] = self.W[:, self.ground] = row
        self.reset(self.heads, self.tails, self.U)

    def rescale(self, nu: float) -> None:
        """Move to another ν: multipliers inside their ball keep their absolute flow."""
        old = self.caps
        self._weigh(nu)
        inside = (self.U**2).sum(axis=1) < 1 - 1e-6
        self.U[inside] *= np.minimum(old / self.caps, 1.0)[inside, None]

    def inherit(self, old: Pairs) -> None:
        super().inherit(old)
        self._weigh(old.nu)

    def fusion(self, A: Array) -> float:
        return Pairs(self.similarities, self.q).fusion(A)

    def value_gradient(self, A: Array, gradient: Array) -> tuple[float, float, float, int]:
        out = super().value_gradient(A, gradient)
        gradient[:, self.ground] = 0.0
        return out

    def dual_forces(self, A: Array, gradient: Array) -> tuple[float, float]:
        out = super().dual_forces(A, gradient)
        gradient[:, self.ground] = 0.0
        return out

    def product(self, V: Array, out: Array) -> None:
        super().product(V, out)
        out[:, self.ground] = 0.0

    def hessian(self, H: Array, stride: int) -> None:
        super().hessian(H, stride)
        rows = np.arange(self.q) * stride + self.ground
        H[rows] = 0.0
        H[:, rows] = 0.0

    def laplacian(self, L: Array) -> None:
        super().laplacian(L)
        L[self.ground] = 0.0
        L[:, self.ground] = 0.0

    def pulls(self, A: Array) -> tuple[Array, float]:
        r"""Forces :math:`\gamma n_k \bar u_{k0}` of the ground (q, m), and their slack."""
        forces = -self.pull * self.multipliers(A, self.ground)
        a = A[:, : self.m]
        norms = np.sqrt((a**2).sum(axis=0))
        return forces, float(self.pull @ norms - np.vdot(forces, a))


class GroundFlow(ClusterFlow):
    r"""Flows among the covariates that are merged with the ground, itself one of the members.

    They balance iff :math:`\lVert R_i \rVert \le \gamma` at every member.
    """

    def __init__(self, members: Index, S: Array, w: Array, gamma: float) -> None:
        super().__init__(members, S, w)
        self.gamma, self.nu = gamma, 0.0
        self.R = self.excess = np.zeros_like(self.p)
        self.others = np.delete(np.arange(len(members)), np.argmax(members))

    def make_definite(self, L: Array) -> None:
        """Members that nothing joins to others have only the ground to turn to."""
        L[np.diag_indices(len(L))] += LEAK * (self.degree.mean() or 1.0)

    def balance(self, r: Array, nu: float, budget: float) -> tuple[Array, bool]:
        r"""R after the best effort, and whether :math:`\sum (\lVert R_i \rVert - \gamma)_+^2` is
        at most ``budget``.

        Projections in turn: onto the balls of radius γ, and onto what flows can attain.
        """
        R = self.forces(r)
        for _ in range(PASSES):
            if np.sum(beyond(R, self.gamma) ** 2) <= 0.01 * budget:
                break
            self.shift(beyond(R, AIM * self.gamma))
            self.clip(nu)
            R = self.forces(r)
        self.R, self.excess, self.nu = R, beyond(R, self.gamma), nu
        return R, bool(np.sum(self.excess**2) <= budget)

    def parts(self) -> Index:
        """After a failed balance: members that too large a force acts on go their own way."""
        worth = (self.excess**2).sum(axis=0)
        leaves = worth > 0.1 * worth.mean()
        return np.asarray(np.cumsum(leaves) * leaves)

    def pairs(self) -> tuple[Index, Index, Array, Array]:
        """As of any cluster, and the pairs of its members with the ground."""
        heads, tails, weights, w = super().pairs()
        count, ground = len(self.others), int(np.argmax(self.members))
        R = self.R[:, self.others]
        taken = -self.nu * R / np.maximum(np.sqrt((R**2).sum(axis=0)), self.gamma)
        return (
            np.concatenate([heads, self.others]),
            np.concatenate([tails, np.full(count, ground)]),
            np.concatenate([weights, np.full(count, self.gamma / self.nu)]),
            np.vstack([w, taken.T]),
        )
