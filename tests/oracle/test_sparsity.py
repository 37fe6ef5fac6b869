"""Joint selection and clustering against Clarabel, its certificate recomputed from the data."""

import numpy as np
import pytest

import ccc
from ccc.graph import canonical_labels
from ccc.problem import make_problem
from ccc.solvers import exact
from ccc.solvers.conic import CONIC
from tests.oracle.twin import Instance, clarabel, partition_of, random_instance

# seed, n, d, c, density of S, separation of the classes
CASES = [
    (0, 40, 8, 2, 1.0, 1.0),
    (1, 12, 20, 2, 1.0, 4.0),
    (2, 50, 18, 2, 0.2, 0.3),
    (3, 30, 12, 3, 1.0, 1.0),
    (4, 10, 24, 3, 0.5, 4.0),
    (5, 60, 20, 3, 0.1, 0.3),
    (6, 45, 15, 4, 1.0, 1.0),
    (11, 20, 12, 7, 0.3, 4.0),
]
SHARES = [0.02, 0.2, 0.6]  # γ relative to that from which on nothing is relevant at ν = 0

pytestmark = pytest.mark.filterwarnings("ignore:Solution may be inaccurate:UserWarning")


def threshold(instance):
    Y = (instance.y[:, None] == np.unique(instance.y)).astype(float)
    return np.linalg.norm(instance.X.T @ (Y - Y.mean(axis=0)), axis=1).max()


def readings(B, S):
    """Partitions with the irrelevant covariates as one cluster, for several ideas of zero."""
    for eps in (1e-3, 1e-4, 1e-5, 1e-6):
        zero = np.linalg.norm(B, axis=0) < eps * np.abs(B).max()
        yield canonical_labels(np.where(zero, -1, partition_of(B, S, eps))), zero


def check(instance, fit, nu, gamma):
    """Value, partition and irrelevant covariates of Clarabel; the gap is that of the data."""
    data = instance.X, instance.y, instance.S
    again = ccc.certificate(*data, fit.B, fit.b0, fit.flows, nu, sparsity=gamma)
    assert fit.status == "optimal"
    assert again.excess <= 1e-12
    assert again.intercept <= 1e-10
    assert again.gap <= 1e-9
    assert again.primal == pytest.approx(fit.objective, rel=1e-12)
    assert again.gap == pytest.approx(fit.gap, rel=1e-3, abs=1e-14)
    B, _, optimum = clarabel(instance, nu, sparsity=gamma)
    assert fit.objective <= optimum * (1 + 1e-7)
    assert again.dual <= optimum * (1 + 1e-9)
    if fit.irrelevant.all():
        assert np.abs(B).max() < 1e-4
    else:
        # An interior-point method has no exact ties: some threshold must reproduce the partition.
        assert any(
            np.array_equal(fit.labels, labels) and np.array_equal(fit.irrelevant, zero)
            for labels, zero in readings(B, instance.S)
        )


@pytest.mark.parametrize("nu", [0.0, 0.01, 0.3, 3.0])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_one_nu_from_cold(case, nu):
    instance = random_instance(*case)
    for share in SHARES:
        gamma = share * threshold(instance)
        fit = ccc.solve(instance.X, instance.y, instance.S, nu, sparsity=gamma)
        check(instance, fit, nu, gamma)


@pytest.mark.parametrize(("classes", "share"), [(4, 0.03), (4, 0.1), (2, 0.05)])
def test_every_point_of_a_path_is_certified_by_its_flows(classes, share):
    data = ccc.data.make_synthetic("agreeing", 40, 120, seed=4)
    y = data.y % classes
    S = ccc.similarity.ledoit_wolf(data.X, y)
    gamma = share * threshold(Instance(data.X, y, S))
    problem = make_problem(data.X, y, S, sparsity=gamma)
    path, flows = exact.solve_path(problem, ccc.nu_grid(120)[::7], 1e-6, keep_flows=True)
    assert len(np.unique(path.irrelevant.sum(axis=1))) > 3
    for fit, u in zip(path, flows, strict=True):
        again = ccc.certificate(data.X, y, S, fit.B, fit.b0, u, fit.nu, sparsity=gamma)
        assert again.gap <= 1e-9
        assert again.excess <= 1e-12
        assert again.gap == pytest.approx(fit.gap, rel=1e-3, abs=1e-13)


def test_covariates_that_leave_zero_and_come_back_as_nu_grows_are_found():
    """Irrelevance is not permanent, in either direction."""
    instance = random_instance(7, n=60, d=14, c=2, density=0.6)
    nus = np.geomspace(0.01, 10.0, 25)
    path = ccc.solve_path(instance.X, instance.y, instance.S, nus, sparsity=3.0)
    changes = np.diff(path.irrelevant.astype(int), axis=0)
    leaves, enters = np.argwhere((changes < 0).any(axis=1)), np.argwhere((changes > 0).any(axis=1))
    both = (changes < 0).any(axis=0) & (changes > 0).any(axis=0)
    assert both.any()
    for i in {int(leaves[0, 0]), int(enters[0, 0]), int(enters[-1, 0])}:
        for fit in (path[i], path[i + 1]):
            B, _, optimum = clarabel(instance, fit.nu, sparsity=3.0)
            assert fit.objective <= optimum * (1 + 1e-7)
            assert any(np.array_equal(fit.irrelevant, zero) for _, zero in readings(B, instance.S))


@pytest.mark.parametrize("solver", CONIC)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_general_solvers_report_the_same_irrelevant_covariates(solver):
    instance = random_instance(4, n=40, d=10, c=3, density=0.5)
    nus, data = [0.0, 0.3, 1.0], (instance.X, instance.y, instance.S)
    for gamma in (3.0, 1.1 * threshold(instance)):
        ours = ccc.solve_path(*data, nus, sparsity=gamma)
        path = ccc.solve_path(*data, nus, sparsity=gamma, method=solver, tol=1e-9)
        assert np.array_equal(path.irrelevant, ours.irrelevant)
        assert np.array_equal(path.labels, ours.labels)
        np.testing.assert_allclose(path.objective, ours.objective, rtol=1e-6)
        assert ours.irrelevant.any(axis=1).all()
