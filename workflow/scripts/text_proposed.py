"""Solve Eq. (1) along a stretch of the ν grid, on the covariates of a corpus."""

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.grid import nu_grid, stretches
from ccc.job import run
from ccc.path import solve_path
from ccc.results import target_of
from ccc.storage import load_npz


def main(input, output, params, threads):
    problem, S = TextFeatures.load(input.problem), load_npz(input.similarity)["S"]
    grid = nu_grid(len(problem.y_train), **params.settings["nu_grid"])
    nus = stretches(grid, params.parts)[params.part]
    solver = dict(params.settings["solver"])
    if params.settings.get("tighter"):
        # What is worked for at the usual tolerance is promised, and a tenth of it is worked for.
        solver["tol"] = target_of(solver["tol"])
    path = solve_path(problem.train, problem.y_train, S, nus, **solver)
    Clusterings("nu", path.nus, path.labels, path.gap, float(path.seconds.sum())).save(
        output.clusterings
    )


if "snakemake" in globals():
    run(main, snakemake)
