"""What accuracy a solver reaches in what time, at one ν from a cold start.

General solvers are given tolerances from loose to tight; ADMM, whose certificate can be had at any
iteration, limits of iterations. The exact solver has one answer: it goes as far as the clusters
need. Each run is a point (seconds, certified relative gap).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ccc.duality import certify
from ccc.path import solve
from ccc.problem import make_problem
from ccc.solvers.admm import Settings
from ccc.solvers.admm import solve_path as admm_path
from ccc.solvers.conic import Cones
from ccc.timing.limited import Report, run_limited
from ccc.timing.paths import warm_up

__all__ = ["accuracy_of"]

TOLERANCES = tuple(10.0**-k for k in range(2, 11))
ITERATIONS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)


def accuracy_of(
    X: Any,
    y: Any,
    S: Any,
    nu: float,
    solver: str,
    *,
    ridge: float = 0.1,
    tol: float = 1e-6,
    seconds: float,
    setup_seconds: float,
    memory_mb: float = float("inf"),
) -> list[dict[str, Any]]:
    """Points of a solver at one ν, as many as it finishes within its limits.

    Returns
    -------
    list of dict
        ``setting`` (the tolerance or the limit of iterations), ``seconds``, ``gap``, ``status``. A
        solver that was stopped before its last setting has a row that says so, without a gap.
    """
    runs = {"exact": _exact, "admm": _admm}.get(solver, _conic)
    limits = {"seconds": seconds, "setup_seconds": setup_seconds, "memory_mb": memory_mb}
    outcome = run_limited(runs, *(X, y, S, nu, solver, ridge, tol), **limits)
    if outcome.ending == "finished":
        return outcome.reports
    how = f"stopped: {outcome.message or outcome.ending}"
    last = {"setting": np.nan, "seconds": outcome.unfinished, "gap": np.nan, "status": how}
    return [*outcome.reports, last]


def _exact(
    X: Any, y: Any, S: Any, nu: float, solver: str, ridge: float, tol: float
) -> Iterator[Report]:
    warm_up(solver)
    yield {}
    start = time.perf_counter()
    fit = solve(X, y, S, nu, ridge=ridge, tol=tol)
    yield _point(tol, time.perf_counter() - start, fit.gap, fit.status)


def _admm(
    X: Any, y: Any, S: Any, nu: float, solver: str, ridge: float, tol: float
) -> Iterator[Report]:
    warnings.simplefilter("ignore", ConvergenceWarning)
    warm_up(solver)
    problem = make_problem(X, y, S, ridge)
    yield {}
    for limit in ITERATIONS:
        start = time.perf_counter()
        path, _ = admm_path(problem, np.array([nu]), tol, settings=Settings(max_iter=limit))
        seconds, converged = time.perf_counter() - start, bool(path.info["converged"][0])
        status = "converged" if converged else "iteration limit"
        yield _point(limit, seconds, float(path.gap[0]), status)
        if converged:
            return


def _conic(
    X: Any, y: Any, S: Any, nu: float, solver: str, ridge: float, tol: float
) -> Iterator[Report]:
    warnings.simplefilter("ignore", ConvergenceWarning)
    warm_up(solver)
    problem = make_problem(X, y, S, ridge)
    cones = Cones(problem, solver, TOLERANCES[0])
    yield {}
    for setting in TOLERANCES:
        cones.set_tolerance(setting)
        start = time.perf_counter()
        found = cones.solve(nu)
        seconds = time.perf_counter() - start
        gap = certify(problem, cones.graph, found.B, found.b0, found.flows, nu).gap
        yield _point(setting, seconds, gap if found.exists else np.nan, found.status)


def _point(setting: float, seconds: float, gap: float, status: str) -> Report:
    return {"setting": setting, "seconds": seconds, "gap": gap, "status": status}
