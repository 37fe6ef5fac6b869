"""Figure of the evidence against ANMI of every clustering on the paths."""

import pandas as pd

from ccc.job import run
from ccc.plots import evidence_figure, save_figure


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores])
    scores["selected"] = scores[params.selected]
    save_figure(evidence_figure(scores, params.reduction), output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
