"""Time the path of each repetition by one solver."""

import logging

import pandas as pd

from ccc.data import Dataset
from ccc.grid import nu_grid
from ccc.job import run
from ccc.storage import load_npz, new_file
from ccc.timing import describe_machine, path_time

logger = logging.getLogger("ccc.path_time")


def main(input, output, params, threads):
    rows = []
    for repetition, files in enumerate(zip(input.data, input.similarity, strict=True)):
        data, S = Dataset.load(files[0]), load_npz(files[1])["S"]
        n, d = data.X.shape
        nus = nu_grid(n, **params.nu_grid)
        problem = (data.X, data.y, S, nus, params.solver)
        time = path_time(*problem, ridge=params.ridge, tol=params.tol, **params.limits)
        logger.info("%s, repetition %d: %s", params.solver, repetition, time)
        axes = {"solver": params.solver, "design": params.design, "d": d, "n": n}
        rows.append(axes | {"repetition": repetition, "threads": 1} | time)
    frame = pd.DataFrame(rows).assign(machine=describe_machine())
    with new_file(output.times) as file:
        frame.to_csv(file, index=False, float_format="%.6g")


if "snakemake" in globals():
    run(main, snakemake)
