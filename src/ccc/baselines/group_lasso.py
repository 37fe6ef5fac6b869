r"""Multinomial group lasso on the columns of B: which covariates matter (the paper's appendix).

.. math:: \min_{B, \beta_0} \; -\sum_s \log f(y_s \mid x_s, B, \beta_0)
          + \lambda \lVert B \rVert_F^2 + \gamma \sum_j \lVert b_j \rVert_2 ,

Eq. (1) without its graph, for a falling grid of γ, each from the solution before. Proximal Newton:
the quadratic model of the loss is minimised by block coordinate descent
(:mod:`ccc.baselines.block_descent`) over a working set, which is what is not zero and the worst
violations of :math:`\lVert \nabla_j \rVert \le \gamma` among the rest. It ends when the duality gap
over all covariates is small enough (:mod:`ccc.duality`), so nothing rests on the choice of the set.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.baselines.block_descent import curvatures, sweep
from ccc.basis import class_basis
from ccc.duality import certify
from ccc.grid import nu_grid
from ccc.problem import Problem, make_problem, softmax
from ccc.progress import Progress
from ccc.results import warn_of_gaps
from ccc.storage import Stored
from ccc.validation import check_design, check_nus, check_positive, check_ridge, check_sparsity

__all__ = ["GroupLassoPath", "group_lasso_path"]

Array = NDArray[np.float64]

MAX_NEWTON = 100
MAX_SWEEPS = 200
MAX_HALVINGS = 40
# A model is minimised until a sweep moves this share of what the first one moved, squared.
INNER = 1e-3
# So many violators may join the working set, or as many as are in it if that is more.
JOIN = 200


@dataclass(frozen=True)
class GroupLassoPath(Stored):
    """Solutions along a grid of γ.

    Attributes
    ----------
    gammas : (K,) array
    B : (K, c, d) array
    b0 : (K, c) array
    gap : (K,) array
        Relative duality gap, as of :class:`ccc.Fit`.
    n_iter : (K,) array
        Newton steps.
    seconds : (K,) array
    ridge : float
    """

    gammas: Array
    B: Array
    b0: Array
    gap: Array
    n_iter: NDArray[np.int64]
    seconds: Array
    ridge: float

    @property
    def support(self) -> NDArray[np.bool_]:
        """(K, d): which covariates have a column other than zero."""
        return (self.B != 0).any(axis=1)


def group_lasso_path(
    X: Any,
    y: Any,
    gammas: Any = None,
    *,
    ridge: float = 0.1,
    tol: float = 1e-6,
    progress: bool = False,
) -> GroupLassoPath:
    r"""Solve the group lasso for every γ of a grid.

    Parameters
    ----------
    X : (n, d) array, scipy sparse matrix, or :class:`ccc.Standardized`
        Sparse matrices stay sparse, and so does a standardised one.
    y : (n,) array
        Class labels of any kind.
    gammas : (K,) array, optional
        Any order; by default the paper's :math:`n 2^{-a}`, a = 0..29.
    ridge : float
        λ > 0.
    tol : float
        Promised relative duality gap; a ``ConvergenceWarning`` tells where it is missed.
    progress : bool
        Show a bar on a terminal.

    Examples
    --------
    >>> import ccc
    >>> data = ccc.data.make_synthetic("agreeing", d=40, n=400)
    >>> path = ccc.baselines.group_lasso_path(data.X, data.y, [400.0, 100.0, 1.0])
    >>> path.support.sum(axis=1)
    array([ 1, 10, 23])
    """
    design = check_design(X)
    n, d = design.shape
    problem = make_problem(design, y, sp.csr_array((d, d)), ridge)
    check_ridge(problem.ridge, design)
    grid = nu_grid(n, count=30, step=1.0) if gammas is None else check_nus(gammas, "gammas")
    for gamma in grid:
        check_sparsity(gamma, "gammas")
    tol = check_positive(tol, "tol")
    K, c = len(grid), problem.c
    B, b0 = np.zeros((K, c, d)), np.zeros((K, c))
    gap, seconds, n_iter = np.zeros(K), np.zeros(K), np.zeros(K, dtype=np.int64)
    point = _Point(problem)
    with Progress(K, progress, symbol="γ", counted="covariates") as bar:
        for index in np.argsort(-grid, kind="stable"):
            start = time.perf_counter()
            gap[index], n_iter[index] = point.solve(float(grid[index]), tol)
            B[index], b0[index] = point.coefficients()
            seconds[index] = time.perf_counter() - start
            size = int((B[index] != 0).any(axis=0).sum())
            bar.step(float(grid[index]), size, float(gap[index]))
    warn_of_gaps("group lasso", "gamma", grid, gap, tol)
    return GroupLassoPath(grid.copy(), B, b0, gap, n_iter, seconds, problem.ridge)


class _Point:
    """Coefficients that move from one γ to the next: ``B`` (d, k) and ``b0`` (k,).

    Two classes have one coordinate, :math:`b_j = q a_j` with the unit vector q = (1, -1)/√2, which
    keeps norms. More classes have one each: then W_s is a diagonal and one product, which is worth
    more than one coordinate less.
    """

    def __init__(self, problem: Problem) -> None:
        X, c = problem.X, problem.c
        self.problem = problem
        self.Q = class_basis(2) if c == 2 else np.eye(c)
        matrix = sp.csc_array(X.matrix)
        self.columns = (
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int64),
            matrix.data,
            np.zeros(problem.d) if X.shift is None else X.shift,
        )
        logs = np.log(np.bincount(problem.y, minlength=c))
        self.B = np.zeros((problem.d, self.Q.shape[1]))
        self.b0 = self.Q.T @ (logs - logs.mean())

    def coefficients(self) -> tuple[Array, Array]:
        """B (c, d) and b0 (c,)."""
        return self.Q @ self.B.T, self.Q @ self.b0

    def solve(self, gamma: float, tol: float) -> tuple[float, int]:
        """Newton steps at γ until the gap is at most ``tol``; the gap and their number."""
        problem = replace(self.problem, sparsity=gamma)
        graph, no_flows = problem.graph(), np.empty((0, problem.c))
        for n_iter in range(MAX_NEWTON + 1):
            gap = certify(problem, graph, *self.coefficients(), no_flows, 0.0).gap
            if gap <= tol or n_iter == MAX_NEWTON or not self._newton_step(gamma):
                break
        return gap, n_iter

    def _newton_step(self, gamma: float) -> bool:
        """Towards the minimum of the quadratic model; False if no step lowers the objective."""
        problem, lam = self.problem, self.problem.ridge
        Z = problem.X.dot(self.B) + self.b0
        loss, P = self._loss(Z)
        Y = np.arange(problem.c) == problem.y[:, None]
        residual = (P - Y) @ self.Q
        gradient = problem.X.tdot(residual) + 2 * lam * self.B
        gradient0 = residual.sum(axis=0)
        if problem.c == 2:
            a = 2.0 * P[:, :1] * P[:, 1:]
            q = np.zeros_like(a)
        else:
            a = q = P
        B, d0, dZ = _minimise_model(self.columns, self.B, gradient, gradient0, a, q, gamma, lam)
        dB = B - self.B
        value = loss + _penalty(self.B, gamma, lam)
        slope = float(np.vdot(gradient, dB) + gradient0 @ d0)
        slope += gamma * (_column_norms(B) - _column_norms(self.B)).sum()
        t = 1.0
        for _ in range(MAX_HALVINGS):
            trial = B if t == 1.0 else self.B + t * dB
            new = self._loss(Z + t * dZ)[0] + _penalty(trial, gamma, lam)
            if new <= value + 1e-4 * t * slope:
                self.B, self.b0 = trial, self.b0 + t * d0
                return True
            t /= 2
        return False

    def _loss(self, Z: Array) -> tuple[float, Array]:
        """Loss and class probabilities (n, c) at scores in coordinates."""
        scores = Z @ self.Q.T
        P, lse = softmax(scores)
        return float(np.sum(lse - scores[np.arange(len(Z)), self.problem.y])), P


def _column_norms(B: Array) -> Array:
    return np.sqrt(np.einsum("jk,jk->j", B, B))


def _penalty(B: Array, gamma: float, lam: float) -> float:
    return lam * float(np.vdot(B, B)) + gamma * float(_column_norms(B).sum())


def _working_set(B: Array, gradient: Array, gamma: float) -> NDArray[np.int64]:
    """Covariates other than zero and the worst violators of the optimality condition, ascending."""
    active = B.any(axis=1)
    excess = np.where(active, 0.0, _column_norms(gradient) - gamma)
    violators = np.flatnonzero(excess > 0)
    room = max(JOIN, int(active.sum()))
    if len(violators) > room:
        violators = violators[np.argpartition(-excess[violators], room)[:room]]
    return np.sort(np.concatenate([np.flatnonzero(active), violators]))


def _minimise_model(
    columns: tuple[Any, Any, Any, Any],
    start: Array,
    gradient: Array,
    gradient0: Array,
    a: Array,
    q: Array,
    gamma: float,
    lam: float,
) -> tuple[Array, Array, Array]:
    """Sweeps until they hardly move: B, and the changes of b0 and of the scores."""
    working = _working_set(start, gradient, gamma)
    total = np.diag(a.sum(axis=0)) - q.T @ q
    inverse = np.linalg.pinv(total, hermitian=True)
    H = curvatures(*columns, working, a, q, total)
    H[:, range(H.shape[1]), range(H.shape[1])] += 2 * lam
    values, vectors = np.linalg.eigh(H)
    values = np.maximum(values, 2 * lam)
    B, D = start.copy(), np.zeros_like(a)
    t, U, d0 = np.zeros((3, a.shape[1]))
    first = 0.0
    for _ in range(MAX_SWEEPS):
        step = -inverse @ (gradient0 + U)
        t += step
        d0 += step
        U += total @ step
        progress = float(step @ total @ step)
        progress += sweep(
            *columns, working, a, q, total, values, vectors, gradient, gamma, lam, start, B, D, t, U
        )
        first = max(first, progress)
        if progress <= INNER**2 * first:
            break
    return B, d0, D + t
