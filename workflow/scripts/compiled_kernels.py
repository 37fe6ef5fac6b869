"""Compile the kernels of a solver by solving problems of no interest."""

from pathlib import Path

import numba
import numpy as np

from ccc.data import make_synthetic
from ccc.job import run
from ccc.path import nu_grid, solve_path

# Few samples and many, few covariates and many: each takes its own ways through a solver.
SIZES = [(40, 40), (40, 400), (200, 40)]


def main(input, output, params, threads):
    for d, n in SIZES:
        data = make_synthetic(d=d, n=n, seed=0)
        S = np.maximum(np.corrcoef(data.X.T), 0.0)
        solve_path(data.X, data.y, S, nu_grid(n, count=30, step=1.0), method=params.method)
    Path(output.versions).write_text(f"numba {numba.__version__}, numpy {np.__version__}\n")


if "snakemake" in globals():
    run(main, snakemake)
