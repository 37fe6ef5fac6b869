"""Figure of held-out accuracy against the number of clusters."""

import pandas as pd

from ccc.job import run
from ccc.plots import compactness_figure, save_figure


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores], ignore_index=True)
    # The published points are of the real corpora.
    published = pd.read_csv(input.published).iloc[: 0 if params.sample else None]
    figure = compactness_figure(scores, published, params.remarks)
    save_figure(figure, output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
