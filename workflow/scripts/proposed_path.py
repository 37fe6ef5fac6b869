"""Solve Eq. (1) along the ν grid, for each repetition."""

from ccc.data import Dataset
from ccc.grid import nu_grid as grid
from ccc.job import run
from ccc.path import solve_path
from ccc.storage import load_npz


def main(input, output, params, threads):
    files = zip(input.data, input.similarity, output.path, strict=True)
    for data_file, similarity_file, file in files:
        data = Dataset.load(data_file)
        S = load_npz(similarity_file)["S"]
        cluster(S, data.X, data.y, **params.settings).save(file)


def cluster(S, X, y, nu_grid, solver):
    """The path of a sample; ν is in proportion to its size."""
    return solve_path(X, y, S, grid(len(y), **nu_grid), **solver)


if "snakemake" in globals():
    run(main, snakemake)
