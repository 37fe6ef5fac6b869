"""Join the stretches of a method's grid."""

from ccc.clusterings import Clusterings
from ccc.job import run


def main(input, output, params, threads):
    Clusterings.join([Clusterings.load(part) for part in input.parts]).save(output.clusterings)


if "snakemake" in globals():
    run(main, snakemake)
