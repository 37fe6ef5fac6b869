"""Cluster the rows of S by k-means for every k, for each repetition."""

from ccc.baselines import kmeans_path
from ccc.job import run
from ccc.storage import load_npz


def main(input, output, params, threads):
    for similarity_file, file in zip(input.similarity, output.path, strict=True):
        cluster(load_npz(similarity_file)["S"], **params.settings).save(file)


def cluster(S, X=None, y=None, *, seed):
    """The path of a sample, which S stands for."""
    return kmeans_path(S, random_state=seed)


if "snakemake" in globals():
    run(main, snakemake)
