"""The ν path of the paper's synthetic problems: exact against a prototype and the paper's ADMM.

Each solver runs alone, in a process of its own with one thread, on the same data, its kernels
compiled before the clock starts. A row is printed as soon as it is measured:

    seconds    wall time of the whole path; of exact and prototype the median of five if it is short
    basis      'path': it was solved as a whole; 'extrapolated': 'seconds' is the mean over a spread
               of ν, each started from the solution of its neighbour, times the length of the path;
               'none': no ν was solved in the time allowed
    nus        how many ν were solved
    worst_gap  largest relative duality gap among them
    steps      Newton steps of exact and prototype, iterations of ADMM, over all of them
    peak_mb    most memory that the process held (10^6 bytes), interpreter included
    times      seconds, divided by the seconds of exact

and at the end, in Markdown, one line per problem with the solvers side by side.

    python benchmarks/exact_paths.py --d 40 200 --n 400 --prototype FOLDER --csv paths.csv
"""

from __future__ import annotations

import argparse
import signal
import statistics
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from measure import Table, alone, peak_megabytes, show_log, thinned, timed

SPREAD = 16  # values of ν, a power of two, from which a path that takes too long is extrapolated
CALLS, SHORT = 5, 4.0  # paths that take fewer seconds are solved so often, and the median counts
PROTOTYPE_TOL = 1e-10  # what exact reaches for
COLUMNS = {
    "design": (13, "s"),
    "d": (4, "d"),
    "n": (5, "d"),
    "seed": (4, "d"),
    "solver": (9, "s"),
    "seconds": (9, ".2f"),
    "basis": (12, "s"),
    "nus": (4, "d"),
    "worst_gap": (9, ".1e"),
    "steps": (6, "d"),
    "peak_mb": (7, ".0f"),
    "times": (7, ".2f"),
}


class Cell(NamedTuple):
    """One problem: a synthetic data set, and the grid."""

    design: str
    d: int
    n: int
    seed: int
    count: int

    def problem(self) -> tuple[Any, Any, Any]:
        """X, y and the Ledoit–Wolf similarity."""
        from ccc.data import make_synthetic
        from ccc.similarity import ledoit_wolf

        data = make_synthetic(self.design, self.d, self.n, self.seed)
        return data.X, data.y, ledoit_wolf(data.X, data.y)

    def nus(self) -> Any:
        """The values of ν, descending."""
        from ccc.grid import nu_grid

        return nu_grid(self.n)[thinned(self.count)]


# Together they call every kernel: few samples and many, dense and iterative Newton steps.
WARM_UP = [
    Cell("contradicting", 40, 40, 0, 30),
    Cell("contradicting", 40, 400, 3, 100),
    Cell("contradicting", 200, 40, 0, 30),
]


def run_exact(cell: Cell) -> dict[str, Any]:
    """``method="exact"``, the whole path."""
    import ccc

    for small in WARM_UP:
        ccc.solve_path(*small.problem(), small.nus())
    show_log()
    problem, nus = cell.problem(), cell.nus()
    seconds, path = median_timed(ccc.solve_path, *problem, nus, progress=True)
    return {
        "seconds": seconds,
        "basis": "path",
        "nus": len(path),
        "worst_gap": float(path.gap.max()),
        "steps": int(path.n_iter.sum()),
        "peak_mb": peak_megabytes(),
    }


def run_prototype(cell: Cell, folder: Path) -> dict[str, Any]:
    """``run_path`` of ``path3.py`` in ``folder``, the whole path."""
    sys.path.insert(0, str(folder))
    from path3 import run_path

    for small in WARM_UP:
        run_path(*small.problem(), alist=thinned(small.count)[::-1], verbose=0)
    options = {"alist": thinned(cell.count)[::-1], "verbose": 0, "tol": PROTOTYPE_TOL}
    seconds, (solver, log, _) = median_timed(run_path, *cell.problem(), **options)
    return {
        "seconds": seconds,
        "basis": "path",
        "nus": len(log),
        "worst_gap": float(max(row["gap"] for row in log)),
        "steps": int(solver.st["newton"]),
        "peak_mb": peak_megabytes(),
    }


def run_admm(cell: Cell, limit: float) -> dict[str, Any]:
    """``method="admm"``: a spread of ν, then the whole path if that promises to fit the limit."""
    import ccc

    warnings.simplefilter("ignore", ccc.ConvergenceWarning)
    ccc.solve_path(*WARM_UP[0].problem(), WARM_UP[0].nus()[-2:], method="admm")
    show_log()
    problem, nus = cell.problem(), cell.nus()
    seconds, basis, fits = None, "none", []
    with stopped_after(limit):
        for position in spread(len(nus)):
            neighbours = nus[max(0, position - 1) : position + 1]
            fits.append(ccc.solve_path(*problem, neighbours, method="admm")[-1])
    if fits:
        seconds, basis = len(nus) * sum(fit.seconds for fit in fits) / len(fits), "extrapolated"
        if seconds <= limit:
            with stopped_after(limit):
                seconds, fits = timed(ccc.solve_path, *problem, nus, method="admm")
                basis = "path"
    return {
        "seconds": seconds,
        "basis": basis,
        "nus": len(fits),
        "worst_gap": max((fit.gap for fit in fits), default=None),
        "steps": sum(fit.n_iter for fit in fits),
        "peak_mb": peak_megabytes(),
    }


def median_timed(function: Any, *arguments: Any, **options: Any) -> tuple[float, Any]:
    """Median wall seconds of some calls, or of one that takes long; what the last one returned."""
    times = []
    for _ in range(CALLS):
        seconds, value = timed(function, *arguments, **options)
        times.append(seconds)
        if seconds > SHORT:
            break
    return statistics.median(times), value


def spread(length: int) -> list[int]:
    """Positions on a grid, evenly spread, in an order whose beginnings are spread as well."""
    bits = (SPREAD - 1).bit_length()
    reversed_bits = (int(f"{i:0{bits}b}"[::-1], 2) for i in range(SPREAD))
    return list(dict.fromkeys(int((i + 0.5) * length / SPREAD) for i in reversed_bits))


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Leave the block when the time is over."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except TimeoutError:
        print(f"  stopped after {seconds:g} s", file=sys.stderr, flush=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--d", type=int, nargs="+", default=[40, 200, 1000], help="numbers of covariates")
    add("--n", type=int, nargs="+", default=[40, 400, 4000], help="numbers of samples")
    add("--designs", nargs="+", default=["contradicting", "agreeing"], help="designs of the data")
    add("--seed", type=int, default=3, help="seed of the data (default 3)")
    add("--count", type=int, default=300, help="values of ν, out of the paper's 300 (default all)")
    add("--prototype", type=Path, metavar="FOLDER", help="folder of a path3.py to compare with")
    add(
        "--admm-limit",
        type=float,
        default=600.0,
        metavar="SECONDS",
        help="per problem; a path that takes longer is extrapolated (default 600; 0: no ADMM)",
    )
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    add("--small", action="store_true", help="d = 40, n = 40 and 400, ADMM limit 30 s")
    options = parser.parse_args()
    if options.small:
        options.d, options.n, options.admm_limit = [40], [40, 400], 30.0
    return options


def main() -> None:
    options = arguments()
    solvers: dict[str, tuple[Any, ...]] = {"exact": (run_exact,)}
    if options.prototype is not None:
        solvers["prototype"] = (run_prototype, options.prototype.resolve())
    if options.admm_limit > 0:
        solvers["admm"] = (run_admm, options.admm_limit)
    table = Table(COLUMNS, options.csv)
    lines = []
    for design, d, n in product(options.designs, options.d, options.n):
        cell = Cell(design, d, n, options.seed, options.count)
        results: dict[str, dict[str, Any]] = {}
        for solver, (run, *settings) in solvers.items():
            result = alone(run, cell, *settings)
            results[solver] = result
            exact = results["exact"]["seconds"]
            result["times"] = result["seconds"] and result["seconds"] / exact
            table.add(**cell._asdict(), solver=solver, **result)
        lines.append(side_by_side(cell, results))
    print("\n" + "\n".join([*header(list(solvers)), *lines]))


def header(solvers: list[str]) -> list[str]:
    """The first two lines of the Markdown table."""
    names = ["design", "d", "n"]
    for solver in solvers:
        names += [f"{solver}, s", "worst gap", "MB"]
        names += [] if solver == "exact" else ["times exact"]
    return ["| " + " | ".join(names) + " |", "| :-- " + "| --: " * (len(names) - 1) + "|"]


def side_by_side(cell: Cell, results: dict[str, dict[str, Any]]) -> str:
    """A line of the Markdown table; ≈ marks what is extrapolated."""
    cells = [cell.design, f"{cell.d}", f"{cell.n}"]
    for solver, result in results.items():
        about = "≈ " if result["basis"] == "extrapolated" else ""
        if result["basis"] == "none":
            cells += ["–", "–", f"{result['peak_mb']:.0f}"]
        else:
            cells += [f"{about}{result['seconds']:.2f}", f"{result['worst_gap']:.1e}"]
            cells += [f"{result['peak_mb']:.0f}"]
        if solver != "exact":
            cells += [f"{about}{result['times']:.1f}" if result["times"] else "–"]
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
