"""The exact solver against Clarabel, its certificate recomputed from the data alone."""

import numpy as np
import pytest

import ccc
from tests.oracle.twin import clarabel, partition_of, random_instance

# seed, n, d, c, density of S, separation of the classes
CASES = [
    (0, 40, 8, 2, 1.0, 1.0),
    (1, 12, 20, 2, 1.0, 4.0),
    (2, 50, 18, 2, 0.2, 0.3),
    (3, 30, 12, 3, 1.0, 1.0),
    (4, 10, 24, 3, 0.5, 4.0),
    (5, 60, 20, 3, 0.1, 0.3),
    (6, 45, 15, 4, 1.0, 1.0),
    (7, 14, 22, 4, 0.5, 4.0),
    (8, 55, 10, 4, 0.15, 1.0),
    (9, 50, 9, 7, 1.0, 1.0),
    (52, 52, 15, 7, 0.5, 4.0),
    (11, 20, 12, 7, 0.3, 4.0),
]


def check(instance, fit, nu):
    """Same value and partition as Clarabel; reported gap equal to the one from the data."""
    again = ccc.certificate(instance.X, instance.y, instance.S, fit.B, fit.b0, fit.flows, nu)
    assert fit.status == "optimal"
    assert again.excess <= 1e-12
    assert again.intercept <= 1e-10
    assert again.gap <= 1e-9
    assert again.primal == pytest.approx(fit.objective, rel=1e-12)
    assert again.gap == pytest.approx(fit.gap, rel=1e-3, abs=1e-14)
    B, _, optimum = clarabel(instance, nu)
    assert fit.objective <= optimum * (1 + 1e-7)
    assert again.dual <= optimum * (1 + 1e-9)
    # An interior-point method has no exact ties: some threshold must reproduce the partition.
    partitions = [partition_of(B, instance.S, eps) for eps in (1e-4, 1e-5, 1e-6)]
    assert any(np.array_equal(fit.labels, p) for p in partitions)


@pytest.mark.parametrize("nu", [0.01, 0.3, 3.0])
@pytest.mark.parametrize(("seed", "n", "d", "c", "density", "separation"), CASES)
@pytest.mark.filterwarnings("ignore:Solution may be inaccurate:UserWarning")
def test_one_nu_from_cold(seed, n, d, c, density, separation, nu):
    instance = random_instance(seed, n, d, c, density, separation)
    check(instance, ccc.solve(instance.X, instance.y, instance.S, nu), nu)


@pytest.mark.parametrize(("n", "seed", "a"), [(40, 3, 60), (400, 1, 33)])
@pytest.mark.filterwarnings("ignore:Solution may be inaccurate:UserWarning")
def test_a_cluster_that_comes_apart_as_nu_grows_is_found(n, seed, a):
    """Fusion is not permanent: between two neighbouring ν of the paper's grid a cluster splits."""
    data = ccc.data.make_synthetic("contradicting", 40, n, seed=seed)
    S = ccc.similarity.ledoit_wolf(data.X, data.y)
    nus = ccc.nu_grid(n)
    path = ccc.solve_path(data.X, data.y, S, nus)
    below, above = path[a], path[a - 1]
    assert above.nu > below.nu
    assert above.n_clusters == below.n_clusters + 1
    for fit in (below, above):
        B, _, optimum = clarabel(type("Twin", (), {"X": data.X, "y": data.y, "S": S}), fit.nu)
        assert fit.objective <= optimum * (1 + 1e-7)
        assert np.array_equal(fit.labels, partition_of(B, S, 1e-4))


def test_every_point_of_a_path_is_certified_by_its_flows():
    from ccc.problem import make_problem
    from ccc.solvers import exact

    data = ccc.data.make_synthetic("agreeing", 40, 120, seed=4)
    S = ccc.similarity.ledoit_wolf(data.X, data.y)
    problem = make_problem(data.X, data.y, S)
    nus = ccc.nu_grid(120)[::7]
    path, flows = exact.solve_path(problem, nus, 1e-6, keep_flows=True)
    for fit, u in zip(path, flows, strict=True):
        again = ccc.certificate(data.X, data.y, S, fit.B, fit.b0, u, fit.nu)
        assert again.gap <= 1e-9
        assert again.excess <= 1e-12
        assert again.gap == pytest.approx(fit.gap, rel=1e-3, abs=1e-13)
