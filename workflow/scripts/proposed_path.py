"""Solve Eq. (1) along the ν grid."""

from ccc.data import Dataset
from ccc.job import run
from ccc.path import nu_grid, solve_path
from ccc.storage import load_npz


def main(input, output, params, threads):
    data = Dataset.load(input.data)
    S = load_npz(input.similarity)["S"]
    nus = nu_grid(len(data.y), **params.nu_grid)
    path = solve_path(data.X, data.y, S, nus, **params.solver)
    path.save(output.path)


if "snakemake" in globals():
    run(main, snakemake)
