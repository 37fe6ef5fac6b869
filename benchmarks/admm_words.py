"""What the paper's ADMM calls clusters of words before it has converged.

On the words of a corpus of a finished run, one ν after the other from large to small as in the
paper, each with a limit of iterations. Where that is met, the pairs whose copies happen to be equal
are not those that are equal at the optimum. A row for every so many iterations:

    iterations  of ADMM at this ν so far
    clusters    how many
    largest     words in the largest of them
    accuracy    held-out, with the σ of the run
    gap         relative duality gap
    minutes     at this ν so far, one thread
    exact       clusters of the exact solution, from the run's path

    python benchmarks/admm_words.py --run results/paper --corpus newsgroup20 --nus 0.6 0.3
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from measure import Table

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.problem import make_problem
from ccc.selection import SigmaChoice, score_held_out
from ccc.solvers.admm import Settings, solve_path
from ccc.storage import load_npz

COLUMNS = {
    "nu": (8, ".3g"),
    "iterations": (10, "d"),
    "clusters": (8, "d"),
    "largest": (7, "d"),
    "accuracy": (8, ".4f"),
    "gap": (8, ".1e"),
    "minutes": (7, ".2f"),
    "exact": (5, "d"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--run", type=Path, required=True, help="folder of a finished run, results/<run>")
    add("--corpus", default="newsgroup20", help="newsgroup20 (default) or imdb")
    add("--nus", type=float, nargs="+", default=[0.6, 0.3], help="values of ν (default 0.6 0.3)")
    add("--iterations", type=int, default=1000, help="limit for each ν (default 1000, the paper's)")
    add("--every", type=int, default=100, help="iterations from row to row (default 100)")
    add("--ridge", type=float, default=0.1, help="λ of the run (default 0.1)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    args = parser.parse_args()

    folder = args.run / "text" / args.corpus
    words, S = TextFeatures.load(folder / "problem.npz"), load_npz(folder / "similarity.npz")["S"]
    sigma = SigmaChoice.load(folder / "sigma.npz").sigma
    exact = Clusterings.load(folder / "proposed.npz")
    problem = make_problem(words.train, words.y_train, S, args.ridge)
    # The same ν again goes on from where the limit stopped it.
    rows = -(-args.iterations // args.every)
    nus = np.repeat(sorted(args.nus, reverse=True), rows)
    path, _ = solve_path(problem, nus, 1e-6, progress=True, settings=Settings(max_iter=args.every))
    samples = (words.train, words.y_train, words.test, words.y_test)
    scores = score_held_out(path.labels, *samples, sigma)

    table = Table(COLUMNS, args.csv)
    for index, nu in enumerate(nus):
        first = index - index % rows
        nearest = int(np.argmin(abs(np.log(exact.nus / nu))))
        table.add(
            nu=float(nu),
            iterations=int(path.n_iter[first : index + 1].sum()),
            clusters=int(path.n_clusters[index]),
            largest=int(np.bincount(path.labels[index]).max()),
            accuracy=float(scores["heldout_accuracy"].iloc[index]),
            gap=float(path.gap[index]),
            minutes=float(path.seconds[first : index + 1].sum()) / 60,
            exact=int(exact.n_clusters[nearest]),
        )


if __name__ == "__main__":
    main()
