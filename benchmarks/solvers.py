"""Every solver of Eq. (1) on the paper's synthetic problems, side by side.

Each runs alone, in a process of its own with one thread, on the same data; what would take longer
than the limit is extrapolated from a spread of ν. A row is printed as soon as it is measured:

    seconds    wall time of the whole path, compilation not counted
    basis      'path': it was solved as a whole; 'extrapolated'; or why there is nothing: 'time'
               (not one ν within the limit), 'memory', 'failed'
    solved     how many ν were solved
    worst_gap  largest certified relative duality gap among them
    setup      seconds before the clock starts: compilation
    peak_mb    most memory that the process held (10^6 bytes), interpreter included
    times      seconds, divided by the seconds of exact

The workflow does the same at the paper's scale: results/paper/tables/runtime.md.

    python benchmarks/solvers.py --d 40 200 --n 400 --seconds 60 --csv solvers.csv
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

from measure import Table

from ccc.data import make_synthetic
from ccc.grid import nu_grid
from ccc.similarity import ledoit_wolf
from ccc.timing import path_time

SOLVERS = ("exact", "admm", "ecos", "scs", "clarabel")
COLUMNS = {
    "d": (4, "d"),
    "n": (5, "d"),
    "solver": (9, "s"),
    "seconds": (9, ".2f"),
    "basis": (12, "s"),
    "solved": (6, "d"),
    "worst_gap": (9, ".1e"),
    "setup": (6, ".1f"),
    "peak_mb": (7, ".0f"),
    "times": (8, ".1f"),
    "message": (7, "s"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--design", default="contradicting", help="design of the data (default contradicting)")
    add("--d", type=int, nargs="+", default=[40, 200, 1000], help="numbers of covariates")
    add("--n", type=int, nargs="+", default=[40, 400, 4000], help="numbers of samples")
    add("--solvers", nargs="+", choices=SOLVERS, default=SOLVERS, help="default: all")
    add("--count", type=int, default=300, help="values of ν (default 300)")
    add("--seconds", type=float, default=60, help="limit for a path (default 60)")
    add("--memory", type=float, default=14000, help="limit in MB (default 14000)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    add("--small", action="store_true", help="d = 40 and 200, n = 40, 10 s each")
    args = parser.parse_args()
    if args.small:
        args.d, args.n, args.seconds = [40, 200], [40], 10

    table = Table(COLUMNS, args.csv)
    limits = {"seconds": args.seconds, "setup_seconds": 120, "memory_mb": args.memory}
    for d, n in product(args.d, args.n):
        data = make_synthetic(args.design, d=d, n=n, seed=0)
        nus = nu_grid(n, args.count, 30 / args.count)
        problem = (data.X, data.y, ledoit_wolf(data.X, data.y), nus)
        reference = None
        for solver in [name for name in SOLVERS if name in args.solvers]:
            row = path_time(*problem, solver, **limits)
            solved = row["solved"] > 0
            if solver == "exact" and solved:
                reference = row["seconds"]
            table.add(
                d=d,
                n=n,
                solver=solver,
                seconds=row["seconds"] if solved else None,
                basis=row["basis"],
                solved=row["solved"],
                worst_gap=row["worst_gap"] if solved else None,
                setup=row["setup_seconds"],
                peak_mb=row["peak_mb"],
                times=row["seconds"] / reference if solved and reference else None,
                message=row["message"],
            )


if __name__ == "__main__":
    main()
