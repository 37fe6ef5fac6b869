"""k-means clusterings of the covariates of a corpus, for a stretch of k."""

import numpy as np

from ccc.baselines import kmeans_path
from ccc.job import run
from ccc.storage import load_npz


def main(input, output, params, threads):
    S = load_npz(input.similarity)["S"]
    ks = np.array_split(np.arange(1, len(S) + 1), params.parts)[params.part]
    kmeans_path(S, ks, random_state=params.settings["seed"]).save(output.clusterings)


if "snakemake" in globals():
    run(main, snakemake)
