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
WEAK = 0.1  # share of γ below which flows are too weak to keep a member
LEAK = 1e-3  # conductance of the ground relative to the similarities, for members apart from all


def beyond(R: Array, gamma: float) -> Array:
    r"""What of each column is beyond the ball of radius γ: :math:`R_i (1 - \gamma / \lVert R_i
    \rVert)_+`."""
    norms = np.sqrt((R**2).sum(axis=0))
    share = 1 - np.divide(gamma, norms, out=np.ones_like(norms), where=norms > gamma)
    return np.asarray(R * share)


def restless(force: Array, margin: Array, gamma: float) -> NDArray[np.bool_]:
    """Whether a member's ``force`` on the ground is so large that it may soon leave.

    That is, within ``margin`` of γ, which is what flows from others could make up for. Where they
    are strong they keep the forces apart from γ, and nothing is said.
    """
    return (margin < WEAK * gamma) & (force + margin >= gamma)


def singled_out(leaves: NDArray[np.bool_]) -> Index:
    """Parts of a cluster: those that leave are one each, the others stay together as part 0."""
    return np.where(leaves, np.cumsum(leaves), 0)


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
    gamma : float
    sizes : (m,) array
        Covariates n_k of each node.
    ground : int
        Which node it is.
    """

    kinks = True  # γ beside small ν

    def __init__(self, W: Array, q: int, gamma: float, sizes: Array, ground: int) -> None:
        self.similarities, self.ground = W, ground
        self.gamma, self.pull = gamma, gamma * sizes
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

    def resting(self, A: Array, kappa: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """As of all pairs; two nodes at rest at the ground are fused, whatever they exchange."""
        rest, decided = super().resting(A, kappa)
        zero = np.arange(self.m) == self.ground
        at_ground = rest & ((self.heads == self.ground) | (self.tails == self.ground))
        zero[self.heads[at_ground]] = zero[self.tails[at_ground]] = True
        both = zero[self.heads] & zero[self.tails]
        return rest | both, decided | both

    def restless(self) -> NDArray[np.bool_]:
        """(m,) which nodes that rest at the ground had better not be merged with it."""
        sizes = self.pull / self.gamma
        rest = np.zeros(self.m)
        for one, other in ((self.heads, self.tails), (self.tails, self.heads)):
            mine = other == self.ground
            rest[one[mine]] = self.gamma * np.sqrt((self.U[mine] ** 2).sum(axis=1))
        margin = self.nu * self.similarities[self.ground] / np.maximum(sizes, 1.0)
        return restless(rest, 2 * margin, self.gamma)


class GroundFlow(ClusterFlow):
    r"""Flows among the covariates that are merged with the ground, itself the last of the members.

    They balance iff :math:`\lVert R_i \rVert \le \gamma` at every member.
    """

    def __init__(self, members: Index, S: Array, w: Array, gamma: float) -> None:
        super().__init__(members, S, w)
        self.gamma, self.nu = gamma, 0.0
        self.R = self.excess = np.zeros_like(self.p)

    def make_definite(self, L: Array) -> None:
        """Members that nothing joins to others have only the ground to turn to."""
        L[np.diag_indices(len(L))] += LEAK * (self.degree.mean() or 1.0)

    def imbalance(self, r: Array) -> tuple[Array, Array]:
        """R, and what of it is more than the ground takes up."""
        R = self.forces(r)
        self.R, self.excess = R, beyond(R, self.gamma)
        return R, self.excess

    def balance(self, r: Array, nu: float, budget: float) -> tuple[Array, bool]:
        r"""R after the best effort, and whether :math:`\sum (\lVert R_i \rVert - \gamma)_+^2` is
        at most ``budget``.

        Projections in turn, onto the balls of radius γ and onto what flows can attain.
        """
        self.nu = nu
        for _ in range(PASSES):
            R, excess = self.imbalance(r)
            if np.vdot(excess, excess) <= budget:
                return R, True
            self.shift(beyond(R, AIM * self.gamma))
            self.clip(nu)
        self.imbalance(r)
        return self.balance_by_newton(r, nu, budget)

    def network(self, nu: float) -> Pairs:
        n = len(self.members)
        pairs = GroundedPairs(self.S, len(self.p), self.gamma, np.ones(n), n - 1)
        pairs.rescale(nu)
        return pairs

    def stiffness(self, nu: float) -> float:
        return super().stiffness(nu) + self.gamma

    def load(self, r: Array) -> Array:
        return r

    def parts(self) -> Index:
        """As of any cluster; if there is no clean cut, members with too large a force leave."""
        parts = super().parts()
        if parts.max() < len(parts) - 1:
            return parts
        worth = (self.excess**2).sum(axis=0)
        return singled_out(worth > 0.1 * worth.mean())

    def restless_parts(self) -> Index:
        """Before the next ν: members that had better be nodes of their own again."""
        forces = np.sqrt((self.R**2).sum(axis=0))
        return singled_out(restless(forces, self.nu * self.degree, self.gamma))

    def pairs(self) -> tuple[Index, Index, Array, Array]:
        """As of any cluster, and the pairs of its members with the ground."""
        heads, tails, weights, w = super().pairs()
        last = len(self.members) - 1
        R = self.R[:, :last]
        taken = -self.nu * R / np.maximum(np.sqrt((R**2).sum(axis=0)), self.gamma)
        return (
            np.concatenate([heads, np.arange(last)]),
            np.concatenate([tails, np.full(last, last)]),
            np.concatenate([weights, np.full(last, self.gamma / self.nu)]),
            np.vstack([w, taken.T]),
        )
