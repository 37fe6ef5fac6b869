"""Every covariate a cluster of its own."""

import numpy as np

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.job import run


def main(input, output, params, threads):
    d = len(TextFeatures.load(input.problem).words)
    labels = np.arange(d)[None]
    Clusterings("k", np.array([float(d)]), labels, np.array([np.nan]), 0.0).save(output.clusterings)


if "snakemake" in globals():
    run(main, snakemake)
