"""Clusterings of words at penalties that the paper's grid leaves out.

Where many words come together between two neighbours of the grid, or would only beyond its end,
the grid has no clustering of the size that is asked for. On the words of a corpus of a finished
run, the proposed method or convex clustering at a geometric series of penalties (ν or γ). A row for
each:

    penalty    ν or γ
    clusters   how many
    largest    words in the largest of them
    single     words that are a cluster of their own
    evidence   log marginal likelihood, with the σ of the run
    accuracy   held-out
    gap        relative duality gap

    python benchmarks/beyond_grid.py --run results/paper --corpus newsgroup20 --between 0.57 0.61
    python benchmarks/beyond_grid.py --run results/paper --corpus imdb --method convex \\
        --between 5 500 --count 40
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from measure import Table

import ccc
from ccc.baselines import convex_clustering_path
from ccc.data.features import TextFeatures
from ccc.selection import SigmaChoice, score_held_out
from ccc.storage import load_npz

COLUMNS = {
    "penalty": (9, ".5g"),
    "clusters": (8, "d"),
    "largest": (7, "d"),
    "single": (6, "d"),
    "evidence": (10, ".1f"),
    "accuracy": (8, ".4f"),
    "gap": (8, ".1e"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--run", type=Path, required=True, help="folder of a finished run, results/<run>")
    add("--corpus", default="newsgroup20", help="newsgroup20 (default) or imdb")
    add("--method", choices=["proposed", "convex"], default="proposed")
    add("--between", type=float, nargs=2, required=True, metavar=("LOW", "HIGH"))
    add("--count", type=int, default=12, help="penalties, both ends among them (default 12)")
    add("--weights", choices=["knn", "dense"], default="knn", help="of convex clustering")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    args = parser.parse_args()

    folder = args.run / "text" / args.corpus
    words, S = TextFeatures.load(folder / "problem.npz"), load_npz(folder / "similarity.npz")["S"]
    sigma = SigmaChoice.load(folder / "sigma.npz").sigma
    penalties = np.geomspace(*args.between, args.count)
    path = (
        ccc.solve_path(words.train, words.y_train, S, penalties, progress=True)
        if args.method == "proposed"
        else convex_clustering_path(S, penalties, weights=args.weights, progress=True)
    )
    samples = (words.train, words.y_train, words.test, words.y_test)
    scores = score_held_out(path.labels, *samples, sigma)

    table = Table(COLUMNS, args.csv)
    for index, penalty in enumerate(penalties):
        sizes = np.bincount(path.labels[index])
        table.add(
            penalty=float(penalty),
            clusters=len(sizes),
            largest=int(sizes.max()),
            single=int((sizes == 1).sum()),
            evidence=float(scores["log_marginal_likelihood"].iloc[index]),
            accuracy=float(scores["heldout_accuracy"].iloc[index]),
            gap=float(path.gap[index]),
        )


if __name__ == "__main__":
    main()
