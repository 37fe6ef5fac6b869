"""Compile the kernels of a solver by solving a problem of no interest."""

from pathlib import Path

import numba
import numpy

from ccc.data import make_synthetic
from ccc.job import run
from ccc.path import nu_grid, solve_path


def main(input, output, params, threads):
    data = make_synthetic(d=20, n=20, seed=0)
    solve_path(data.X, data.y, data.S_true, nu_grid(20, count=30, step=1.0), method=params.method)
    Path(output.versions).write_text(f"numba {numba.__version__}, numpy {numpy.__version__}\n")


if "snakemake" in globals():
    run(main, snakemake)
