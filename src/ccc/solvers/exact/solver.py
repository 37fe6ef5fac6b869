"""``method="exact"``: Eq. (1) for every ν of a grid, each with its certificate."""

from __future__ import annotations

import time

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ccc.duality import Certificate
from ccc.problem import Problem
from ccc.progress import Progress
from ccc.results import Path, target_of
from ccc.solvers.collect import Collector
from ccc.solvers.exact.losses import MultinomialLoss
from ccc.solvers.exact.walk import Solution, Walk

__all__ = ["solve_path"]


def solve_path(
    problem: Problem,
    nus: NDArray[np.float64],
    tol: float,
    progress: bool = False,
    keep_flows: bool = False,
) -> tuple[Path, list[NDArray[np.float64]]]:
    """Walk the grid upwards; see the package's docstring and ``docs/method.md``.

    ``Path.info`` has ``working_nodes``, the size of the reduced problem at each ν, and ``rounds``,
    how often it was solved there (more than once where a cluster came apart).
    """
    sparse = problem.sparsity > 0
    loss = MultinomialLoss.of(problem.X.matrix, problem.y, problem.c, ground=sparse)
    S = problem.S.toarray() if sp.issparse(problem.S) else problem.S
    if sparse:
        S = np.pad(S, (0, 1))
    graph = problem.graph() if keep_flows else None
    collector = Collector(problem, nus, keep_flows)
    # Between the many small products threads wait for each other: with two of them the path of
    # 28,500 coefficients took twice as long.
    with threadpool_limits(1, user_api="blas"), Progress(len(nus), progress) as bar:
        start = time.perf_counter()
        walk = Walk(loss, S, problem.ridge, target_of(tol), problem.sparsity)
        walk.start(float(nus.min()), graph, bar.approach)
        for index in np.argsort(nus, kind="stable"):
            solution = walk.step(float(nus[index]), graph)
            _store(collector, int(index), problem, loss, solution, time.perf_counter() - start)
            start = time.perf_counter()
            bar.step(solution.nu, int(solution.labels.max()) + 1, float(collector.gap[index]))
    return collector.path("exact", tol), collector.flows


def _store(
    collector: Collector,
    index: int,
    problem: Problem,
    loss: MultinomialLoss,
    solution: Solution,
    seconds: float,
) -> None:
    """Back from the centred class space to B and b0, one column per cluster, then per covariate."""
    B = (loss.Q @ solution.A)[:, solution.labels]
    B[:, solution.irrelevant] = 0.0  # without a sign
    b0 = loss.Q @ solution.intercepts[:, 0]
    if problem.X.shift is not None:
        b0 = b0 + B @ problem.X.shift
    certificate = Certificate(
        primal=solution.primal,
        dual=solution.primal - solution.gap,
        gap=solution.gap / max(1.0, abs(solution.primal)),
        residual=solution.gap - solution.slack,
        slack=solution.slack,
        intercept=solution.imbalance,
        excess=0.0,
    )
    flows = None if solution.flows is None else solution.flows @ loss.Q.T
    collector.store(
        index, B, b0, solution.labels, certificate, solution.newton_steps, seconds, flows,
        {"working_nodes": solution.working_nodes, "rounds": solution.rounds}, solution.irrelevant,
    )  # fmt: skip
