"""Figure of what the colours and numbers of classes mean."""

import numpy as np

from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.plots import legend_figure, save_figure


def main(input, output, params, threads):
    classes = np.unique(TextFeatures.load(input.problem).y_train)
    save_figure(legend_figure(classes.tolist()), output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
