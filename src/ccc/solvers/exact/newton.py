r"""Newton directions of the reduced problem.

The system is :math:`H = H_{loss} + 2 \lambda \operatorname{diag}(n_k) + H_{pairs}` in q (m + k)
unknowns.

* Small: H is built and factored (Cholesky) at every step.
* Large: conjugate gradients on the exact H, preconditioned by a single-precision Cholesky factor of
  an H with a *stale* loss Hessian. The previous factor is tried first, then a new factor with the
  same loss Hessian, and only when that is slow a new loss Hessian.
* Very large: the preconditioner has one m x m matrix per class (:class:`ClassInverses`), or one for
  all dimensions if the loss has no curvature (:class:`SharedFactor`).
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from ccc.solvers.exact.losses import Point
from ccc.solvers.exact.pairs import Pairs

Array = NDArray[np.float64]

__all__ = ["Newton"]

DIRECT_SIZE = 400  # unknowns up to which H is always built and factored
FULL_SIZE = 6000  # unknowns up to which the preconditioner is a factor of all of H
SINGLE_SIZE = 1500  # unknowns from which the factor is in single precision
FRESH_FLOPS = 5e8  # a loss Hessian cheaper than this is always rebuilt
STALE_STEPS = 12  # CG steps granted to an old factor
FRESH_STEPS = 60
OLD = 0.1  # change of the samples' weights from which Gram matrices are formed anew


class FullFactor:
    """Cholesky factor of H, in single precision where H is large."""

    rebuild_steps = 8  # a fresh factor that needs more CG steps asks for a new loss Hessian
    memory = 0

    def __init__(self) -> None:
        self.loss_hessian: Array | None = None
        self.factor = np.empty((0, 0))

    def build(self, newton: Newton, point: Point, rebuild: bool, jitter: float = 0.0) -> bool:
        """Factor H; True if the factor is that of the exact H in double precision.

        ``jitter``, relative to the largest entry, is added to the diagonal where rounding has
        cost H its definiteness (a tiny δ beside a small ridge).
        """
        loss, size, width = newton.loss, newton.size, newton.width
        cheap = newton.q * (newton.q + 1) * loss.n * width**2 < FRESH_FLOPS
        stale = self.loss_hessian
        if cheap or rebuild or stale is None:
            H, exact = np.empty((size, size)), True
            loss.hessian(point.P, H)
            if not cheap:
                self.loss_hessian = H
                H = H.copy()
        else:
            H, exact = stale.copy(), False
        newton.pairs.hessian(H, width)
        diagonal = np.einsum("ii->i", H)
        diagonal += newton.diagonal.ravel() + jitter * diagonal.max()
        exact = exact and jitter == 0
        if loss.intercepts:
            # Nearly separable data leave the intercepts almost without curvature.
            last = diagonal.reshape(newton.q, width)[:, -1]
            last += 1e-10 * (1 + np.abs(last))
        info = 1
        if size > SINGLE_SIZE:
            # Entries beyond single precision make it fail; the double precision below does not.
            with np.errstate(over="ignore"):
                single = H.T.astype(np.float32, order="F")
            self.factor, info = lapack.spotrf(single, lower=1, overwrite_a=1, clean=0)
            exact = exact and info != 0
        if info:
            self.factor, info = lapack.dpotrf(H.T, lower=1, overwrite_a=1, clean=0)
        if not info:
            return exact
        # A stale loss Hessian can be indefinite beside the present pairs; a fresh one only just.
        jitter = max(100 * jitter, 1e-15) if rebuild else 0.0
        if jitter > 1e-3:
            raise np.linalg.LinAlgError("the Newton matrix is not positive definite")
        return self.build(newton, point, True, jitter)

    def solve(self, r: Array) -> Array:
        L = self.factor
        if L.dtype == np.float32:
            scale = np.abs(r).max() + 1e-300
            z = lapack.spotrs(L, (r.ravel() / scale).astype(np.float32), lower=1)[0]
            return (z.astype(np.float64) * scale).reshape(r.shape)
        return np.asarray(lapack.dpotrs(L, r.ravel(), lower=1)[0]).reshape(r.shape)


class ClassInverses:
    r"""Per class the inverse of :math:`X^T \operatorname{diag}(p_k (1 - p_k)) X + 2 \lambda n + L`.

    L is the pairs' Hessian averaged over the classes. Applied as
    :math:`Q^T \operatorname{blockdiag}(\cdot)^{-1} Q`, and exactly on the intercepts. It ignores
    what couples the classes, and costs c m^3 where all of H would cost (c m)^3. Inverses, not
    factors: a product with one is six times faster than two triangular solves, and it is applied
    some twenty times for each time it is built.
    """

    rebuild_steps = 25
    memory = 40  # past search directions kept to make up for what the factors ignore

    def __init__(self) -> None:
        self.grams: list[NDArray[np.float32]] = []
        self.weights = np.empty((0, 0))
        self.inverses: list[NDArray[np.float32]] = []

    def build(self, newton: Newton, point: Point, rebuild: bool) -> bool:
        """Invert every class's matrix; never exact."""
        loss, m = newton.loss, newton.m
        self.Q = loss.Q
        # Conjugate gradients are as often slow for what the inverses ignore as for their age.
        weights = point.P * (1 - point.P)
        if not self.grams or (rebuild and self.age(weights) > OLD):
            self.grams = [loss.class_gram(w) for w in weights]
            self.weights = weights
        L = np.zeros((m, m))
        newton.pairs.laplacian(L)
        np.einsum("ii->i", L)[...] += newton.diagonal[0, :m]
        single = L.astype(np.float32)
        self.inverses = []
        for gram in self.grams:
            factor, info = lapack.spotrf((gram + single).T, lower=1, overwrite_a=1, clean=0)
            if info:
                raise np.linalg.LinAlgError("the matrix of a class is not positive definite")
            self.inverses.append(lapack.spotri(factor, lower=1, overwrite_c=1)[0])
        PQ = loss.Q.T @ point.P
        self.intercepts = (loss.Q.T * point.P.sum(axis=1)) @ loss.Q - PQ @ PQ.T
        np.einsum("ii->i", self.intercepts)[...] += 1e-9
        return False

    def age(self, weights: Array) -> float:
        """How much the weights have changed since the Gram matrices were formed, relatively."""
        return float(np.abs(weights - self.weights).sum() / self.weights.sum())

    def solve(self, r: Array) -> Array:
        m, Q = len(self.inverses[0]), self.Q
        scale = np.abs(r).max() + 1e-300
        blocks = (Q @ (r[:, :m] / scale)).astype(np.float32)
        for k, inverse in enumerate(self.inverses):
            blocks[k] = blas.ssymv(1.0, inverse, blocks[k], lower=1)
        out = np.empty_like(r)
        out[:, :m] = scale * (Q.T @ blocks)
        out[:, m:] = np.linalg.solve(self.intercepts, r[:, m:])
        return out


class SharedFactor:
    """One factor for all dimensions, of the ridge and the pairs' Hessian averaged over them.

    For a loss without curvature, which couples no two nodes.
    """

    rebuild_steps = 25
    memory = 20

    def build(self, newton: Newton, point: Point, rebuild: bool) -> bool:
        """Factor the averaged matrix; never exact."""
        L = np.zeros((newton.m, newton.m))
        newton.pairs.laplacian(L)
        np.einsum("ii->i", L)[...] += newton.diagonal[0]
        self.factor, info = lapack.dpotrf(L.T, lower=1, overwrite_a=1, clean=0)
        if info:
            raise np.linalg.LinAlgError("the averaged Newton matrix is not positive definite")
        return False

    def solve(self, r: Array) -> Array:
        return np.ascontiguousarray(lapack.dpotrs(self.factor, r.T, lower=1)[0].T)


class Newton:
    """Directions for one partition; keeps factors and the stale loss Hessian between calls."""

    def __init__(self, loss: Any, pairs: Pairs, sizes: Array, ridge: float) -> None:
        self.loss, self.pairs, self.sizes, self.ridge = loss, pairs, sizes, ridge
        self.q, self.m = loss.q, loss.m
        self.width = loss.m + loss.intercepts
        self.size = self.q * self.width
        self.diagonal = np.zeros((self.q, self.width))
        self.diagonal[:, : self.m] = 2 * ridge * sizes
        self.preconditioner: FullFactor | ClassInverses | SharedFactor = FullFactor()
        if self.size > FULL_SIZE:
            self.preconditioner = ClassInverses() if loss.curved else SharedFactor()
        self.memory: deque[tuple[Array, Array, float]] = deque(maxlen=self.preconditioner.memory)
        self.stale_ok = False
        self.rebuild = False
        self.cg_steps = 0

    def product(self, point: Point, V: Array) -> Array:
        """H V at the point where the pairs were linearised."""
        out = self.loss.product(point, V)
        out += self.diagonal * V
        self.pairs.product(V, out)
        return np.asarray(out)

    def residual(self, gradient: Array) -> float:
        r"""The part of the gap that a gradient is worth: :math:`\sum_k \lVert g_k \rVert^2 / (4
        \lambda n_k)`."""
        m = self.m
        return float(np.sum(gradient[:, :m] ** 2 / self.diagonal[:, :m])) / 2

    def direction(
        self, A: Array, point: Point, gradient: Array, accuracy: float, enough: float = 0.0
    ) -> Array:
        """Solve H x = -gradient to the relative ``accuracy`` in the energy norm.

        An iterative solution also ends where its residual is worth less than ``enough``.
        """
        self.pairs.linearise(A)
        preconditioner = self.preconditioner
        stale = self.size > DIRECT_SIZE and self.stale_ok
        if not stale and preconditioner.build(self, point, self.rebuild):
            self.rebuild, self.stale_ok = False, True
            return preconditioner.solve(-gradient)
        limit = STALE_STEPS if stale else FRESH_STEPS
        x, steps, done = self.conjugate(point, -gradient, None, accuracy, enough, limit)
        if stale and not done:
            preconditioner.build(self, point, self.rebuild)
            stale = False
            x, steps, done = self.conjugate(point, -gradient, x, accuracy, enough, FRESH_STEPS)
        if not stale:
            self.rebuild = steps > preconditioner.rebuild_steps
        self.stale_ok = steps <= preconditioner.rebuild_steps
        return x

    def precondition(self, r: Array) -> Array:
        """The preconditioner, improved by the curvature seen along past search directions.

        The two-loop recursion of L-BFGS over pairs (p, Hp) of earlier conjugate-gradient runs,
        started from the factor (Morales and Nocedal, 2000).
        """
        alphas = []
        r = r.copy()
        for p, Hp, curvature in reversed(self.memory):
            alpha = float(np.vdot(p, r)) / curvature
            r -= alpha * Hp
            alphas.append(alpha)
        z = self.preconditioner.solve(r)
        for (p, Hp, curvature), alpha in zip(self.memory, reversed(alphas), strict=True):
            z += (alpha - float(np.vdot(Hp, z)) / curvature) * p
        return z

    def conjugate(
        self,
        point: Point,
        b: Array,
        start: Array | None,
        accuracy: float,
        enough: float,
        limit: int,
    ) -> tuple[Array, int, bool]:
        """Preconditioned conjugate gradients: solution, steps, whether the accuracy was met."""
        x = np.zeros_like(b) if start is None else start
        r = b.copy() if start is None else b - self.product(point, x)
        z = self.precondition(r)
        p, rz = z, float(np.vdot(r, z))
        seen, done = [], False
        for _ in range(limit):
            Hp = self.product(point, p)
            curvature = float(np.vdot(p, Hp))
            seen.append((p, Hp, curvature))
            alpha = rz / curvature
            x = x + alpha * p
            r = r - alpha * Hp
            z = self.precondition(r)
            new = float(np.vdot(r, z))
            if not new > 0:  # rounding has cost the preconditioner its definiteness
                break
            done = new <= accuracy**2 * float(np.vdot(b, x)) or self.residual(r) <= enough
            if done:
                break
            p, rz = z + (new / rz) * p, new
        self.cg_steps += len(seen)
        # Only now: the preconditioner must not change while conjugate gradients run.
        self.memory.extend(seen)
        return x, len(seen), done
