"""Draw one synthetic data set."""

from ccc.data import make_synthetic
from ccc.job import run
from ccc.seeds import seed_of


def main(input, output, params, threads):
    seed = seed_of(params.design, params.d, params.n, params.repetition, root=params.seed)
    data = make_synthetic(params.design, params.d, params.n, seed, weights=params.weights)
    data.save(output.data)


if "snakemake" in globals():
    run(main, snakemake)
