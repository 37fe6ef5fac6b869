"""How long the selection among 1,000 clusterings takes at d = 1000, n = 4000, and how right it is.

The clusterings are k-means of the covariates for k = 1..d, each from its own start as in the
paper's comparison (few iterations: the evidence does not mind), or cuts of one hierarchy (Ward on
rows of the class-centred correlation), whose neighbours differ little. ``--count`` takes so many of
them, evenly over k. Ten are solved again from zero, each on its own, to a tenth of the tolerance.
``--cv`` also times the cross-validation with these clusterings in every fold.

    OMP_NUM_THREADS=1 python benchmarks/selection.py --sigmas 0.01 1 --count 50
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import pandas as pd
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--d", type=int, default=1000)
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--sigmas", type=float, nargs="*", default=[0.01, 1.0])
    parser.add_argument("--design", default="contradicting")
    parser.add_argument("--clusterings", choices=["k_means", "cuts"], default="k_means")
    parser.add_argument("--count", type=int, help="how many clusterings; default all d")
    parser.add_argument("--skip-sigma", action="store_true", help="do not choose sigma")
    parser.add_argument("--cv", action="store_true", help="cross-validation, too")
    parser.add_argument("--small", action="store_true", help="d = 200, n = 400, 50 clusterings")
    args = parser.parse_args()
    if args.small:
        args.d, args.n, args.count = 200, 400, 50

    data = make_synthetic(args.design, d=args.d, n=args.n, seed=0)
    X, y = data.X, data.y
    c = int(y.max()) + 1
    if not args.skip_sigma:
        begin = time.perf_counter()
        choice = choose_sigma(X, y)
        seconds = time.perf_counter() - begin
        print(f"sigma by cross-validation: {seconds:.1f} s, {choice.sigma:g}, {choice.n_tied} tied")
    ks = np.unique(np.linspace(1, args.d, args.count or args.d).round().astype(int))
    labels = (k_means if args.clusterings == "k_means" else cuts)(X, y, ks)
    design, folds = as_design(X), stratified_folds(np.unique(y), y, 5, 0)
    for sigma in args.sigmas:
        begin, cpu = time.perf_counter(), time.process_time()
        found = score_clusterings(design, y, c, labels, sigma)
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        values, best = found.evidence, int(np.argmax(found.evidence))
        tried = sorted({best, *range(0, len(ks), max(1, len(ks) // 10))})
        errors = {i: abs(values[i] - exactly(design, y, c, labels[i], sigma)) for i in tried}
        row = {
            "sigma": sigma,
            "clusterings": len(ks),
            "seconds": round(seconds, 1),
            "cpu_seconds": round(cpu, 1),
            "per_1000": round(1000 * cpu / len(ks)),
            "worst_gap": found.gap.max(),
            "worst_error_nats": max(errors.values()),
            "best_k": ks[best],
            "gap_of_best": found.gap[best],
            "error_of_best": errors[best],
        }
        if args.cv:
            cpu = time.process_time()
            cross_validate(X, y, design, y, labels, sigma, folds)
            row["cv_cpu_seconds"] = round(time.process_time() - cpu, 1)
        print(pd.DataFrame([row]).to_string(index=False), flush=True)


if __name__ == "__main__":
    main()
