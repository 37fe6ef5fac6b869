"""Table of which clusterings change when the gap is ten times smaller."""

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.job import run
from ccc.results import target_of
from ccc.tables import escape, settled_frame, settled_shapes, write_table

CAPTION = (
    "The proposed method, solved to a relative duality gap of {target:g} and to a tenth of it: for "
    "how many ν the clusterings are the same, the largest difference of their numbers of clusters, "
    "and the ν where they are not the same. The CSV file has all ν, with evidence and accuracy."
)


def main(input, output, params, threads):
    files = zip(params.corpora, input.paths, input.tighter, input.scores, strict=True)
    frame = pd.concat([of_corpus(*each) for each in files], ignore_index=True)
    shapes = settled_shapes(frame)
    tables = {
        "markdown": shapes,
        "latex": [shape.map(escape) for shape in shapes],
    }
    caption = CAPTION.format(target=target_of(params.tol))
    write_table(output, frame, tables, caption, params.remarks, params.table)


def of_corpus(corpus, path, tighter, scores):
    path, tighter = Clusterings.load(path), Clusterings.load(tighter)
    same = np.all(path.labels == tighter.labels, axis=1)
    # Scores are text with ten digits: penalties are those of the path.
    scores = pd.read_csv(scores).assign(nu=path.nus, same=same)
    return settled_frame(corpus, scores, tighter)


if "snakemake" in globals():
    run(main, snakemake)
