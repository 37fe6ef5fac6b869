"""Convex clustering, ½||U - D||² + γ Σ w ||u_i - u_j||, through the same machinery."""

import cvxpy as cp
import numpy as np
import pytest

from ccc.solvers.exact.losses import LinearLoss
from ccc.solvers.exact.walk import Walk
from tests.oracle.twin import partition_of


def walk_of(D, W, gammas, target=1e-10):
    """Solutions for ascending γ; points are the columns of D."""
    walk = Walk(LinearLoss(D), W, 0.5, target)
    walk.start(min(gammas))
    return [walk.step(gamma) for gamma in gammas]


def test_two_points_meet_at_half_their_distance():
    """Each moves by γw towards the other, until they meet at γw = ||d1 - d2|| / 2."""
    D = np.array([[0.0, 3.0], [0.0, 4.0]])
    W = np.array([[0.0, 2.0], [2.0, 0.0]])
    for solution in walk_of(D, W, [0.1, 0.5, 1.0, 1.24, 1.26, 3.0]):
        moved = min(2.0 * solution.nu, 2.5)
        expected = D + np.array([[0.6, -0.6], [0.8, -0.8]]) * moved
        np.testing.assert_allclose(solution.A[:, solution.labels], expected, atol=1e-7)
        assert int(solution.labels.max()) + 1 == (1 if solution.nu > 1.25 else 2)
        assert solution.gap <= 1e-10 * 0.5 * np.sum(D**2)


@pytest.mark.parametrize(
    ("seed", "p", "d", "density"), [(0, 1, 12, 1.0), (1, 3, 10, 1.0), (2, 6, 9, 0.4)]
)
def test_against_clarabel(seed, p, d, density):
    rng = np.random.default_rng(seed)
    D = rng.standard_normal((p, d)) + 2 * rng.integers(2, size=d)
    W = np.triu(rng.random((d, d)) * (rng.random((d, d)) < density), 1)
    W = W + W.T
    heads, tails = np.nonzero(np.triu(W, 1))
    gammas = [0.01, 0.05, 0.2, 0.6]
    for solution in walk_of(D, W, gammas):
        U = cp.Variable((p, d))
        fusion = W[heads, tails] @ cp.norm(U[:, heads] - U[:, tails], 2, axis=0)
        problem = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(U - D) + solution.nu * fusion))
        problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11)
        assert solution.primal == pytest.approx(problem.value, rel=1e-7)
        assert solution.gap <= 1e-10 * 0.5 * np.sum(D**2)
        partitions = [partition_of(U.value, W, eps) for eps in (1e-4, 1e-5, 1e-6)]
        assert any(np.array_equal(solution.labels, labels) for labels in partitions)
