"""σ by cross-validation on the covariates of a corpus."""

from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.selection import choose_sigma


def main(input, output, params, threads):
    features = TextFeatures.load(input.features)
    choose_sigma(features.train, features.y_train).save(output.sigma)


if "snakemake" in globals():
    run(main, snakemake)
