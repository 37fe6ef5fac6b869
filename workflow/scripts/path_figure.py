"""Figure of ANMI and number of clusters along ν."""

import pandas as pd

from ccc.job import run
from ccc.plots import path_figure, save_figure

TRUE_CLUSTERS = 10


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores])
    scores["selected"] = scores[params.selected]
    save_figure(path_figure(scores, TRUE_CLUSTERS, params.reduction), output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
