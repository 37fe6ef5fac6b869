r"""Eq. (1) as a cone program, handed to a general solver through CVXPY: ECOS, SCS or Clarabel.

With :math:`t_e` for every edge :math:`e = \{i, j\}` and the scores
:math:`z_s = B x_s + \beta_0`,

.. math::

    \min_{B, \beta_0, t} \; \sum_s \bigl( \mathrm{logsumexp}(z_s) - z_{s, y_s} \bigr)
      + \lambda \lVert B \rVert_F^2 + \nu \sum_e S_e t_e
    \quad \text{s.t.} \quad \lVert b_i - b_j \rVert_2 \le t_e , \; \sum_k \beta_{0k} = 0 ,

one second-order cone per edge and c exponential cones per sample. ν is a parameter: the problem is
compiled once (:class:`Cones`) and solved anew for every ν, each time from cold, as these solvers
know no better. The vector part of an edge's dual is its flow, so that the solution has the same
certificate as ours.

Such solvers never give equal columns. An edge is taken as fused where its flow is further from its
cap than its ends are apart, both relative to the largest there can be, unless the gap proves that
it is not: :math:`\lVert B - B^* \rVert_F^2 \le (P - D) / \lambda`. In the same way a covariate is
taken as irrelevant where the force :math:`r_i` on it (:mod:`ccc.duality`) is further below γ than
:math:`2 \lambda \lVert b_i \rVert`, which is how far it is above γ where :math:`b_i \ne 0`.
"""

from __future__ import annotations

import time
import warnings
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ccc.duality import certify
from ccc.graph import canonical_labels, components, incidence
from ccc.problem import Problem, log_loss
from ccc.progress import Progress
from ccc.results import Path
from ccc.solvers.collect import Collector

__all__ = ["CONIC", "Cones"]

Array = NDArray[np.float64]

# How each solver is told its tolerance, its limit of iterations and, where it can, of seconds.
OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "ecos": {"tol": ("abstol", "reltol", "feastol"), "max_iter": ("max_iters",)},
    "scs": {
        "tol": ("eps_abs", "eps_rel"),
        "max_iter": ("max_iters",),
        "max_seconds": ("time_limit_secs",),
    },
    "clarabel": {
        "tol": ("tol_gap_abs", "tol_gap_rel", "tol_feas"),
        "max_iter": ("max_iter",),
        "max_seconds": ("time_limit",),
    },
}
MAX_ITER = {"ecos": 200, "scs": 100_000, "clarabel": 200}
# A point that makes no more progress is better than none: its gap says how good it is.
ALWAYS: dict[str, dict[str, bool]] = {"ecos": {}, "scs": {}, "clarabel": {"accept_unknown": True}}


class Solution(NamedTuple):
    """What a solver found at one ν; zeros where it found nothing, ``exists`` is False then."""

    B: Array
    b0: Array
    flows: Array
    iterations: int
    status: str
    exists: bool


class Cones:
    """The cone program of a problem, compiled for one solver.

    Parameters
    ----------
    problem : Problem
    solver : {"ecos", "scs", "clarabel"}
    tol : float
        The solver's own tolerance, absolute and relative.
    max_iter : int, optional
    max_seconds : float, optional
        For one ν; ECOS has no such limit.

    Attributes
    ----------
    compile_seconds : float
    n_variables, n_rows, n_nonzeros : int
        Size of the compiled program.
    """

    def __init__(
        self,
        problem: Problem,
        solver: str,
        tol: float,
        max_iter: int | None = None,
        max_seconds: float | None = None,
    ) -> None:
        cp = _cvxpy(solver)
        self.problem, self.graph, self.solver = problem, problem.graph(), solver
        limits = {"max_iter": max_iter or MAX_ITER[solver], "max_seconds": max_seconds}
        self.options: dict[str, float] = {}
        for name, limit in limits.items():
            if limit is not None:
                self.options |= dict.fromkeys(OPTIONS[solver].get(name, ()), limit)
        self.set_tolerance(tol)
        start = time.perf_counter()
        self.nu = cp.Parameter(nonneg=True, value=1.0)
        self.B, self.b0 = cp.Variable((problem.c, problem.d)), cp.Variable(problem.c)
        value, constraints = self._model(cp)
        self.model = cp.Problem(cp.Minimize(value), constraints)
        data = self.model.get_problem_data(solver.upper())[0]
        self.compile_seconds = time.perf_counter() - start
        blocks = [data[name] for name in ("A", "G") if data.get(name) is not None]
        self.n_variables = int(data["c"].size)
        self.n_rows = sum(int(block.shape[0]) for block in blocks)
        self.n_nonzeros = sum(int(block.nnz) for block in blocks)

    def set_tolerance(self, tol: float) -> None:
        """The solver's own tolerance from now on, without compiling anew."""
        self.options |= dict.fromkeys(OPTIONS[self.solver]["tol"], tol)

    def _model(self, cp: Any) -> tuple[Any, list[Any]]:
        problem, graph, B, b0 = self.problem, self.graph, self.B, self.b0
        X, indicators = problem.X.toarray(), np.eye(problem.c)[problem.y]
        scores = X @ B.T + np.ones((problem.n, 1)) @ cp.reshape(b0, (1, problem.c), order="C")
        own = cp.sum(cp.multiply(indicators.T @ X, B)) + indicators.sum(axis=0) @ b0
        value = cp.sum(cp.log_sum_exp(scores, axis=1)) - own + problem.ridge * cp.sum_squares(B)
        # The intercepts have one free direction.
        constraints = [cp.sum(b0) == 0]
        if problem.sparsity:
            value += problem.sparsity * cp.sum(cp.norm(B, 2, axis=0))
        self.cones = None
        if graph.n_edges:
            lengths = cp.Variable(graph.n_edges)
            differences = incidence(problem.d, graph.heads, graph.tails) @ B.T
            self.cones = cp.SOC(lengths, differences, axis=1)
            value += self.nu * (graph.weights @ lengths)
            constraints.append(self.cones)
        return value, constraints

    def solve(self, nu: float) -> Solution:
        """The solution at one ν, with the status that the solver reports."""
        import cvxpy as cp

        self.nu.value = nu
        c, d, n_edges = self.problem.c, self.problem.d, self.graph.n_edges
        zeros = np.zeros((c, d)), np.zeros(c), np.zeros((n_edges, c))
        # CVXPY keeps the last solver, with its factors, until the next one is set up beside it.
        self.model._solver_cache.clear()
        options = self.options | ALWAYS[self.solver]
        try:
            with warnings.catch_warnings():
                # Inaccurate solutions are reported by their gap and status.
                warnings.simplefilter("ignore")
                self.model.solve(solver=self.solver.upper(), warm_start=False, **options)
        except cp.error.SolverError:
            return Solution(*zeros, 0, "failed", False)
        iterations, status = int(self.model.solver_stats.num_iters or 0), str(self.model.status)
        if self.B.value is None:
            return Solution(*zeros, iterations, status, False)
        flows = zeros[2]
        if self.cones is not None and self.cones.dual_value is not None:
            # The cone's dual enters the Lagrangian with a minus sign.
            flows = -np.asarray(self.cones.dual_value[1], dtype=np.float64).reshape(n_edges, c)
        B, b0 = np.asarray(self.B.value), np.asarray(self.b0.value)
        return Solution(B, b0, flows, iterations, status, True)

    def fused(self, B: Array, flows: Array, nu: float, gap: float) -> NDArray[np.bool_]:
        """Which edges are taken as fused, given the absolute gap; see the module's docstring."""
        caps = nu * self.graph.weights
        apart = np.linalg.norm(self.graph.differences(B), axis=1)
        largest = 2 * float(np.max(np.linalg.norm(B, axis=0), initial=0.0))
        room = 1 - np.linalg.norm(flows, axis=1) / np.maximum(caps, 1e-300)
        uncertain = np.sqrt(2 * max(gap, 0.0) / self.problem.ridge)
        return (nu > 0) & (apart <= np.minimum(largest * room, uncertain))

    def irrelevant(self, B: Array, b0: Array, flows: Array, gap: float) -> NDArray[np.bool_]:
        """Which covariates are taken as irrelevant, given the absolute gap."""
        problem, lam = self.problem, self.problem.ridge
        if not problem.sparsity:
            return np.zeros(problem.d, dtype=np.bool_)
        _, residuals = log_loss(problem.X, problem.y, B, b0)
        force = problem.X.tdot(residuals).T + self.graph.divergence(flows)
        room = problem.sparsity - np.linalg.norm(force, axis=0)
        lengths = np.linalg.norm(B, axis=0)
        return (2 * lam * lengths <= room) & (lengths <= np.sqrt(max(gap, 0.0) / lam))

    def clusters(
        self, fused: NDArray[np.bool_], irrelevant: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Labels, and what is irrelevant: all that is fused with an irrelevant covariate."""
        d, graph = self.problem.d, self.graph
        zero = np.flatnonzero(irrelevant)
        # One more node, at zero, is joined to them.
        heads = np.concatenate([graph.heads[fused], zero])
        tails = np.concatenate([graph.tails[fused], np.full(len(zero), d)])
        labels = components(d + 1, heads, tails)
        return canonical_labels(labels[:d]), labels[:d] == labels[d]


def solve_path(
    problem: Problem,
    nus: Array,
    tol: float,
    progress: bool = False,
    keep_flows: bool = False,
    *,
    solver: str,
) -> tuple[Path, list[Array]]:
    """Every ν from cold by a general solver; see the module's docstring.

    ``Path.info`` has the ``solver_status``, and in ``compile_seconds`` what came before the first
    ν. ``tol`` is the solver's own tolerance too; the gap tells what it made of it.
    """
    cones = Cones(problem, solver, tol)
    collector = Collector(problem, nus, keep_flows)
    with Progress(len(nus), progress) as bar:
        for index, nu in enumerate(nus):
            start = time.perf_counter()
            B, b0, flows, n_iter, status, exists = cones.solve(float(nu))
            seconds = time.perf_counter() - start
            certificate = certify(problem, cones.graph, B, b0, flows, float(nu))
            excess = certificate.primal - certificate.dual
            fused = cones.fused(B, flows, float(nu), excess) & exists
            zero = cones.irrelevant(B, b0, flows, excess) & exists
            labels, zero = cones.clusters(fused, zero)
            info: dict[str, float | str] = {
                "solver_status": status,
                "compile_seconds": cones.compile_seconds,
            }
            collector.store(index, B, b0, labels, certificate, n_iter, seconds, flows, info, zero)
            bar.step(float(nu), int(labels.max()) + 1, certificate.gap)
    return collector.path(solver, tol), collector.flows


def _cvxpy(solver: str) -> Any:
    """The module, if it and the solver are there."""
    try:
        import cvxpy
    except ImportError:
        raise ImportError(
            f"method {solver!r} needs cvxpy and {solver}: pip install cvxpy {solver}"
        ) from None
    if solver.upper() not in cvxpy.installed_solvers():
        raise ImportError(f"method {solver!r} needs {solver}: pip install {solver}")
    return cvxpy


CONIC = {solver: partial(solve_path, solver=solver) for solver in OPTIONS}
