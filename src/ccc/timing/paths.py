r"""How long a solver takes for a whole path of ν, measured or extrapolated.

All solve Eq. (1) on the same data, each alone in a process with one thread. Kernels are compiled,
and cone programs set up, before the clock starts. The time of exact and ADMM includes the
certificates of their solutions, that of general solvers does not.

What would take longer than it may is extrapolated from a spread of ν: K of them in t seconds make
:math:`300\, t / K` seconds for 300. A ν that was not finished counts with the time that it had, if
that makes the path longer. ADMM starts each of them from the solution of the ν before, as on a
path; what that one takes does not count.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from ccc.data.synthetic import make_synthetic
from ccc.duality import certify
from ccc.grid import nu_grid
from ccc.path import solve_path
from ccc.problem import make_problem
from ccc.similarity import ledoit_wolf
from ccc.solvers.admm import solutions
from ccc.solvers.conic import OPTIONS, Cones
from ccc.timing.limited import Outcome, Report, peak_megabytes, run_limited

__all__ = ["path_time", "spread", "summary", "warm_up"]

Array = NDArray[np.float64]

# ADMM goes from one ν to the next, so that a spread tells less: so many ν, then all if they fit.
FIRST = 16
# d, n and number of ν of problems that together call every kernel of the exact solver.
WARM_UP = ((40, 40, 30), (40, 400, 100), (200, 40, 30))


def path_time(
    X: Any,
    y: Any,
    S: Any,
    nus: Array,
    solver: str,
    *,
    ridge: float = 0.1,
    tol: float = 1e-6,
    seconds: float,
    setup_seconds: float,
    memory_mb: float = float("inf"),
) -> dict[str, Any]:
    """Wall time of a path by one solver.

    Parameters
    ----------
    X, y, S, nus, ridge, tol
        See :func:`ccc.solve_path`.
    solver : str
        A ``method`` of it.
    seconds, setup_seconds, memory_mb
        Limits; see :func:`ccc.timing.run_limited`.

    Returns
    -------
    dict
        ``seconds`` of the whole path, nan where no ν was solved; ``basis``: ``"path"``,
        ``"extrapolated"``, or why there is nothing: ``"time"``, ``"setup"`` (not even ready in
        time), ``"memory"`` or ``"failed"``; ``at_least``, seconds that a path takes more than where
        time ran out before any ν was solved; ``solved``, how many ν; ``ending`` and ``message`` of
        the process; ``worst_gap``; ``statuses``, what the solver said of how many ν;
        ``iterations`` per ν; ``setup_seconds``; ``peak_mb``; ``size``, number of cones.
    """
    timed = {"exact": _exact, "admm": _admm}.get(solver, _conic)
    grid = np.asarray(nus, dtype=np.float64)
    outcome = run_limited(
        timed,
        *(X, y, S, grid, solver, ridge, tol, seconds),
        seconds=seconds,
        setup_seconds=setup_seconds,
        memory_mb=memory_mb,
    )
    row = summary(outcome, len(grid))
    if timed is _conic and row["basis"] != "failed":
        problem = make_problem(X, y, S, ridge)
        row["size"] = f"{problem.graph().n_edges:,} + {problem.n * problem.c:,} cones"
    return row


def spread(length: int) -> list[int]:
    """All positions 0..length-1, from the middle on, in an order whose beginnings are even."""
    bits = max(1, (length - 1).bit_length())
    reversed_bits = (int(f"{i:0{bits}b}"[::-1], 2) for i in [*range(1, 2**bits), 0])
    return list(dict.fromkeys(i * length // 2**bits for i in reversed_bits))


def summary(outcome: Outcome, length: int) -> dict[str, Any]:
    """What :func:`path_time` returns, from the reports of a timed path."""
    setup = outcome.setup
    whole = [report for report in outcome.reports if report["solved"] == length]
    reports = whole or outcome.reports
    solved = sum(report["solved"] for report in reports)
    spent = sum(report["seconds"] for report in reports if report["solved"])
    statuses: Counter[str] = Counter()
    for report in reports:
        statuses.update(report["statuses"])
    gaps = [report["gap"] for report in reports if report["solved"]]
    seconds, at_least, basis = np.nan, np.nan, "path"
    if solved:
        seconds = spent * length / solved
        if solved < length:
            basis = "extrapolated"
            if outcome.ending == "time":
                seconds = max(seconds, _with_unfinished(outcome, spent, solved, length))
    elif outcome.ending == "time":
        basis = "setup" if setup is None else "time"
        each = setup is not None and setup["one_by_one"]
        at_least = _mean_attempt(outcome) * length if each else outcome.seconds
    else:
        basis = "failed" if outcome.ending == "finished" else outcome.ending
    return {
        "seconds": seconds,
        "basis": basis,
        "at_least": at_least,
        "solved": solved,
        "ending": outcome.ending,
        "message": outcome.message,
        "worst_gap": float(np.max(np.where(np.isnan(gaps), np.inf, gaps))) if gaps else np.nan,
        "statuses": ", ".join(f"{count} {name}" for name, count in sorted(statuses.items())),
        "iterations": sum(r["iterations"] for r in reports) / solved if solved else np.nan,
        "setup_seconds": outcome.seconds if setup is None else setup["seconds"],
        "peak_mb": max([outcome.peak_mb, *(report["peak_mb"] for report in reports)]),
        "size": "",
    }


def _with_unfinished(outcome: Outcome, spent: float, solved: int, length: int) -> float:
    """Seconds of a path if what was under way when time ran out counts as finished."""
    under_way = outcome.reports[-1]["next"]
    if under_way == "path":
        return outcome.unfinished
    return (spent + outcome.unfinished) * length / (solved + 1) if under_way == "nu" else 0.0


def _mean_attempt(outcome: Outcome) -> float:
    """Seconds that each ν had, none of which was solved."""
    failed = [report["seconds"] for report in outcome.reports if report["seconds"]]
    return (sum(failed) + outcome.unfinished) / (len(failed) + 1)


def warm_up(method: str) -> None:
    """Load or compile all kernels of a method."""
    for d, n, count in WARM_UP[: None if method == "exact" else 1]:
        data = make_synthetic("contradicting", d=d, n=n, seed=3)
        nus = nu_grid(n)[:: 300 // count]
        few = nus if method == "exact" else nus[-2:]
        solve_path(data.X, data.y, ledoit_wolf(data.X, data.y), few, method=method)


def _exact(
    X: Any, y: Any, S: Any, nus: Array, method: str, ridge: float, tol: float, seconds: float
) -> Iterator[Report]:
    """The whole path, whatever the limit."""
    yield _ready(method, one_by_one=False)
    yield _timed_path(X, y, S, nus, method, ridge, tol)


def _admm(
    X: Any, y: Any, S: Any, nus: Array, method: str, ridge: float, tol: float, seconds: float
) -> Iterator[Report]:
    """A few ν, each started from the solution of the one before; then all, if that fits."""
    yield _ready(method, one_by_one=True)
    start, spent = time.perf_counter(), []
    problem = make_problem(X, y, S, ridge)
    # There is none before the first.
    for position in [place for place in spread(len(nus)) if place > 0][:FIRST]:
        pair = solutions(problem, nus[position - 1 : position + 1])
        next(pair)
        yield _waypoint("nu")
        found = next(pair)
        told = _convergence([found.info["converged"]])
        spent.append(found.seconds)
        report = _report(1, found.seconds, found.certificate.gap, told, found.n_iter)
        yield report | {"next": "start"}
    left = seconds - (time.perf_counter() - start)
    if len(nus) * float(np.mean(spent or [0.0])) <= left:
        yield _waypoint("path")
        yield _timed_path(X, y, S, nus, method, ridge, tol)


def _conic(
    X: Any, y: Any, S: Any, nus: Array, method: str, ridge: float, tol: float, seconds: float
) -> Iterator[Report]:
    """Compiled once, then one ν after the other; one without a solution counts as not solved."""
    if method not in OPTIONS:
        raise ValueError(f"solver must be exact, admm, {', '.join(OPTIONS)}, got {method!r}")
    ready = _ready(method, one_by_one=True)
    start = time.perf_counter()
    problem = make_problem(X, y, S, ridge)
    cones = Cones(problem, method, tol)
    yield ready | {"seconds": time.perf_counter() - start}
    for position in spread(len(nus)):
        nu = float(nus[position])
        start = time.perf_counter()
        found = cones.solve(nu)
        took = time.perf_counter() - start
        gap = certify(problem, cones.graph, found.B, found.b0, found.flows, nu).gap
        solved = int(found.exists)
        yield _report(solved, took, gap, [found.status], found.iterations)


def _ready(method: str, one_by_one: bool) -> Report:
    """The first report: everything is loaded; does each ν have a report of its own?"""
    warnings.simplefilter("ignore", ConvergenceWarning)
    start = time.perf_counter()
    warm_up(method)
    return {"seconds": time.perf_counter() - start, "one_by_one": one_by_one}


def _timed_path(
    X: Any, y: Any, S: Any, nus: Array, method: str, ridge: float, tol: float
) -> Report:
    start = time.perf_counter()
    path = solve_path(X, y, S, nus, ridge=ridge, tol=tol, method=method)
    seconds = time.perf_counter() - start
    told = _convergence(path.info["converged"]) if method == "admm" else path.status.tolist()
    return _report(len(path), seconds, float(path.gap.max()), told, int(path.n_iter.sum()))


def _waypoint(what: str) -> Report:
    """Nothing is solved, but what takes the time from here on is a ν of the path, or the path."""
    return _report(0, 0.0, np.nan, [], 0) | {"next": what}


def _report(
    solved: int, seconds: float, gap: float, statuses: list[str], iterations: int
) -> Report:
    """What was solved, and that a ν is ``next``; other values are ``start`` and ``path``."""
    return {
        "solved": solved,
        "seconds": seconds,
        "gap": gap,
        "statuses": Counter(statuses),
        "iterations": iterations,
        "peak_mb": peak_megabytes(),
        "next": "nu",
    }


def _convergence(converged: Any) -> list[str]:
    """What ADMM's own stopping rule said."""
    return ["converged" if value else "iteration limit" for value in converged]
