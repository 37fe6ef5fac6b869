"""Table of what the evidence knows of held-out accuracy."""

import pandas as pd

from ccc.job import run
from ccc.tables import escape, trust_frame, trust_shape, write_table

CAPTION = (
    "Evidence against held-out accuracy over the distinct clusterings of each method: Spearman's "
    "rank correlation, and clusters and accuracy of the clustering that the evidence selects and "
    "of the most accurate one."
)


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores], ignore_index=True)
    frame = trust_frame(scores)
    text = trust_shape(frame)
    tables = {"markdown": [text], "latex": [text.map(escape)]}
    write_table(output, frame, tables, CAPTION, params.remarks, params.table)


if "snakemake" in globals():
    run(main, snakemake)
