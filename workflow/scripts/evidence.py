"""Select one clustering of a path by the approximate marginal likelihood."""

from ccc.data import Dataset
from ccc.job import run
from ccc.results import Path
from ccc.selection import select


def main(input, output, params, threads):
    data = Dataset.load(input.data)
    selection = select(Path.load(input.path), data.X, data.y, criterion=params.criterion)
    selection.save(output.selection)


if "snakemake" in globals():
    run(main, snakemake)
