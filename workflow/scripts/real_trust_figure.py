"""Figure of held-out accuracy against the evidence."""

import pandas as pd

from ccc.job import run
from ccc.plots import save_figure, trust_figure


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores], ignore_index=True)
    save_figure(trust_figure(scores, params.remarks), output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
