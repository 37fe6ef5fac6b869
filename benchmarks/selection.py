"""How long the evidence of 1,000 clusterings takes at d = 1000, n = 4000, and how right it is.

The clusterings are all cuts k = 1..1000 of one hierarchy over the covariates (Ward, rows of the
class-centred correlation), the size of a k-means grid: far more than the 15-40 distinct clusterings
of a path. Every hundredth is solved again from zero, on its own, to a tenth of the tolerance.

    OMP_NUM_THREADS=1 python benchmarks/selection.py --sigmas 0.01 1
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import cut_tree, linkage

from ccc.data import make_synthetic
from ccc.design import as_design
from ccc.graph import canonical_labels
from ccc.selection import choose_sigma
from ccc.selection.laplace import evidence
from ccc.selection.map import TOL
from ccc.selection.select import score_clusterings


def all_cuts(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(d, d) labels of the cuts into 1..d clusters."""
    means = np.stack([X[y == k].mean(axis=0) for k in range(y.max() + 1)])
    tree = linkage(np.corrcoef((X - means[y]).T), "ward")
    return np.stack([canonical_labels(row) for row in cut_tree(tree).T[::-1]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--d", type=int, default=1000)
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--sigmas", type=float, nargs="*", default=[0.01, 1.0])
    parser.add_argument("--design", default="contradicting")
    parser.add_argument("--skip-cv", action="store_true")
    parser.add_argument("--small", action="store_true", help="d = 200, n = 400")
    args = parser.parse_args()
    if args.small:
        args.d, args.n = 200, 400

    data = make_synthetic(args.design, d=args.d, n=args.n, seed=0)
    X, y = data.X, data.y
    c = int(y.max()) + 1
    if not args.skip_cv:
        begin = time.perf_counter()
        choice = choose_sigma(X, y)
        seconds = time.perf_counter() - begin
        print(f"sigma by cross-validation: {seconds:.1f} s, {choice.sigma:g}, {choice.n_tied} tied")
    cuts = all_cuts(X, y)
    design = as_design(X)
    rows = []
    for sigma in args.sigmas:
        begin, cpu = time.perf_counter(), time.process_time()
        values, gaps = score_clusterings(design, y, c, cuts, sigma)
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        errors = [
            abs(values[i] - evidence(design.project(cuts[i]), y, c, sigma, tol=TOL / 10).value)
            for i in range(0, len(cuts), max(1, len(cuts) // 10))
        ]
        rows.append(
            {
                "sigma": sigma,
                "clusterings": len(cuts),
                "seconds": round(seconds, 1),
                "cpu_seconds": round(cpu, 1),
                "worst_gap": gaps.max(),
                "worst_error_nats": max(errors),
                "best_k": int(np.argmax(values)) + 1,
            }
        )
        print(pd.DataFrame(rows[-1:]).to_string(index=False), flush=True)


if __name__ == "__main__":
    main()
