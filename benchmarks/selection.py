"""How long the selection among 1,000 clusterings takes at d = 1000, n = 4000, and how right it is.

The clusterings are k-means of the covariates for k = 1..d, each from its own start as in the
paper's comparison (few iterations: the evidence does not mind), or cuts of one hierarchy (Ward on
rows of the class-centred correlation), whose neighbours differ little. ``--count`` takes so many of
them, evenly over k. Ten are solved again from zero, each on its own, to a tenth of the tolerance.
A row for each σ:

    choose     seconds to choose σ on all samples and covariates, by cross-validation; that is not
               part of what follows, which is done for each σ that is asked for
    seconds    wall time of scoring all of these clusterings
    per_1000   cpu seconds for 1,000 of them
    worst_gap  largest certified distance of a MAP objective from its minimum; of clusterings that
               cannot win it may be large (ccc.selection.scoring)
    best_k     clusters of the winner
    gap_best, error_best   its gap, and how far its evidence is from that solved again (nats)
    error      the largest of these differences over the ten
    cv         cpu seconds of cross-validation with these clusterings in every fold (--cv)

    OMP_NUM_THREADS=1 python benchmarks/selection.py --sigmas 0.01 1 --count 50
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from measure import Table, timed
from scipy.cluster.hierarchy import cut_tree, linkage
from sklearn.cluster import KMeans

from ccc.data import make_synthetic
from ccc.design import as_design
from ccc.graph import canonical_labels
from ccc.selection import choose_sigma
from ccc.selection.crossval import cross_validate
from ccc.selection.folds import stratified_folds
from ccc.selection.laplace import evidence
from ccc.selection.map import TOL, fit_map
from ccc.selection.scoring import score_clusterings

COLUMNS = {
    "sigma": (7, ".3g"),
    "choose": (7, ".1f"),
    "clusterings": (11, "d"),
    "seconds": (8, ".1f"),
    "per_1000": (8, ".1f"),
    "worst_gap": (9, ".1e"),
    "best_k": (6, "d"),
    "gap_best": (8, ".1e"),
    "error_best": (10, ".1e"),
    "error": (8, ".1e"),
    "cv": (7, ".1f"),
}


def cuts(X: np.ndarray, y: np.ndarray, ks: np.ndarray) -> np.ndarray:
    """Labels of the cuts of one tree into k clusters, a row per k."""
    means = np.stack([X[y == k].mean(axis=0) for k in range(y.max() + 1)])
    tree = linkage(np.corrcoef((X - means[y]).T), "ward")
    return np.stack([canonical_labels(row) for row in cut_tree(tree, ks).T])


def k_means(X: np.ndarray, y: np.ndarray, ks: np.ndarray) -> np.ndarray:
    """Labels of k-means on the covariates, seen through at most 200 random projections."""
    points = X.T
    if len(X) > 200:
        points = points @ np.random.default_rng(0).normal(size=(len(X), 200))
    models = [KMeans(int(k), n_init=1, max_iter=5, random_state=0) for k in ks]
    return np.stack([canonical_labels(model.fit_predict(points)) for model in models])


def exactly(X: Any, y: np.ndarray, c: int, labels: np.ndarray, sigma: float) -> float:
    """The evidence of one clustering, from zero and to a tenth of the tolerance."""
    projected = X.project(labels)
    return evidence(projected, fit_map(projected, y, c, sigma, tol=TOL / 10), sigma)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--d", type=int, default=1000)
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--sigmas", type=float, nargs="*", default=[0.01, 1.0])
    parser.add_argument("--design", default="contradicting")
    parser.add_argument("--clusterings", choices=["k_means", "cuts"], default="k_means")
    parser.add_argument("--count", type=int, help="how many clusterings; default all d")
    parser.add_argument("--skip-sigma", action="store_true", help="do not choose sigma")
    parser.add_argument("--cv", action="store_true", help="cross-validation, too")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    parser.add_argument("--small", action="store_true", help="d = 200, n = 400, 50 clusterings")
    args = parser.parse_args()
    if args.small:
        args.d, args.n, args.count = 200, 400, 50

    data = make_synthetic(args.design, d=args.d, n=args.n, seed=0)
    X, y = data.X, data.y
    c = int(y.max()) + 1
    choose = None if args.skip_sigma else timed(choose_sigma, X, y)[0]
    ks = np.unique(np.linspace(1, args.d, args.count or args.d).round().astype(int))
    labels = (k_means if args.clusterings == "k_means" else cuts)(X, y, ks)
    design, folds = as_design(X), stratified_folds(np.unique(y), y, 5, 0)
    table = Table(COLUMNS, args.csv)
    for sigma in args.sigmas:
        begin = time.process_time()
        seconds, found = timed(score_clusterings, design, y, c, labels, sigma)
        cpu = time.process_time() - begin
        values, best = found.evidence, int(np.argmax(found.evidence))
        tried = sorted({best, *range(0, len(ks), max(1, len(ks) // 10))})
        errors = {i: abs(values[i] - exactly(design, y, c, labels[i], sigma)) for i in tried}
        begin = time.process_time()
        if args.cv:
            cross_validate(X, y, design, y, labels, sigma, folds)
        table.add(
            sigma=sigma,
            choose=choose,
            clusterings=len(ks),
            seconds=seconds,
            per_1000=1000 * cpu / len(ks),
            worst_gap=float(found.gap.max()),
            best_k=int(ks[best]),
            gap_best=float(found.gap[best]),
            error_best=float(errors[best]),
            error=float(max(errors.values())),
            cv=time.process_time() - begin if args.cv else None,
        )


if __name__ == "__main__":
    main()
