"""Table of the similarities of words, with and without vectors of length one."""

import numpy as np
import pandas as pd

from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.similarity import embedding_similarity
from ccc.storage import load_npz
from ccc.tables import CORPUS_NAMES, escape, write_table

CAPTION = (
    "Similarities of the chosen words from vectors of length one, as in the authors' code, and "
    "from vectors as they are: quantiles over all pairs, and the share of words whose largest "
    "similarity to any other is below 0.001."
)
QUANTILES = {"q05": 0.05, "median": 0.5, "q95": 0.95, "largest": 1.0}


def main(input, output, params, threads):
    rows = []
    files = zip(params.corpora, input.features, input.problems, input.vectors, strict=True)
    for name, features, problem, vectors in files:
        words = TextFeatures.load(features).words
        kept = np.isin(words, TextFeatures.load(problem).words)
        W = load_npz(vectors)["vectors"][kept]
        for normalise in (True, False):
            S = embedding_similarity(W, normalise)
            pairs = S[np.triu_indices_from(S, 1)]
            np.fill_diagonal(S, 0.0)
            rows.append(
                {"corpus": name, "vectors": "length one" if normalise else "as they are"}
                | {key: float(np.quantile(pairs, q)) for key, q in QUANTILES.items()}
                | {"alone": float((S.max(axis=0) < 1e-3).mean())}
            )
    frame = pd.DataFrame(rows)
    text = frame.assign(corpus=frame["corpus"].map(CORPUS_NAMES))
    for key in [*QUANTILES, "alone"]:
        text[key] = frame[key].map("{:.2g}".format)
    tables = {"markdown": [text], "latex": [text.map(escape)]}
    write_table(output, frame, tables, CAPTION, params.remarks, params.table)


if "snakemake" in globals():
    run(main, snakemake)
