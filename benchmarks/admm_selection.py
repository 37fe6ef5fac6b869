"""What the evidence selects from an exact path and from one of ADMM, on the workflow's own draws.

The paper's paths come from ADMM with at most 1000 iterations for each ν. Where that limit is met,
the clusterings on offer differ, and with them what the evidence can choose from. A row for each
repetition and solver:

    best       best ANMI on the path
    selected   ANMI of what the evidence selects
    clusters   how many that has
    inaccurate how many ν of the path miss the tolerance (relative gap above 1e-6)
    worst_gap  largest relative duality gap of the path
    minutes    for the path, one thread

    python benchmarks/admm_selection.py --design agreeing --d 40 --n 4000 --repetitions 3
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from measure import Table, thinned, timed

import ccc
from ccc.data import make_synthetic
from ccc.metrics import anmi
from ccc.seeds import seed_of
from ccc.selection import choose_sigma
from ccc.similarity import ledoit_wolf

COLUMNS = {
    "repetition": (10, "d"),
    "solver": (6, "s"),
    "best": (6, ".3f"),
    "selected": (8, ".3f"),
    "clusters": (8, "d"),
    "inaccurate": (10, "d"),
    "worst_gap": (9, ".1e"),
    "minutes": (7, ".2f"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--design", default="agreeing", help="agreeing (default) or contradicting")
    add("--d", type=int, default=40, help="number of covariates (default 40)")
    add("--n", type=int, default=4000, help="number of samples (default 4000)")
    add("--repetitions", type=int, default=3, help="of the ten of the workflow (default 3)")
    add("--count", type=int, default=300, help="how many ν of the paper's grid (default all 300)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    args = parser.parse_args()

    table = Table(COLUMNS, args.csv)
    for repetition in range(args.repetitions):
        seed = seed_of(args.design, args.d, args.n, repetition, root=0)
        data = make_synthetic(args.design, args.d, args.n, seed)
        S = ledoit_wolf(data.X, data.y)
        sigma = choose_sigma(data.X, data.y)
        nus = ccc.nu_grid(args.n)[thinned(args.count)]
        for solver in ("exact", "admm"):
            with warnings.catch_warnings():
                # How many values of ν are inaccurate is in the table.
                warnings.simplefilter("ignore", ccc.ConvergenceWarning)
                seconds, path = timed(ccc.solve_path, data.X, data.y, S, nus, method=solver)
            selection = ccc.select(path, data.X, data.y, sigma_choice=sigma, sigma_rule="first")
            table.add(
                repetition=repetition,
                solver=solver,
                best=max(anmi(data.labels, labels) for labels in path.labels),
                selected=anmi(data.labels, selection.labels),
                clusters=len(np.unique(selection.labels)),
                inaccurate=int(np.sum(path.gap > 1e-6)),
                worst_gap=float(np.max(path.gap)),
                minutes=seconds / 60,
            )


if __name__ == "__main__":
    main()
