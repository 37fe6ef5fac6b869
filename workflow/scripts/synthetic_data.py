"""Draw the synthetic data sets of a cell, one per repetition."""

from ccc.data import make_synthetic
from ccc.job import run
from ccc.seeds import seed_of


def main(input, output, params, threads):
    for repetition, file in enumerate(output.data):
        # The weights are no part of the seed: they change the means, not the draws.
        seed = seed_of(params.design, params.d, params.n, repetition, root=params.seed)
        make_synthetic(params.design, params.d, params.n, seed, weights=params.weights).save(file)


if "snakemake" in globals():
    run(main, snakemake)
