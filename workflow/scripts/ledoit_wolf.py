"""Estimate the similarity of covariates from a data set."""

from ccc.data import Dataset
from ccc.job import run
from ccc.similarity import ledoit_wolf
from ccc.storage import save_npz


def main(input, output, params, threads):
    data = Dataset.load(input.data)
    save_npz(output.similarity, S=ledoit_wolf(data.X, data.y))


if "snakemake" in globals():
    run(main, snakemake)
