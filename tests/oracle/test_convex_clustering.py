"""Convex clustering against Clarabel, an interior-point method that knows nothing of clusters."""

import cvxpy as cp
import numpy as np
import pytest

from ccc.baselines import convex_clustering_path, convex_clustering_weights
from ccc.baselines.fusion import ConnectedPoints
from ccc.data import make_synthetic
from ccc.graph import components
from ccc.similarity import ledoit_wolf


def clarabel(A, W, gamma):
    """Minimiser and minimum of the objective."""
    heads, tails = np.nonzero(np.triu(W, 1))
    U = cp.Variable(A.shape)
    fusion = W[heads, tails] @ cp.norm(U[heads] - U[tails], 2, axis=1)
    problem = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(U - A) + gamma * fusion))
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11)
    return np.asarray(U.value), float(problem.value)


def partition(A, U, W, eps):
    """Components of the pairs that are closer than ``eps``, relative to the extent of the data."""
    heads, tails = np.nonzero(np.triu(W, 1))
    near = np.linalg.norm(U[heads] - U[tails], axis=1) < eps * np.ptp(A)
    return components(len(U), heads[near], tails[near])


def objective(A, W, gamma, U):
    heads, tails = np.nonzero(np.triu(W, 1))
    fusion = W[heads, tails] @ np.linalg.norm(U[heads] - U[tails], axis=1)
    return 0.5 * np.sum((U - A) ** 2) + gamma * fusion


def check_along(A, W, gammas):
    """Objective, gap and partition of the solver against Clarabel's for ascending γ."""
    dense = W.toarray() if hasattr(W, "toarray") else W
    size = 0.5 * np.sum((A - A.mean(axis=0)) ** 2)
    solver = ConnectedPoints(A, W, 1e-11 * size / len(A))
    counts = []
    for gamma in gammas:
        solver.solve(gamma)
        U, value = clarabel(A, dense, gamma)
        assert solver.primal == pytest.approx(value, rel=1e-7)
        assert solver.gap <= 1e-10 * size
        found = [partition(A, U, dense, eps) for eps in (1e-4, 1e-5, 1e-6)]
        assert any(np.array_equal(solver.labels, labels) for labels in found)
        counts.append(solver.m)
    return counts


@pytest.mark.parametrize(("seed", "d", "p"), [(0, 14, 1), (1, 12, 2), (2, 10, 5), (3, 8, 12)])
def test_random_points_and_weights(seed, d, p):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((d, p)) + 3 * rng.integers(2, size=(d, 1))
    W = np.triu(rng.random((d, d)) ** 4, 1)
    counts = check_along(A, W + W.T, np.geomspace(0.1, 20, 8))
    assert len(set(counts)) > 2


def test_a_sparse_graph_of_more_points():
    rng = np.random.default_rng(4)
    A = rng.standard_normal((130, 2)) + 4 * rng.integers(2, size=(130, 1))
    W = convex_clustering_weights(A, "knn", phi=0.1, neighbours=3)
    heads, tails = W.nonzero()
    whole = components(130, heads, tails)
    members = np.flatnonzero(whole == np.bincount(whole).argmax())
    check_along(A[members], W[members][:, members], [0.05, 0.3, 0.8])


def test_clusters_come_apart_again():
    """The path need not be a hierarchy where weights are not a decreasing function of distances."""
    rng = np.random.default_rng(5)
    for _ in range(4):
        A = rng.standard_normal((9, 2))
        W = np.triu(rng.random((9, 9)) ** 6, 1)
        check_along(A, W + W.T, np.linspace(0.05, 1.5, 6))


def test_the_paper_s_data():
    data = make_synthetic(d=20, n=40, seed=0)
    A = ledoit_wolf(data.X, data.y)
    gammas = [0.0, 20 / 300, 60 / 300, 100 / 300, 1.0]
    path = convex_clustering_path(A, gammas)
    W = convex_clustering_weights(A)
    for gamma, labels in zip(gammas[1:], path.labels[1:], strict=True):
        U, _ = clarabel(A, W, gamma)
        found = [partition(A, U, W, eps) for eps in (1e-4, 1e-5, 1e-6)]
        assert any(np.array_equal(labels, other) for other in found)
    assert path.gap.max() <= 1e-9
    assert path.n_clusters[0] == 20 and 1 < path.n_clusters[2] < 20


def test_the_gap_is_that_of_the_reported_point():
    """Primal less gap is a lower bound on what Clarabel finds; the point has the primal's value."""
    rng = np.random.default_rng(6)
    A = rng.standard_normal((10, 3))
    W = convex_clustering_weights(A)
    solver = ConnectedPoints(A, W, 1e-6)  # a loose target, so that there is a gap to speak of
    for gamma in (0.05, 0.3, 0.7):
        solver.solve(gamma)
        _, value = clarabel(A, W, gamma)
        U = solver.positions()
        assert objective(A, W, gamma, U) == pytest.approx(solver.primal, rel=1e-12)
        assert solver.primal - solver.gap <= value * (1 + 1e-9)
        assert solver.primal >= value * (1 - 1e-9)
        for k in range(solver.m):
            assert np.ptp(U[solver.labels == k], axis=0).max() == 0.0
