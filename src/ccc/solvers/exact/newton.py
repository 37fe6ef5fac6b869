r"""Newton directions of the reduced problem.

The system is :math:`H = H_{loss} + 2 \lambda \operatorname{diag}(n_k) + H_{pairs}` in q (m + k)
unknowns.

* Small: H is built and factored (Cholesky) at every step.
* Large: conjugate gradients on the exact H, preconditioned by a single-precision Cholesky factor of
  an H with a *stale* loss Hessian. The previous factor is tried first, then a new factor with the
  same loss Hessian, and only when that is slow a new loss Hessian.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from ccc.solvers.exact.losses import Point
from ccc.solvers.exact.pairs import Pairs

Array = NDArray[np.float64]

__all__ = ["Newton"]

DIRECT_SIZE = 400  # unknowns up to which H is always built and factored
FRESH_FLOPS = 5e8  # a loss Hessian cheaper than this is always rebuilt
SINGLE_SIZE = 1500  # unknowns from which the factor is in single precision
STALE_STEPS = 12  # CG steps granted to an old factor
FRESH_STEPS = 60
REBUILD_STEPS = 8  # a fresh factor that needs more asks for a new loss Hessian


class Newton:
    """Directions for one partition; keeps factors and the stale loss Hessian between calls."""

    def __init__(self, loss: Any, pairs: Pairs, sizes: Array, ridge: float) -> None:
        self.loss, self.pairs, self.sizes, self.ridge = loss, pairs, sizes, ridge
        self.q, self.m = loss.q, loss.m
        self.width = loss.m + loss.intercepts
        self.size = self.q * self.width
        diagonal = np.zeros((self.q, self.width))
        diagonal[:, : self.m] = 2 * ridge * sizes
        self.diagonal = diagonal
        self.loss_hessian: Array | None = None
        self.factor: Array | None = None
        self.stale_ok = False
        self.rebuild = False
        self.cg_steps = 0

    def product(self, point: Point, V: Array) -> Array:
        """H V at the point where the pairs were linearised."""
        out = self.loss.product(point, V)
        out += self.diagonal * V
        self.pairs.product(V, out)
        return out

    def build(self, point: Point) -> bool:
        """Factor H; True if the factor is that of the exact H in double precision."""
        flops = self.q * (self.q + 1) * self.loss.n * self.width**2
        cheap = flops < FRESH_FLOPS
        exact = cheap or self.rebuild or self.loss_hessian is None
        if exact or self.loss_hessian is None:
            H = np.empty((self.size, self.size))
            self.loss.hessian(point.P, H)
            if not cheap:
                self.loss_hessian = H
                H = H.copy()
        else:
            H = self.loss_hessian.copy()
        self.pairs.hessian(H, self.width)
        diagonal = np.einsum("ii->i", H)
        diagonal += self.diagonal.ravel()
        if self.loss.intercepts:
            # Nearly separable data leave the intercepts almost without curvature.
            last = diagonal.reshape(self.q, self.width)[:, -1]
            last += 1e-10 * (1 + np.abs(last))
        info = 1
        if self.size > SINGLE_SIZE:
            L, info = lapack.spotrf(
                H.T.astype(np.float32, order="F"), lower=1, overwrite_a=1, clean=0
            )
            exact = exact and info != 0
        if info:
            L, info = lapack.dpotrf(H.T, lower=1, overwrite_a=1, clean=0)
        if info:
            # A stale loss Hessian can be indefinite beside the present pairs; a fresh one cannot.
            if self.rebuild:
                raise np.linalg.LinAlgError("the Newton matrix is not positive definite")
            self.rebuild, self.loss_hessian = True, None
            return self.build(point)
        self.factor = L
        return exact

    def precondition(self, r: Array) -> Array:
        L = self.factor
        assert L is not None
        if L.dtype == np.float32:
            scale = np.abs(r).max() + 1e-300
            z = lapack.spotrs(L, (r.ravel() / scale).astype(np.float32), lower=1)[0]
            return (z.astype(np.float64) * scale).reshape(r.shape)
        return lapack.dpotrs(L, r.ravel(), lower=1)[0].reshape(r.shape)

    def direction(self, A: Array, point: Point, gradient: Array, accuracy: float) -> Array:
        """Solve H x = -gradient to the relative ``accuracy`` in the energy norm."""
        self.pairs.linearise(A)
        stale = self.size > DIRECT_SIZE and self.factor is not None and self.stale_ok
        if not stale and self.build(point):
            self.rebuild, self.stale_ok = False, True
            return self.precondition(-gradient)
        x, steps, done = self.conjugate(
            point, -gradient, None, accuracy, STALE_STEPS if stale else FRESH_STEPS
        )
        if stale and not done:
            self.build(point)
            stale = False
            x, steps, done = self.conjugate(point, -gradient, x, accuracy, FRESH_STEPS)
        if not stale:
            self.rebuild = steps > REBUILD_STEPS
        self.stale_ok = steps <= REBUILD_STEPS
        return x

    def conjugate(
        self, point: Point, b: Array, start: Array | None, accuracy: float, limit: int
    ) -> tuple[Array, int, bool]:
        """Preconditioned conjugate gradients: solution, steps, whether the accuracy was met."""
        x = np.zeros_like(b) if start is None else start
        r = b.copy() if start is None else b - self.product(point, x)
        z = self.precondition(r)
        p, rz = z, float(np.vdot(r, z))
        for step in range(1, limit + 1):
            Hp = self.product(point, p)
            alpha = rz / float(np.vdot(p, Hp))
            x = x + alpha * p
            r = r - alpha * Hp
            z = self.precondition(r)
            new = float(np.vdot(r, z))
            self.cg_steps += 1
            if new <= accuracy**2 * float(np.vdot(b, x)):
                return x, step, True
            p, rz = z + (new / rz) * p, new
        return x, limit, False
