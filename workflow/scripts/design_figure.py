"""Figure of a synthetic design."""

from ccc.data import Dataset
from ccc.job import run
from ccc.plots import design_figure, save_figure


def main(input, output, params, threads):
    data = Dataset.load(input.data)
    figure = design_figure(data.labels, data.B_true.argmax(axis=0), data.S_true)
    save_figure(figure, output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
