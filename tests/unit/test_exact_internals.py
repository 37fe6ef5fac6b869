"""Heuristics decide the speed, never the result: every route gives the same path."""

from dataclasses import replace

import numpy as np
import pytest

import ccc
from ccc.solvers.exact import alm, ground, losses, newton, pairs, scalar, start, walk

ROUTES = {
    "stale single-precision factors": [
        (newton, "DIRECT_SIZE", 10),
        (newton, "SINGLE_SIZE", 20),
        (newton, "FRESH_FLOPS", 0),
    ],
    "one inverse per class": [(newton, "DIRECT_SIZE", 10), (newton, "FULL_SIZE", 20)],
    "far pairs through matrix products": [(pairs, "GRAM_WIDTH", 2), (newton, "DIRECT_SIZE", 10)],
    "products in single precision": [(losses, "SINGLE_SIZE", 0), (newton, "DIRECT_SIZE", 10)],
    "every near pair a crowd": [(alm, "CROWD", 0)],
    "eager fusion": [(walk, "KAPPA", 0.2)],
    "timid fusion": [(walk, "KAPPA", 0.002)],
    "long smoothing": [(walk, "MOVE", 5.0)],
    "short smoothing": [(walk, "MOVE", 0.05)],
    "wide near radius": [(walk, "RADIUS", 5e-2)],
    "no prediction": [(walk, "HISTORY", 1)],
    "merge at sight": [(walk, "PATIENCE", 1)],
    "hardly ever merge": [(walk, "SMALL", 0), (walk, "LAZY", 0.2)],
    "crowded descents": [(scalar, "WORK", 3000)],
    "the general solver for two classes": [(scalar, "STEPS", 0)],
}


GROUND_ROUTES = {
    "no member of the ground leaves before it must": [(ground, "WEAK", 0.0)],
    "members of the ground leave at sight": [(ground, "WEAK", 10.0)],
    "Newton's method balances the ground at once": [(ground, "PASSES", 0)],
    "forces on the ground far below γ": [(ground, "AIM", 0.5)],
    "nothing is merged with the ground at the start": [(start, "SURE", 0.0)],
    "all that is near zero is merged at the start": [(start, "SURE", 1.0), (start, "SOFT", 0.3)],
}


def problem_of(classes, sparsity):
    """A path with fusions, crossings and, for two classes, a giant cluster; and its solution."""
    data = ccc.data.make_synthetic("contradicting", 40, 80, seed=11)
    y = data.y % classes
    S = ccc.similarity.ledoit_wolf(data.X, y)
    nus = ccc.nu_grid(80, count=100, step=0.3)
    return data.X, y, S, nus, ccc.solve_path(data.X, y, S, nus, sparsity=sparsity)


@pytest.fixture(scope="module", params=[2, 4], ids=["two classes", "four classes"])
def problem(request):
    return problem_of(request.param, 0.0)


@pytest.fixture(scope="module", params=[2, 4], ids=["two classes", "four classes"])
def sparse_problem(request):
    """Covariates become irrelevant and relevant all along the path."""
    problem = problem_of(request.param, 8.0)
    assert len(np.unique(problem[-1].irrelevant.sum(axis=1))) > 7
    return problem


def check(problem, route, monkeypatch):
    X, y, S, nus, base = problem
    for module, name, value in route:
        monkeypatch.setattr(module, name, value)
    path = ccc.solve_path(X, y, S, nus, sparsity=base.sparsity)
    assert path.gap.max() <= 1e-9
    np.testing.assert_allclose(path.objective, base.objective, rtol=1e-8)
    # A ν at which a cluster is just about to form may be read either way.
    same = (path.labels == base.labels) & (path.irrelevant == base.irrelevant)
    assert same.all(axis=1).mean() >= 0.97


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_leads_to_the_same_path(problem, route, monkeypatch):
    check(problem, ROUTES[route], monkeypatch)


@pytest.mark.parametrize("route", ROUTES | GROUND_ROUTES)
def test_every_route_leads_to_the_same_sparse_path(sparse_problem, route, monkeypatch):
    check(sparse_problem, (ROUTES | GROUND_ROUTES)[route], monkeypatch)


def test_where_every_round_is_a_crowd_the_solution_is_that_of_its_own_nu(problem, monkeypatch):
    X, y, S, nus, base = problem
    minimise = walk.Walk._minimise

    def crowded(*arguments, **named):
        return replace(minimise(*arguments, **named), crowded=True)

    monkeypatch.setattr(walk, "ROUNDS", 1)
    monkeypatch.setattr(walk.Walk, "_minimise", crowded)
    path = ccc.solve_path(X, y, S, nus, tol=1e300)
    values = [ccc.objective(X, y, S, fit.B, fit.b0, fit.nu) for fit in path]
    np.testing.assert_allclose(path.objective, values, rtol=1e-10)
    gaps = path.gap * np.maximum(path.objective, 1.0)
    assert (path.objective - base.objective <= gaps + 1e-8 * base.objective).all()


def test_without_any_gap_a_solution_is_not_called_optimal(problem, monkeypatch):
    X, y, S, nus, base = problem
    certify = walk.Walk.certify

    def blind(self, groups, point):
        gap = np.nan if self.nodes.pairs.nu < nus[80] else 1e-12
        return replace(certify(self, groups, point), gap=gap)

    monkeypatch.setattr(walk.Walk, "certify", blind)
    with pytest.warns(ccc.ConvergenceWarning, match="gap inf at nu"):
        path = ccc.solve_path(X, y, S, nus)
    unknown = nus < nus[80]
    assert (path.status == np.where(unknown, "inaccurate", "optimal")).all()
    np.testing.assert_array_equal(path.gap[unknown], np.inf)
    np.testing.assert_allclose(path.objective, base.objective, rtol=1e-6)
