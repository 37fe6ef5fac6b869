"""Evidence of clusterings on documents that had no part in making them.

The proposed method builds its clusters from the labels of the training documents, and the evidence
is that of the same labels. Here clusterings of a method of a finished run are scored twice: on the
documents that they were made from, and on as many held-out ones, or half of those. Accuracy is that
of the rest of the held-out documents. A row for each clustering:

    penalty    ν, γ or k, the first that has this clustering
    clusters   how many
    own        log marginal likelihood of the documents it was made from, nats for each
    other      that of the other documents, nats for each
    accuracy   held-out, of the model of its own documents
    afresh     held-out, of the model of the other documents

and at the end the rank correlations of the evidences with the accuracies, and which clustering each
would select.

    python benchmarks/other_documents.py --run results/paper --corpus imdb
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from measure import Table
from scipy.stats import spearmanr

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.selection import SigmaChoice, distinct_rows, score_held_out

COLUMNS = {
    "penalty": (9, ".4g"),
    "clusters": (8, "d"),
    "own": (9, ".5f"),
    "other": (9, ".5f"),
    "accuracy": (8, ".4f"),
    "afresh": (8, ".4f"),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--run", type=Path, required=True, help="folder of a finished run, results/<run>")
    add("--corpus", default="imdb", help="imdb (default) or newsgroup20")
    add("--method", choices=["proposed", "convex", "kmeans"], default="proposed")
    add("--most", type=int, default=60, help="clusterings, spread over the path (default 60)")
    add("--seed", type=int, default=0, help="of the draw of other documents (default 0)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    args = parser.parse_args()

    folder = args.run / "text" / args.corpus
    words = TextFeatures.load(folder / "problem.npz")
    sigma = SigmaChoice.load(folder / "sigma.npz").sigma
    path = Clusterings.load(folder / f"{args.method}.npz")
    first = np.unique(distinct_rows(path.labels)[1], return_index=True)[1]
    first = first[np.unique(np.linspace(0, len(first) - 1, args.most).round().astype(int))]

    held_out = np.random.default_rng(args.seed).permutation(len(words.y_test))
    count = min(len(words.y_train), len(held_out) // 2)
    other, rest = np.sort(held_out[:count]), np.sort(held_out[count:])
    print(f"{len(words.y_train)} documents, {count} others, {len(rest)} for the accuracy")
    judged = words.test[rest], words.y_test[rest]
    labels = path.labels[first]
    own = score_held_out(labels, words.train, words.y_train, *judged, sigma)
    new = score_held_out(labels, words.test[other], words.y_test[other], *judged, sigma)

    rows = pd.DataFrame(
        {
            "penalty": path.nus[first],
            "clusters": own["n_clusters"],
            "own": own["log_marginal_likelihood"] / len(words.y_train),
            "other": new["log_marginal_likelihood"] / count,
            "accuracy": own["heldout_accuracy"],
            "afresh": new["heldout_accuracy"],
        }
    )
    table = Table(COLUMNS, args.csv)
    for row in rows.to_dict("records"):
        table.add(**row)
    for evidence in ("own", "other"):
        best = rows.loc[rows[evidence].idxmax()]
        print(
            f"evidence of {evidence} documents: rank correlation with accuracy "
            f"{spearmanr(rows[evidence], rows['accuracy']).statistic:.2f}, with accuracy afresh "
            f"{spearmanr(rows[evidence], rows['afresh']).statistic:.2f}; selects "
            f"{best['clusters']:.0f} clusters, accuracy {best['accuracy']:.4f}, "
            f"afresh {best['afresh']:.4f}"
        )


if __name__ == "__main__":
    main()
