"""Convex clustering of the covariates of a corpus, for a stretch of γ."""

import numpy as np

from ccc.baselines import convex_clustering_path
from ccc.grid import gamma_grid
from ccc.job import run
from ccc.storage import load_npz


def main(input, output, params, threads):
    settings = dict(params.settings)
    gammas = gamma_grid(settings.pop("max"), settings.pop("per_unit"))
    part = np.array_split(gammas, params.parts)[params.part]
    S = load_npz(input.similarity)["S"]
    convex_clustering_path(S, part, **settings).save(output.clusterings)


if "snakemake" in globals():
    run(main, snakemake)
