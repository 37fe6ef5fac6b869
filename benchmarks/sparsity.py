"""Selection and clustering in one problem: the ν path with sparsity γ beside that without.

γ is given as a share of the smallest one that makes all covariates irrelevant at ν = 0, the
largest gradient at B = 0. All shares of a problem are solved in one process with one thread,
kernels compiled before the clock starts:

    seconds     wall time of the whole path
    cpu         seconds of the processor, which other work on the machine touches less
    times       cpu, divided by that of γ = 0
    worst_gap   largest relative duality gap
    steps       Newton steps
    irrelevant  covariates that are irrelevant at the smallest ν, and at the largest

    python benchmarks/sparsity.py --d 40 200 --n 40 400 --csv sparsity.csv
"""

from __future__ import annotations

import argparse
import time
from itertools import product
from pathlib import Path
from typing import Any

from measure import Table, alone, show_log, thinned, timed

COLUMNS = {
    "design": (13, "s"),
    "d": (4, "d"),
    "n": (4, "d"),
    "share": (6, "g"),
    "seconds": (8, ".2f"),
    "cpu": (7, ".2f"),
    "times": (5, ".2f"),
    "worst_gap": (9, ".1e"),
    "steps": (5, "d"),
    "irrelevant": (10, "s"),
}


def run(design: str, d: int, n: int, seed: int, count: int, shares: list[float]) -> list[Any]:
    """One row per share of γ."""
    import numpy as np

    import ccc

    data = ccc.data.make_synthetic(design, d, n, seed)
    X, y = data.X, data.y
    S = ccc.similarity.ledoit_wolf(X, y)
    nus = ccc.nu_grid(n)[thinned(count)]
    Y = (y[:, None] == np.unique(y)).astype(float)
    top = float(np.linalg.norm(X.T @ (Y - Y.mean(axis=0)), axis=1).max())
    for gamma in (0.0, 0.1 * top):
        ccc.solve_path(X, y, S, nus[:: max(len(nus) // 15, 1)], sparsity=gamma)
    show_log()
    rows: list[dict[str, Any]] = []
    for share in shares:
        start = time.process_time()
        seconds, path = timed(ccc.solve_path, X, y, S, nus, sparsity=share * top, progress=True)
        cpu = time.process_time() - start
        zeros = path.irrelevant.sum(axis=1)
        rows.append(
            {
                "share": share,
                "seconds": seconds,
                "cpu": cpu,
                "times": cpu / rows[0]["cpu"] if rows else 1.0,
                "worst_gap": float(path.gap.max()),
                "steps": int(path.n_iter.sum()),
                "irrelevant": f"{zeros[-1]} to {zeros[0]}",
            }
        )
    return rows


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--d", type=int, nargs="+", default=[40, 200], help="numbers of covariates")
    add("--n", type=int, nargs="+", default=[40, 400], help="numbers of samples")
    add("--designs", nargs="+", default=["contradicting"], help="designs of the data")
    add("--shares", type=float, nargs="+", default=[0.003, 0.03, 0.1, 0.3], help="γ beside zero")
    add("--seed", type=int, default=3, help="seed of the data (default 3)")
    add("--count", type=int, default=300, help="values of ν, out of the paper's 300 (default all)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    add("--small", action="store_true", help="d = 40, n = 40")
    options = parser.parse_args()
    if options.small:
        options.d, options.n = [40], [40]
    return options


def main() -> None:
    options = arguments()
    table = Table(COLUMNS, options.csv)
    for design, d, n in product(options.designs, options.d, options.n):
        shares = [0.0, *options.shares]
        for row in alone(run, design, d, n, options.seed, options.count, shares):
            table.add(design=design, d=d, n=n, **row)


if __name__ == "__main__":
    main()
