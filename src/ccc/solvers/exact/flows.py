r"""Flows inside a fused cluster: the proof that it may stay fused.

The members of a cluster share one coefficient, so inside it the dual is free: any flows
:math:`u_{ij} = S_{ij} w_{ij}` with :math:`\lVert w_{ij} \rVert \le \nu` will do that balance the
forces r_i on the members,

.. math:: R_i = r_i + \sum_j S_{ij} w_{ij} \approx 0 .

They are kept as :math:`w_{ij} = w^0_{ij} + p_i - p_j` with a potential p. The Laplacian L of S on
the cluster turns an imbalance into a potential, :math:`p \leftarrow p - L^+ (R - \bar R)`, at the
cost of a triangular solve; as long as the bound :math:`\max \lVert w^0 \rVert + 2 \max \lVert p_i
\rVert \le \nu` holds, no pair is touched at all. When it fails, the flows are formed, clipped to
their caps, and balanced again; when that stalls, Newton's method decides whether balancing flows
exist at all. If not, its saturated pairs show where the cluster comes apart.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from ccc.graph import components
from ccc.solvers.exact import kernels
from ccc.solvers.exact.alm import Model, line_search
from ccc.solvers.exact.losses import LinearLoss
from ccc.solvers.exact.newton import Newton
from ccc.solvers.exact.pairs import Pairs

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["ClusterFlow"]

PASSES = 12
NEWTON_STEPS = 25
UNCAPPED = 1e100  # no flow is larger; infinity is not for kernels with fastmath
FAINT = 1e-140  # on the diagonal of a Laplacian that similarities of 1e-320 leave singular
DOMINANT = 1e-10  # share of the diagonal, see make_dominant
DIVERGED = 1e4  # a potential that large proves that no balancing flow exists


def make_dominant(L: Array) -> None:
    """Make a Laplacian definite whose similarities are so far apart that nothing else does.

    Where it adds to them it slows the balancing of flows, which says itself whether they balance.
    """
    L[np.diag_indices(len(L))] *= 1 + DOMINANT


class ClusterFlow:
    """Flows inside one cluster of ``members``; ``w`` (N, q, N), absolute, above the diagonal."""

    def __init__(self, members: Index, S: Array, w: Array) -> None:
        self.members, self.S, self.w = members, S, w
        n, q = len(members), w.shape[1]
        self.p = np.zeros((q, n))
        self.force = np.empty((q, n))
        self.largest = kernels.absorb(S, w, self.p, UNCAPPED, self.force)
        self.degree = S.sum(axis=1)

    @cached_property
    def factor(self) -> Array:
        """Cholesky factor of the Laplacian, made definite."""
        for make_definite in (self.make_definite, make_dominant):
            L = -self.S.copy()
            L[np.diag_indices(len(L))] += self.degree + FAINT
            make_definite(L)
            factor, info = lapack.dpotrf(L, lower=1, overwrite_a=1, clean=0)
            if not info:
                return np.asarray(factor)
        raise np.linalg.LinAlgError("the Laplacian of a cluster is not positive definite")

    def make_definite(self, L: Array) -> None:
        """The Laplacian is singular along the ones vector, where R - mean(R) has no part."""
        L += self.degree.mean() / len(L)

    def forces(self, r: Array) -> Array:
        """R (q, N)."""
        return r + self.force + self.p * self.degree - self.p @ self.S

    def imbalance(self, r: Array) -> tuple[Array, Array]:
        """R, and R less its mean over the members."""
        R = self.forces(r)
        return R, R - R.sum(axis=1, keepdims=True) / len(self.degree)

    def shift(self, excess: Array) -> None:
        """Move the potential so that flows take ``excess`` away, whatever their caps are."""
        self.p -= lapack.dpotrs(self.factor, excess.T, lower=1)[0].T
        self.p -= self.p.sum(axis=1, keepdims=True) / len(self.degree)

    def clip(self, nu: float) -> None:
        """Form the flows and clip them to their caps, if the bound does not say that they are."""
        if self.largest + 2 * np.sqrt((self.p**2).sum(axis=0).max()) > nu:
            self.largest = min(kernels.absorb(self.S, self.w, self.p, nu, self.force), nu)
            self.p[:] = 0.0

    def balance(self, r: Array, nu: float, budget: float) -> tuple[Array, bool]:
        """R after the best effort, and whether ``sum ||R - mean||^2 <= budget``."""
        R, excess = self.imbalance(r)
        for _ in range(PASSES):
            if np.vdot(excess, excess) > 0.01 * budget:
                self.shift(excess)
            self.clip(nu)
            R, excess = self.imbalance(r)
            if np.vdot(excess, excess) <= budget:
                return R, True
        return self.balance_by_newton(r, nu, budget)

    def balance_by_newton(self, r: Array, nu: float, budget: float) -> tuple[Array, bool]:
        r"""Minimise :math:`\langle r, D \rangle + \sum \nu S_{ij} h(w_{ij}/\nu + d_i - d_j)`.

        Here h is Huber's function. A minimiser exists iff flows within the caps balance r; they are
        the gradients of h.
        """
        heads, tails, _, w = self.pairs()
        pairs = self.network(nu)
        pairs.reset(heads, tails, w / nu)
        # A trace of ridge keeps the Newton matrix definite along the ones vector.
        ridge = 1e-9 * self.stiffness(nu)
        newton = Newton(LinearLoss(-self.load(r)), pairs, np.ones(len(self.members)), ridge)
        model = Model(newton)
        model.at(np.zeros_like(r))
        for _ in range(NEWTON_STEPS):
            if np.vdot(model.gradient, model.gradient) <= 0.5 * budget:
                break
            if np.abs(model.A).max() > DIVERGED:
                break
            line_search(model, newton.direction(model.A, model.point, model.gradient, 1e-3))
        pairs.dual_step(model.A)
        self.w[heads, :, tails] = nu * pairs.U
        self.p[:] = 0.0
        self.largest = min(kernels.absorb(self.S, self.w, self.p, nu, self.force), nu)
        self.saturated = np.sqrt((pairs.U**2).sum(axis=1)) > 1 - 1e-7
        R, excess = self.imbalance(r)
        return R, bool(np.vdot(excess, excess) <= budget)

    def network(self, nu: float) -> Pairs:
        """The pairs of members, with caps for ν."""
        pairs = Pairs(self.S, len(self.p))
        pairs.rescale(nu)
        return pairs

    def stiffness(self, nu: float) -> float:
        """What flows can do at a member, on average."""
        return nu * float(self.degree.mean())

    def load(self, r: Array) -> Array:
        """What flows are to balance: no flow between members changes the mean."""
        return np.asarray(r - r.mean(axis=1, keepdims=True))

    def parts(self) -> Index:
        """After a failed balance: components of the pairs that are not saturated."""
        heads, tails, _, _ = self.pairs()
        loose = ~self.saturated
        parts = components(len(self.members), heads[loose], tails[loose])
        # No clean cut: let every member go its own way.
        return parts if parts.max() > 0 else np.arange(len(self.members))

    def pairs(self) -> tuple[Index, Index, Array, Array]:
        """The flows as a list: positions i < j of members with S > 0, S, and w (n_pairs, q)."""
        heads, tails = np.nonzero(np.triu(self.S, 1))
        w = self.w[heads, :, tails] + (self.p[:, heads] - self.p[:, tails]).T
        return heads, tails, self.S[heads, tails], w

    def formed(self) -> Array:
        """w (N, q, N) with the potential added."""
        return self.w + self.p.T[:, :, None] - self.p[None, :, :]
