"""The similarity of covariates: estimated from each data set, or the true one."""

from ccc.data import Dataset
from ccc.job import run
from ccc.similarity import ledoit_wolf
from ccc.storage import save_npz


def main(input, output, params, threads):
    for data_file, file in zip(input.data, output.similarity, strict=True):
        data = Dataset.load(data_file)
        S = data.S_true if params.similarity == "true" else ledoit_wolf(data.X, data.y)
        save_npz(file, S=S)


if "snakemake" in globals():
    run(main, snakemake)
