"""What else cross-validation could have been in the paper, on the workflow's own draws.

The workflow estimates S, finds the path anew in each fold and scores accuracy. Each of these may
have been otherwise in the paper: the true S*, clusters of all samples in every fold, and the
log-probability of what is held out. A row for each cell and combination, mean and standard
deviation of ANMI over repetitions, beside the published values by cross-validation:

    S          estimated, or true
    folds      anew: S and clusters from the samples of each fold; fixed: those of all samples
    score      accuracy or log_probability
    worst_gap  largest relative duality gap of the paths on all samples

    python benchmarks/cross_validation.py --cells 40,40 40,400 200,40 --csv cross_validation.csv
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from measure import Table, thinned

import ccc
from ccc.data import make_synthetic
from ccc.metrics import anmi
from ccc.seeds import seed_of
from ccc.selection import choose_sigma
from ccc.similarity import ledoit_wolf

SCORES = ("accuracy", "log_probability")
PUBLISHED = Path(__file__).parents[1] / "config/published.csv"
COLUMNS = {
    "design": (13, "s"),
    "d": (4, "d"),
    "n": (5, "d"),
    "S": (9, "s"),
    "folds": (5, "s"),
    "score": (15, "s"),
    "repetitions": (11, "d"),
    "mean": (6, ".2f"),
    "sd": (6, ".2f"),
    "published": (9, ".2f"),
    "worst_gap": (9, ".1e"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--design", default="contradicting", help="contradicting (default) or agreeing")
    add("--cells", nargs="+", default=["40,40", "40,400", "200,40"], help="d,n of each cell")
    add("--repetitions", type=int, default=10, help="of the ten of the workflow (default all)")
    add("--count", type=int, default=300, help="how many ν of the paper's grid (default all 300)")
    add("--anew", action="store_true", help="also with clusters from each fold, which takes longer")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    args = parser.parse_args()

    table = Table(COLUMNS, args.csv)
    for cell in args.cells:
        d, n = map(int, cell.split(","))
        nus = ccc.nu_grid(n)[thinned(args.count)]
        found = pd.DataFrame(
            row
            for repetition in range(args.repetitions)
            for row in rows_of(args.design, d, n, repetition, nus, args.anew)
        )
        for key, rows in found.groupby(["S", "folds", "score"], sort=False):
            table.add(
                design=args.design,
                d=d,
                n=n,
                **dict(zip(("S", "folds", "score"), key, strict=True)),
                repetitions=len(rows),
                mean=float(rows["anmi"].mean()),
                sd=float(rows["anmi"].std()),
                published=published(args.design, d, n),
                worst_gap=float(rows["gap"].max()),
            )


def rows_of(
    design: str, d: int, n: int, repetition: int, nus: np.ndarray, anew: bool
) -> list[dict[str, Any]]:
    """ANMI of what is selected from one draw, each way."""
    data = make_synthetic(design, d, n, seed_of(design, d, n, repetition, root=0))
    sigma = choose_sigma(data.X, data.y)
    similarities: dict[str, Callable[[Any, Any], Any]] = {
        "estimated": ledoit_wolf,
        "true": lambda X, y: data.S_true,
    }
    rows = []
    for name, similarity in similarities.items():
        path = ccc.solve_path(data.X, data.y, similarity(data.X, data.y), nus)

        def labels(X: Any, y: Any, similarity: Callable[[Any, Any], Any] = similarity) -> Any:
            return ccc.solve_path(X, y, similarity(X, y), nus).labels

        for folds, recluster in (("fixed", None), ("anew", labels)):
            if recluster is not None and not anew:
                continue
            chosen = ccc.select(
                path,
                data.X,
                data.y,
                criterion="cv",
                sigma_choice=sigma,
                sigma_rule="first",
                recluster=recluster,
            )
            for score in SCORES:
                value = anmi(data.labels, chosen.by(score, path).labels)
                gap = float(np.max(path.gap))
                rows.append({"S": name, "folds": folds, "score": score, "anmi": value, "gap": gap})
    return rows


def published(design: str, d: int, n: int) -> float:
    """The paper's ANMI of the proposed method by cross-validation, nan where it has none."""
    rows = pd.read_csv(PUBLISHED)
    rows = rows[rows["table"] == f"anmi_{design}"].set_index(["method", "d", "n", "selection"])
    key = ("proposed", d, n, "cross_validation")
    return float(rows["mean"][key]) if key in rows.index else np.nan


if __name__ == "__main__":
    main()
