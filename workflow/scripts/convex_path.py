"""Cluster the rows of S by convex clustering along the γ grid, for each repetition."""

from ccc.baselines import convex_clustering_path
from ccc.grid import gamma_grid
from ccc.job import run
from ccc.storage import load_npz


def main(input, output, params, threads):
    for similarity_file, file in zip(input.similarity, output.path, strict=True):
        cluster(load_npz(similarity_file)["S"], **params.settings).save(file)


def cluster(S, X=None, y=None, *, max, per_unit, **settings):
    """The path of a sample, which S stands for, at γ = 0, 1/per_unit, ..., max."""
    return convex_clustering_path(S, gamma_grid(max, per_unit), **settings)


if "snakemake" in globals():
    run(main, snakemake)
