r"""Why convex clustering fell apart at d = 1000 in the paper: the step of the algorithm (AMA).

Chi and Lange's alternating minimisation is projected gradient ascent on the dual (accelerated, as
in their package) with a fixed step ν, one multiplier λ_l per pair l = (i, j):

    U = A + Dᵀλ,      λ_l <- λ_l - ν (u_i - u_j), cut to length γ w_l,

and a pair is joined where nothing is cut. It converges for ν up to 1/L, L the largest eigenvalue of
DDᵀ over the pairs that are not cut: for a block of covariates that all attract each other, its
size. Beyond that it swings, every multiplier is cut, and no pair is joined: d clusters of one.
Nothing but a duality gap would tell.

A row for each cell and way of solving: 'exact' is our certified solver, 'AMA s' the algorithm with
the step s, 1/d (always safe) or a number. Three rows are there to see whether something else would
do: 'AMA 1/d, 10' ends after ten iterations at each γ, 'exact knn' has the weights of five nearest
neighbours, 'exact grid' the best of all 1,501 γ of the paper. In the others the values of γ are few
and on the paper's grid. AMA starts each γ where the last one ended, and leaves out pairs with
w < 1e-8.

    block      covariates in a block of S*, hence L
    clusters   how many there are at each of the few γ, from the smallest to the largest
    best_anmi  best ANMI of any clustering; the published ones come from the whole grid
    worst_gap  largest duality gap, relative as in ccc.baselines.convex_clustering_path
    published  the paper's ANMI, chosen by the marginal likelihood

    python benchmarks/convex_steps.py --csv convex_steps.csv
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from measure import Table
from scipy.sparse.csgraph import connected_components

from ccc.baselines import convex_clustering_path, convex_clustering_weights
from ccc.data import make_synthetic
from ccc.graph import incidence
from ccc.grid import gamma_grid
from ccc.metrics import anmi
from ccc.similarity import ledoit_wolf

FEW = [1, 10, 100, 1500]
GAMMAS = gamma_grid()[FEW]
LEFT_OUT = 1e-8
BLOCKS = {"contradicting": 5, "agreeing": 10}
PUBLISHED = Path(__file__).parents[1] / "config/published.csv"
COLUMNS = {
    "design": (13, "s"),
    "d": (4, "d"),
    "n": (5, "d"),
    "solved": (11, "s"),
    "block": (5, "d"),
    "clusters": (18, "s"),
    "best_anmi": (9, ".2f"),
    "worst_gap": (9, ".1e"),
    "published": (9, ".2f"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--designs", nargs="+", default=["contradicting", "agreeing"], help="default: both")
    add("--d", type=int, nargs="+", default=[40, 200, 1000], help="numbers of covariates")
    add("--n", type=int, nargs="+", default=[40, 400, 4000], help="numbers of samples")
    add("--step", type=float, default=0.02, help="the fixed step (default 0.02)")
    add("--iterations", type=int, default=50, help="of AMA at each γ, at most (default 50)")
    add("--few", type=int, default=10, help="of one more run with the safe step (default 10)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    add("--small", action="store_true", help="contradicting, d = 40 and 200, n = 400")
    args = parser.parse_args()
    if args.small:
        args.designs, args.d, args.n = ["contradicting"], [40, 200], [400]

    table = Table(COLUMNS, args.csv)
    for design, d, n in product(args.designs, args.d, args.n):
        data = make_synthetic(design, d=d, n=n, seed=0)
        S = ledoit_wolf(data.X, data.y)
        grid = convex_clustering_path(S, gamma_grid())
        knn = convex_clustering_path(S, GAMMAS, weights="knn")
        pairs = sp.triu(convex_clustering_weights(S), 1).tocsr()
        pairs = pairs.multiply(pairs > LEFT_OUT).tocsr()
        runs = {
            "exact": (grid.labels[FEW], grid.gap[FEW]),
            "exact grid": (grid.labels, grid.gap),
            "exact knn": (knn.labels, knn.gap),
            "AMA 1/d": alternating_minimisation(S, pairs, 1 / d, args.iterations),
            f"AMA 1/d, {args.few}": alternating_minimisation(S, pairs, 1 / d, args.few),
            f"AMA {args.step:g}": alternating_minimisation(S, pairs, args.step, args.iterations),
        }
        for name, (labels, gaps) in runs.items():
            table.add(
                design=design,
                d=d,
                n=n,
                solved=name,
                block=d // BLOCKS[design],
                clusters=counts(labels[FEW] if len(labels) > len(FEW) else labels),
                best_anmi=max(anmi(data.labels, row) for row in np.unique(labels, axis=0)),
                worst_gap=float(np.max(gaps)),
                published=published(design, d, n),
            )


def counts(labels: np.ndarray) -> str:
    """Numbers of clusters, one after the other."""
    return " ".join(str(len(np.unique(row))) for row in labels)


def alternating_minimisation(
    A: np.ndarray, pairs: Any, step: float, iterations: int
) -> tuple[np.ndarray, np.ndarray]:
    """Labels and gap at each γ of the grid; components of the pairs are separate problems."""
    d = len(A)
    labels, gaps = np.zeros((len(GAMMAS), d), dtype=int), np.zeros(len(GAMMAS))
    size = 0.5 * float(np.sum((A - A.mean(axis=0)) ** 2))
    which = connected_components(pairs, directed=False)[1]
    for component in range(which.max() + 1):
        members = np.flatnonzero(which == component)
        # Distances within a component are those of its coordinates in the space that it spans.
        points = np.linalg.qr(A[members].T, mode="r").T
        inner = pairs[members][:, members].tocoo()
        found, excess = _ascend(points, inner, step, iterations)
        labels[:, members] = found + d * component
        gaps += excess / size
    return labels, gaps


def _ascend(A: np.ndarray, pairs: Any, step: float, iterations: int) -> tuple[np.ndarray, Any]:
    """The same for one component, gaps not yet relative."""
    D = incidence(len(A), pairs.row, pairs.col)
    multipliers = np.zeros((D.shape[0], A.shape[1]))
    labels, gaps = np.zeros((len(GAMMAS), len(A)), dtype=int), np.zeros(len(GAMMAS))
    for index, gamma in enumerate(GAMMAS):
        radius, ahead, momentum = gamma * pairs.data, multipliers, 1.0
        joined = np.ones(D.shape[0], dtype=bool)
        for iteration in range(iterations):
            moved = ahead - step * (D @ (A + D.T @ ahead))
            length = np.linalg.norm(moved, axis=1)
            joined = length <= radius
            moved *= np.minimum(1.0, radius / np.maximum(length, 1e-300))[:, None]
            following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
            ahead = moved + (momentum - 1) / following * (moved - multipliers)
            multipliers, momentum = moved, following
            if iteration % 10 == 9 or iteration + 1 == iterations:
                gaps[index] = duality_gap(A, D, radius, multipliers)
                if gaps[index] < 1e-9 * float(np.sum(A**2)):
                    break
        ends = pairs.row[joined], pairs.col[joined]
        graph = sp.coo_array((np.ones(joined.sum()), ends), shape=(len(A), len(A)))
        labels[index] = connected_components(graph, directed=False)[1]
    return labels, gaps


def duality_gap(A: np.ndarray, D: Any, radius: np.ndarray, multipliers: np.ndarray) -> float:
    """γ Σ w_l ||u_i - u_j|| + Σ <λ_l, u_i - u_j> at U = A + Dᵀλ: each term is at least 0."""
    apart = D @ (A + D.T @ multipliers)
    lengths = np.linalg.norm(apart, axis=1)
    return float(np.sum(radius * lengths + np.sum(multipliers * apart, axis=1)))


def published(design: str, d: int, n: int) -> float | None:
    """The paper's ANMI of convex clustering, if it has that cell."""
    rows = pd.read_csv(PUBLISHED).query(
        "measure == 'anmi' and method == 'convex' and selection == 'marginal_likelihood'"
        f" and design == '{design}' and d == {d} and n == {n}"
    )
    return None if rows.empty else float(rows["mean"].iloc[0])


if __name__ == "__main__":
    main()
