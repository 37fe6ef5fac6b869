"""Measure one solver's gap against seconds."""

import pandas as pd

from ccc.data import Dataset
from ccc.grid import nu_grid
from ccc.job import run
from ccc.storage import load_npz, new_file
from ccc.timing import accuracy_of


def main(input, output, params, threads):
    data, S = Dataset.load(input.data), load_npz(input.similarity)["S"]
    n, d = data.X.shape
    grid = nu_grid(n, **params.nu_grid)
    axes = {"solver": params.solver, "d": d, "n": n}
    rows = [
        axes | {"exponent": exponent, "nu": grid[exponent]} | point
        for exponent in params.exponents
        for point in accuracy_of(
            *(data.X, data.y, S, grid[exponent], params.solver),
            ridge=params.ridge,
            tol=params.tol,
            **params.limits,
        )
    ]
    columns = [*axes, "exponent", "nu", "setting", "seconds", "gap", "status"]
    with new_file(output.points) as file:
        pd.DataFrame(rows, columns=columns).to_csv(file, index=False, float_format="%.6g")


if "snakemake" in globals():
    run(main, snakemake)
