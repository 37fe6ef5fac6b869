"""General solvers through CVXPY solve the same problem, with the same certificate."""

import sys

import numpy as np
import pytest

import ccc
from ccc.problem import make_problem
from ccc.solvers.conic import CONIC, Cones
from tests.oracle.twin import clarabel, random_instance

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(params=CONIC)
def solver(request):
    return request.param


@pytest.fixture
def instance():
    return random_instance(3, n=30, d=9, c=3, density=0.7)


def test_every_solver_reaches_the_optimum_and_its_clusters(solver, instance):
    nus = [0.3, 1.0, 3.0]
    data = (instance.X, instance.y, instance.S)
    exact = ccc.solve_path(*data, nus)
    path = ccc.solve_path(*data, nus, method=solver, tol=1e-8)
    np.testing.assert_allclose(path.objective, exact.objective, rtol=1e-6)
    np.testing.assert_array_equal(path.labels, exact.labels)
    assert len(set(exact.n_clusters)) > 1
    assert path.gap.max() < 1e-5
    assert set(path.info["solver_status"]) == {"optimal"}
    assert (path.info["compile_seconds"] > 0).all() and (path.n_iter > 0).all()


def test_the_certificate_is_that_of_the_solution(solver, instance):
    data = (instance.X, instance.y, instance.S)
    fit = ccc.solve(*data, 1.0, method=solver)
    again = ccc.certificate(*data, fit.B, fit.b0, fit.flows, 1.0)
    assert fit.gap == again.gap and fit.objective == again.primal
    optimum = ccc.solve(*data, 1.0).objective
    assert again.dual <= optimum * (1 + 1e-12) and optimum <= fit.objective * (1 + 1e-12)


@pytest.mark.parametrize("nu", [0.0, 0.8])
def test_without_edges_and_without_penalty(solver, nu):
    instance = random_instance(5, n=25, d=4, c=2)
    fit = ccc.solve(instance.X, instance.y, np.zeros((4, 4)), nu, method=solver, tol=1e-8)
    exact = ccc.solve(instance.X, instance.y, np.zeros((4, 4)), nu)
    assert fit.n_clusters == 4
    np.testing.assert_allclose(fit.objective, exact.objective, rtol=1e-7)


def test_sparse_columns(solver, instance):
    data = (instance.X, instance.y, instance.S)
    fit = ccc.solve(*data, 0.5, sparsity=2.0, method=solver, tol=1e-8)
    _, _, optimum = clarabel(instance, 0.5, sparsity=2.0)
    np.testing.assert_allclose(fit.objective, optimum, rtol=1e-6)
    assert fit.gap < 1e-5


def test_a_solver_that_is_stopped_early_says_so(solver, instance):
    problem = make_problem(instance.X, instance.y, instance.S)
    cones = Cones(problem, solver, tol=1e-10, max_iter=3)
    B, b0, flows, _, status, _ = cones.solve(1.0)
    assert status != "optimal"
    assert B.shape == (3, 9) and b0.shape == (3,) and flows.shape == (cones.graph.n_edges, 3)
    gap = ccc.certificate(instance.X, instance.y, instance.S, B, b0, flows, 1.0).gap
    assert gap > 1e-6


def test_the_size_of_the_program(solver, instance):
    problem = make_problem(instance.X, instance.y, instance.S)
    cones = Cones(problem, solver, tol=1e-6)
    edges, n, c, d = cones.graph.n_edges, 30, 3, 9
    assert cones.n_variables >= c * d + c + edges + n
    assert cones.n_rows >= (c + 1) * edges + 3 * n * c
    assert cones.n_nonzeros >= 2 * c * edges


def test_the_program_is_compiled_once(solver, instance):
    cones = Cones(make_problem(instance.X, instance.y, instance.S), solver, tol=1e-6)
    assert cones.model.is_dpp()
    compiled = cones.model._cache.param_prog
    values = [cones.solve(nu).B for nu in (0.1, 5.0)]
    assert cones.model._cache.param_prog is compiled
    assert np.abs(values[0] - values[1]).max() > 0.01


def test_a_solver_that_is_not_installed_is_named(solver, instance, monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(ImportError, match=f"method '{solver}' needs cvxpy and {solver}"):
        ccc.solve(instance.X, instance.y, instance.S, 1.0, method=solver)
