"""Compile the kernels of a method by clustering data of no interest."""

import runpy

import numba
import numpy as np

from ccc.data import make_synthetic
from ccc.job import run
from ccc.storage import new_file

# Few samples and many, few covariates and many: each takes its own ways through a solver.
SIZES = [(40, 40), (40, 400), (200, 40)]


def main(input, output, params, threads):
    cluster = runpy.run_path(input.clustering)["cluster"]
    for d, n in SIZES:
        data = make_synthetic(d=d, n=n, seed=0)
        S = np.maximum(np.corrcoef(data.X.T), 0.0)
        # Two classes have kernels of their own.
        for y in (data.y, data.y % 2):
            cluster(S, data.X, y, **params.settings)
    with new_file(output.versions) as file:
        file.write_text(f"numba {numba.__version__}, numpy {np.__version__}\n")


if "snakemake" in globals():
    run(main, snakemake)
