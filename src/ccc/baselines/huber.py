r"""Smoothed fusion: the one minimisation behind convex clustering.

.. math:: \min_X \sum_k \frac{s_k}{2} \lVert x_k \rVert^2 - \langle B, X \rangle
          + \sum_{k<l} c_{kl} \, h_\delta(x_k - x_l)

with Huber's function, :math:`h_\delta(v) = \lVert v \rVert^2 / 2\delta` for :math:`\lVert v \rVert
\le \delta` and :math:`\lVert v \rVert - \delta/2` beyond, so that the gradient of every term is a
flow within its cap c. Rows of X are points.

Groups of points whose curvature towards the others is small are minimised one after the other, the
forces between them taken as they are, until those settle. The minimum of a group of m points lies
in the space that its m rows of B span, so that few dimensions are enough for it.

Newton systems are solved by conjugate gradients. The preconditioner is one Cholesky factor of
diag(s) + L that all q dimensions share, where L is the penalty's Hessian averaged over them: the
Laplacian of :math:`c_{kl} / \max(\lVert v \rVert, \delta)`, less a q-th of it for pairs beyond δ.
With few pairs it is one factor for each group of points that strong pairs hold together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.blas import daxpy

from ccc.baselines.coordinates import Coordinates
from ccc.baselines.pairs import Pairs, SparsePairs, groups_of
from ccc.graph import components
from ccc.solvers.line_search import zero_of_slope

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["Point", "SmoothedFusion"]

CG_STEPS, CG_ACCURACY = 100, 0.05
SLOPES = (0.1, 1e-3, 1e-6)  # share of the slope that a search may leave, until it descends
ROUNDING = 1e-22  # a decrease, relative to the value, that no step can improve on
UNSEEN = 1e-16  # a residual, relative to the value, that the value does not show
WEAK = 0.01  # share of a point's own curvature that all of another group may add to it
SETTLES = 0.5  # share of the residual that a step, or going from group to group, must not leave
MOST = 0.3  # share of points up to which it pays to move them alone
AROUND = 2  # pairs from a place to the points that must be in place for it to be
LOCAL = 0.1  # share of the residual aimed at that points which move alone may leave
IMMOVABLE = 1e200  # curvature of a point that stays where it is
STRONG = 0.3  # share of the curvature of its ends from which a pair is in the preconditioner


@dataclass
class Point:
    """Value and gradient at X, with the distances of all pairs."""

    X: Array
    value: float
    gradient: Array
    distances: Array


class SmoothedFusion:
    """The problem of the module's docstring.

    Parameters
    ----------
    pairs : DensePairs or SparsePairs
        Their ``caps`` times ``scale`` are the c of the formula.
    s : (m,) array
    B : (m, q) array
    scale, delta : float
    """

    def __init__(self, pairs: Pairs, s: Array, B: Array, scale: float, delta: float) -> None:
        self.pairs, self.s, self.B, self.delta = pairs, s[:, None], B, delta
        self.scale, self.caps = scale, scale * pairs.caps
        self.cg_steps = self.newton_steps = 0

    def at(self, X: Array) -> Point:
        """Evaluate at ``X``."""
        r = np.sqrt(self.pairs.squares(X, self.delta**2))
        p = np.minimum(r, self.delta)
        penalty = self.pairs.total(self.caps * (p * r - 0.5 * p**2)) / self.delta
        value = 0.5 * self._square(X) - float(np.vdot(self.B, X)) + penalty
        gradient = self.s * X - self.B
        gradient += self.pairs.divergence(self.caps / np.maximum(r, self.delta), X)
        return Point(X, value, gradient, r)

    def residual(self, gradient: Array) -> float:
        r""":math:`\sum_k \lVert g_k \rVert^2 / 2 s_k`, what the gradient is worth as a gap."""
        return float(self._shares(gradient).sum())

    def _shares(self, gradient: Array) -> Array:
        """What each point adds to the residual."""
        return np.asarray(0.5 * np.einsum("kq,kq->k", gradient, gradient) / self.s[:, 0])

    def minimise(self, X: Array, target: float, limit: int = 50) -> Point:
        """Newton steps until the residual is at most ``target``, or as small as rounding allows.

        With few pairs, and few points that leave most of the residual, those are moved alone; so
        are groups of points that hardly feel each other.
        """
        point, settles, before = self.at(X), True, np.inf
        for _ in range(limit):
            left = self.residual(point.gradient)
            # What is left may be rounding errors of the gradient, which no step takes away.
            stalled = left > SETTLES * before and left <= UNSEEN * self.size(point.X)
            if left <= target or stalled:
                break
            before = left
            moving = self._moving(point.gradient, 0.1 * target)
            if moving is not None:
                point = self._minimise_some(point.X, moving, target)
                continue
            groups = self._groups(point) if settles else []
            if len(groups) > 1:
                point = self._minimise_groups(point, groups, target)
                settles = self.residual(point.gradient) <= SETTLES * left
                continue
            step = self.direction(point)
            if -float(np.vdot(point.gradient, step)) <= ROUNDING * self.size(point.X):
                break
            point = self.search(point, step)
            self.newton_steps += 1
        return point

    def minimise_near(self, point: Point, places: Index, target: float) -> Point:
        """Newton steps until the residual within :data:`AROUND` pairs of ``places`` is at most
        ``target``; with many pairs, everywhere.

        What is left further away is felt the less the further it is.
        """
        if not isinstance(self.pairs, SparsePairs):
            return self.minimise(point.X, target)
        near = np.zeros(self.pairs.m, dtype=bool)
        near[places] = True
        for _ in range(AROUND):
            near = self.pairs.neighbours(near)
        if np.mean(near) > MOST:
            return self.minimise(point.X, target)
        if float(self._shares(point.gradient)[near].sum()) > target:
            point = self._minimise_some(point.X, near, target)
        return point

    def _moving(self, gradient: Array, negligible: float) -> NDArray[np.bool_] | None:
        """The points with the most of the residual, and their neighbours, if those are few.

        All others together have less than ``negligible``.
        """
        if not isinstance(self.pairs, SparsePairs):
            return None
        shares = self._shares(gradient)
        order = np.argsort(shares)
        moving = np.zeros(self.pairs.m, dtype=bool)
        moving[order[np.searchsorted(np.cumsum(shares[order]), negligible) :]] = True
        moving = self.pairs.neighbours(moving)
        return moving if np.mean(moving) <= MOST else None

    def _minimise_some(self, X: Array, moving: NDArray[np.bool_], target: float) -> Point:
        """Minimise over the points of a mask; the others stay where they are."""
        assert isinstance(self.pairs, SparsePairs)
        nodes, pairs = self.pairs.touching(moving)
        s, B, free = self.s[nodes, 0], self.B[nodes], moving[nodes]
        some = HeldFusion(pairs, s, B, self.scale, self.delta, free)
        X = X.copy()
        X[nodes] = some.minimise(X[nodes], LOCAL * target).X
        self.newton_steps += some.newton_steps
        self.cg_steps += some.cg_steps
        return self.at(X)

    def size(self, X: Array) -> float:
        """What rounding errors of the value are relative to."""
        return 0.5 * self._square(X) + abs(float(np.vdot(self.B, X)))

    def _square(self, X: Array) -> float:
        r""":math:`\sum_k s_k \lVert x_k \rVert^2`."""
        return float(np.einsum("kq,kq->k", X, X) @ self.s[:, 0])

    def _groups(self, point: Point) -> list[Index]:
        """Points that feel each other, if there are many."""
        if isinstance(self.pairs, SparsePairs):
            return []
        c, _ = self._curvature(point)
        return self.pairs.groups(c, WEAK * float(self.s.min()) / self.pairs.m)

    def _minimise_groups(self, point: Point, groups: list[Index], target: float) -> Point:
        """Minimise over one group after the other, with the forces between groups as they are."""
        assert not isinstance(self.pairs, SparsePairs)
        X, shares = point.X.copy(), self._shares(point.gradient)
        single = np.array([members[0] for members in groups if len(members) == 1], dtype=np.int64)
        X[single] -= point.gradient[single] / self.s[single]
        for members in groups:
            enough = LOCAL * target * len(members) / len(X)
            if len(members) == 1 or float(shares[members].sum()) <= enough:
                continue
            pairs = self.pairs.among(members)
            s, B = self.s[members, 0], self.B[members]
            alone = SmoothedFusion(pairs, s, B, self.scale, self.delta).at(X[members])
            B = B + alone.gradient - point.gradient[members]
            # The minimum solves (diag(s) + a Laplacian) X = B.
            inside = Coordinates(B)
            group = SmoothedFusion(pairs, s, inside.enter(B), self.scale, self.delta)
            X[members] = inside.leave(group.minimise(inside.enter(X[members]), enough).X)
            self.newton_steps += group.newton_steps
            self.cg_steps += group.cg_steps
        self.newton_steps += 1
        return self.at(X)

    def direction(self, point: Point) -> Array:
        """Solve H x = -gradient, roughly."""
        return self._solve(point, self.s)

    def _curvature(self, point: Point) -> tuple[Array, Array]:
        """c over the distance, and for pairs beyond δ that over its square, else 0."""
        longer = np.maximum(point.distances, self.delta)
        c = self.caps / longer
        return c, np.where(point.distances > self.delta, c / longer**2, 0.0)

    def _solve(self, point: Point, s: Array) -> Array:
        """Conjugate gradients on the Newton system, with ``s`` (m, 1) in place of its own."""
        X, (c, radial) = point.X, self._curvature(point)
        precondition = _preconditioner(
            self.pairs, s[:, 0], np.where(radial > 0, c * (1 - 1 / X.shape[1]), c)
        )
        x = np.zeros_like(X)
        r = -point.gradient
        z = precondition(r)
        p, rz = z.copy(), float(np.vdot(r, z))
        first = rz
        for _ in range(CG_STEPS):
            Hp = self.pairs.curved(c, radial, X, p)
            Hp += s * p
            alpha = rz / float(np.vdot(p, Hp))
            add(alpha, p, x)
            add(-alpha, Hp, r)
            z = precondition(r)
            new = float(np.vdot(r, z))
            self.cg_steps += 1
            if new <= CG_ACCURACY**2 * first:
                break
            p *= new / rz
            p += z
            rz = new
        return x

    def search(self, point: Point, step: Array) -> Point:
        """The full step if it descends enough, else the zero of the slope."""
        start = float(np.vdot(point.gradient, step))
        new = self.at(point.X + step)
        end = float(np.vdot(new.gradient, step))
        if end <= 0.1 * abs(start) or new.value <= point.value + 1e-4 * start:
            return new

        # On the line the squared distances are quadratic in t.
        squares, cross = point.distances**2, self.pairs.products(point.X, step)
        own = self.pairs.squares(step, np.inf)
        curvature = self._square(step)
        level = float(np.vdot(self.s * point.X - self.B, step))

        def slope(t: float) -> float:
            r = np.sqrt(np.maximum(squares + t * (2 * cross + t * own), 0.0))
            pull = self.caps / np.maximum(r, self.delta) * (cross + t * own)
            return level + t * curvature + self.pairs.total(pull)

        # Where the slope turns within a short stretch, one that is small can be far from its zero.
        for enough in SLOPES:
            t = zero_of_slope(slope, start, end, kinks=True, enough=enough)
            new = self.at(point.X + t * step)
            if new.value < point.value:
                break
        return new


def add(alpha: float, x: Array, y: Array) -> None:
    """Add ``alpha * x`` to ``y``, both contiguous, in one pass."""
    daxpy(x.reshape(-1), y.reshape(-1), a=alpha)


class HeldFusion(SmoothedFusion):
    """The same problem with only the ``free`` points, a mask, moving."""

    def __init__(
        self,
        pairs: SparsePairs,
        s: Array,
        B: Array,
        scale: float,
        delta: float,
        free: NDArray[np.bool_],
    ) -> None:
        super().__init__(pairs, s, B, scale, delta)
        self.free = free[:, None]

    def at(self, X: Array) -> Point:
        point = super().at(X)
        point.gradient *= self.free
        return point

    def direction(self, point: Point) -> Array:
        return self.free * self._solve(point, np.where(self.free, self.s, IMMOVABLE))

    def _moving(self, gradient: Array, negligible: float) -> None:
        """They are few already."""


def _preconditioner(pairs: Pairs, s: Array, c: Array) -> Callable[[Array], Array]:
    """Solve with diag(s) + Laplacian of ``c``, or for few pairs with its blocks of strong ones."""
    if not isinstance(pairs, SparsePairs):
        M = pairs.laplacian(c)
        np.einsum("ii->i", M)[...] += s
        factor = cho_factor(M, lower=True, overwrite_a=True, check_finite=False)
        return lambda r: np.asarray(cho_solve(factor, r, check_finite=False))
    diagonal = s + pairs.degrees(c)
    weaker = np.minimum(diagonal[pairs.heads], diagonal[pairs.tails])
    stays = np.maximum(s[pairs.heads], s[pairs.tails]) >= IMMOVABLE
    blocks = []
    for members in groups_of(components(pairs.m, *pairs.listed((c > STRONG * weaker) & ~stays))):
        if len(members) > 1:
            M = np.diag(diagonal[members]) - pairs.among(members, c)
            # A product with the inverse is faster than a solve with a factor.
            blocks.append((members, np.linalg.inv(M)))

    def solve(r: Array) -> Array:
        z = r / diagonal[:, None]
        for members, inverse in blocks:
            z[members] = inverse @ r[members]
        return z

    return solve
