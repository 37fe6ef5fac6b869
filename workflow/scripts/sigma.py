"""Cross-validate σ on the model without clustering, for each repetition."""

from ccc.data import Dataset
from ccc.job import run
from ccc.selection import choose_sigma


def main(input, output, params, threads):
    for data_file, file in zip(input.data, output.sigma, strict=True):
        data = Dataset.load(data_file)
        choose_sigma(data.X, data.y).save(file)


if "snakemake" in globals():
    run(main, snakemake)
