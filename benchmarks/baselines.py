"""The baselines of Section 4 on the paper's synthetic problems: time, memory, and against what.

k-means beside scikit-learn: ours for all k = 1..d; theirs for a few k, each with the seeding and
the stopping rule of ours (k-means++, one start, no tolerance), and the mean over these k times d.
Convex clustering: all γ of the paper's grid. Each runs alone, in a process of its own with one
thread, its kernels compiled before the clock starts. A row is printed as soon as it is measured:

    method     'kmeans', 'scikit-learn', 'convex' (dense weights) or 'knn' (five neighbours)
    seconds    wall time of the whole path; for scikit-learn extrapolated from the k that were run
    values     how many k or γ were run
    clusterings  how many of the clusterings found are different
    worst_gap  largest relative duality gap
    inertia    mean sum of squares over the k that both k-means ran, divided by scikit-learn's
    peak_mb    most memory that the process held (10^6 bytes), interpreter included

    python benchmarks/baselines.py --d 200 1000 --n 400 --csv baselines.csv
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from measure import Table, alone, peak_megabytes, timed
from sklearn.cluster import KMeans

from ccc.baselines import convex_clustering_path, kmeans_path
from ccc.data import make_synthetic
from ccc.similarity import ledoit_wolf

METHODS = ("kmeans", "scikit-learn", "convex", "knn")
COLUMNS = {
    "design": (13, "s"),
    "d": (4, "d"),
    "n": (5, "d"),
    "method": (12, "s"),
    "seconds": (9, ".2f"),
    "values": (6, "d"),
    "clusterings": (11, "d"),
    "worst_gap": (9, ".1e"),
    "inertia": (7, ".3f"),
    "peak_mb": (7, ".0f"),
}


def points_of(design: str, d: int, n: int) -> np.ndarray:
    data = make_synthetic(design, d=d, n=n, seed=0)
    return ledoit_wolf(data.X, data.y)


def some_ks(d: int, count: int) -> np.ndarray:
    """``count`` values of k, evenly spread over 1..d."""
    return np.unique(np.linspace(1, d, count).round().astype(int))


def sum_of_squares(points: np.ndarray, labels: np.ndarray) -> float:
    sums = np.zeros((labels.max() + 1, points.shape[1]))
    np.add.at(sums, labels, points)
    means = sums / np.bincount(labels)[:, None]
    return float(np.sum((points - means[labels]) ** 2))


def distinct(labels: np.ndarray) -> int:
    return len(np.unique(labels, axis=0))


def measure_kmeans(design: str, d: int, n: int, count: int) -> dict[str, Any]:
    points, ks = points_of(design, d, n), some_ks(d, count)
    kmeans_path(points, [1, 2])
    path = kmeans_path(points)
    squares = [sum_of_squares(points, path.labels[k - 1]) for k in ks]
    return {
        "seconds": path.seconds,
        "values": len(path),
        "clusterings": distinct(path.labels),
        "worst_gap": None,
        "squares": squares,
        "peak_mb": peak_megabytes(),
    }


def measure_scikit_learn(design: str, d: int, n: int, count: int) -> dict[str, Any]:
    points, ks = points_of(design, d, n), some_ks(d, count)
    runs = [
        timed(KMeans(int(k), n_init=1, tol=0, algorithm="lloyd", random_state=0).fit, points)
        for k in ks
    ]
    return {
        "seconds": d * float(np.mean([seconds for seconds, _ in runs])),
        "values": len(ks),
        "clusterings": distinct(np.stack([fit.labels_ for _, fit in runs])),
        "worst_gap": None,
        "squares": [fit.inertia_ for _, fit in runs],
        "peak_mb": peak_megabytes(),
    }


def measure_convex(design: str, d: int, n: int, weights: str, count: int) -> dict[str, Any]:
    gammas = np.linspace(0, 5, count)
    path = convex_clustering_path(points_of(design, d, n), gammas, weights=weights)
    return {
        "seconds": path.seconds,
        "values": len(path),
        "clusterings": distinct(path.labels),
        "worst_gap": path.gap.max(),
        "squares": None,
        "peak_mb": peak_megabytes(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--designs", nargs="+", default=["contradicting"], help="designs of the data")
    add("--d", type=int, nargs="+", default=[40, 200, 1000], help="numbers of covariates")
    add("--n", type=int, nargs="+", default=[400], help="numbers of samples (default 400)")
    add("--methods", nargs="+", choices=METHODS, default=METHODS, help="default: all")
    add("--ks", type=int, default=8, help="values of k for scikit-learn (default 8)")
    add("--gammas", type=int, default=1501, help="values of γ from 0 to 5 (default 1501)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    add("--small", action="store_true", help="d = 200, n = 400, 151 γ")
    args = parser.parse_args()
    if args.small:
        args.d, args.n, args.gammas = [200], [400], 151

    table = Table(COLUMNS, args.csv)
    for design, d, n in product(args.designs, args.d, args.n):
        rows: dict[str, dict[str, Any]] = {}
        for method in METHODS:
            if method not in args.methods:
                continue
            if method == "kmeans":
                row = alone(measure_kmeans, design, d, n, args.ks)
            elif method == "scikit-learn":
                row = alone(measure_scikit_learn, design, d, n, args.ks)
            else:
                weights = "dense" if method == "convex" else "knn"
                row = alone(measure_convex, design, d, n, weights, args.gammas)
            rows[method] = row
            both = method == "scikit-learn" and "kmeans" in rows
            # At k = d all sums of squares are rounding errors; the mean does not notice.
            ratio = np.mean(rows["kmeans"]["squares"]) / np.mean(row["squares"]) if both else None
            table.add(design=design, d=d, n=n, method=method, inertia=ratio, **row)


if __name__ == "__main__":
    main()
