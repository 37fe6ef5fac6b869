"""Figure of seconds per path against d and n."""

import pandas as pd

from ccc.job import run
from ccc.plots import save_figure, scaling_figure


def main(input, output, params, threads):
    frame = pd.read_csv(input.table)
    save_figure(scaling_figure(frame, params.reduction), output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
