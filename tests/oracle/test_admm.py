"""The paper's ADMM against Clarabel, where the paper's settings converge."""

import numpy as np
import pytest

import ccc
from ccc.problem import make_problem
from ccc.solvers import admm
from tests.oracle.twin import clarabel, partition_of, random_instance

CASES = [(0, 40, 8, 2, 1.0), (1, 40, 8, 3, 1.0), (2, 12, 15, 4, 0.5), (3, 60, 10, 3, 0.3)]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("seed", "n", "d", "c", "density"), CASES)
def test_tight_admm_reaches_the_optimum(seed, n, d, c, density):
    """With the stopping rule tightened, the same iteration converges to Clarabel's solution."""
    instance = random_instance(seed, n, d, c, density)
    problem = make_problem(instance.X, instance.y, instance.S)
    settings = admm.Settings(epsilon=1e-6, max_iter=20_000)
    path, _ = admm.solve_path(problem, np.array([0.5]), 1e-6, settings=settings)
    B, _, optimum = clarabel(instance, 0.5)
    assert path.info["converged"][0]
    # L-BFGS at scipy's default tolerances limits what the iteration can reach.
    assert path.objective[0] == pytest.approx(optimum, rel=2e-5)
    assert path.dual[0] <= optimum * (1 + 1e-9)
    assert np.array_equal(path.labels[0], partition_of(B, instance.S, 1e-5))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_reported_gap_is_the_certificate_recomputed_from_the_data():
    instance = random_instance(4, 50, 9, 3)
    fit = ccc.solve(instance.X, instance.y, instance.S, 2.0, method="admm")
    again = ccc.certificate(instance.X, instance.y, instance.S, fit.B, fit.b0, fit.flows, fit.nu)
    assert again.gap == pytest.approx(fit.gap, rel=1e-12)
    assert again.excess <= 1e-12


def test_cap_is_reported_as_not_converged():
    instance = random_instance(5, 50, 9, 3)
    problem = make_problem(instance.X, instance.y, instance.S)
    path, _ = admm.solve_path(problem, np.array([50.0]), 1e-6, settings=admm.Settings(max_iter=3))
    assert path.n_iter[0] == 3
    assert not path.info["converged"][0]
    assert path.status[0] == "inaccurate"
    with pytest.warns(ccc.ConvergenceWarning, match="nu = 50 exceeds tol"):
        ccc.solve_path(instance.X, instance.y, instance.S, [50.0], method="admm", tol=1e-9)
