"""The group lasso along its grid of γ, on all words."""

from ccc.baselines import group_lasso_path
from ccc.data.features import TextFeatures
from ccc.grid import nu_grid
from ccc.job import run


def main(input, output, params, threads):
    features = TextFeatures.load(input.features)
    gammas = nu_grid(len(features.y_train), **params.grid)
    group_lasso_path(features.train, features.y_train, gammas, **params.solver).save(output.path)


if "snakemake" in globals():
    run(main, snakemake)
