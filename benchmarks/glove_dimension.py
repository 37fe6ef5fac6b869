"""What changes if words have 100-dimensional vectors in place of the paper's 300-dimensional ones.

On the newsgroup words that a finished run has selected and that have both vectors, Eq. (1) is
solved with the similarities of either along the same ν, of the paper's grid or between two bounds.
First how alike the similarities are, then a row for each ν and dimension:

    clusters   how many
    agreement  ANMI with the clustering of the other dimension that has nearly as many clusters
    evidence   log marginal likelihood, with the σ of the run
    accuracy   held-out
    gap        relative duality gap

    python benchmarks/glove_dimension.py --run results/paper --small glove.6B.100d.subset.npz \\
        --large glove.6B.300d.partial.npz --between 0.6 5 --count 20
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from measure import Table, thinned
from scipy.stats import spearmanr

import ccc
from ccc.data.embeddings import look_up, read_glove
from ccc.data.features import TextFeatures
from ccc.data.text import Tokens
from ccc.metrics import anmi
from ccc.selection import SigmaChoice, score_held_out
from ccc.similarity import embedding_similarity

COLUMNS = {
    "nu": (10, ".3g"),
    "dimension": (9, "d"),
    "clusters": (8, "d"),
    "agreement": (9, ".3f"),
    "evidence": (10, ".1f"),
    "accuracy": (8, ".4f"),
    "gap": (8, ".1e"),
}
NEIGHBOURS = 5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--run", type=Path, required=True, help="folder of a finished run, results/<run>")
    add("--small", type=Path, required=True, help="file with 100-dimensional vectors")
    add("--large", type=Path, required=True, help="file with 300-dimensional vectors")
    add("--count", type=int, default=30, help="how many ν (default 30)")
    add("--between", type=float, nargs=2, metavar=("LOW", "HIGH"), help="least and largest ν")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    args = parser.parse_args()

    folder = args.run / "text" / "newsgroup20"
    problem, tokens = TextFeatures.load(folder / "problem.npz"), Tokens.load(folder / "tokens.npz")
    sigma = SigmaChoice.load(folder / "sigma.npz").sigma
    position = {word: i for i, word in enumerate(tokens.words.tolist())}
    forms = [tokens.forms_of(position[word]) for word in problem.words.tolist()]
    found = {p: look_up(read_glove(f, p), forms) for p, f in ((100, args.small), (300, args.large))}
    both = np.flatnonzero(found[100][1] & found[300][1])
    S = {p: embedding_similarity(vectors[both]) for p, (vectors, _) in found.items()}
    tell_similarities(S, len(both), len(forms))

    words = problem.take(both)
    nus = (
        np.geomspace(*args.between[::-1], args.count)
        if args.between
        else ccc.nu_grid(len(words.y_train))[thinned(args.count)]
    )
    paths = {p: ccc.solve_path(words.train, words.y_train, S[p], nus, progress=True) for p in S}
    samples = (words.train, words.y_train, words.test, words.y_test)
    scores = {p: score_held_out(path.labels, *samples, sigma) for p, path in paths.items()}
    table = Table(COLUMNS, args.csv)
    for index, nu in enumerate(nus):
        for dimension, other in ((100, 300), (300, 100)):
            path, score = paths[dimension], scores[dimension].iloc[index]
            nearest = np.argmin(abs(paths[other].n_clusters - path.n_clusters[index]))
            table.add(
                nu=float(nu),
                dimension=dimension,
                clusters=int(path.n_clusters[index]),
                agreement=anmi(path.labels[index], paths[other].labels[nearest]),
                evidence=float(score["log_marginal_likelihood"]),
                accuracy=float(score["heldout_accuracy"]),
                gap=float(path.gap[index]),
            )


def tell_similarities(S: dict[int, np.ndarray], count: int, selected: int) -> None:
    """Rank correlation over all pairs, and how many nearest neighbours are the same."""
    pairs = [matrix[np.triu_indices_from(matrix, 1)] for matrix in S.values()]
    nearest = []
    for matrix in S.values():
        others = matrix - 2 * np.eye(count)
        nearest.append(np.argsort(-others, axis=1)[:, :NEIGHBOURS])
    same = [len(set(a) & set(b)) for a, b in zip(*map(np.ndarray.tolist, nearest), strict=True)]
    print(
        f"{count} of {selected} selected words have both vectors; rank correlation of their "
        f"similarities {spearmanr(*pairs).statistic:.3f}; of the {NEIGHBOURS} nearest words "
        f"{np.mean(same):.2f} are the same"
    )


if __name__ == "__main__":
    main()
