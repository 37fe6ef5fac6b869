"""Figure of the certified gap against seconds."""

import pandas as pd

from ccc.job import run
from ccc.plots import accuracy_figure, save_figure


def main(input, output, params, threads):
    points = pd.concat([pd.read_csv(file) for file in input.points])
    save_figure(accuracy_figure(points, params.reduction), output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
