import numpy as np
import pytest
import scipy.sparse as sp

import ccc
from ccc.problem import log_loss, make_problem


def instance(seed=0, n=20, d=5, c=3):
    rng = np.random.default_rng(seed)
    S = rng.random((d, d))
    return rng.standard_normal((n, d)), rng.integers(c, size=n), S + S.T


def test_objective_is_equation_one_term_by_term():
    X, y, S = instance()
    rng = np.random.default_rng(1)
    B, b0 = rng.standard_normal((3, 5)), rng.standard_normal(3)
    expected = 0.1 * np.sum(B**2)
    for s in range(len(y)):
        scores = B @ X[s] + b0
        expected -= np.log(np.exp(scores[y[s]]) / np.exp(scores).sum())
    for i in range(5):
        expected += 0.7 * np.linalg.norm(B[:, i])
        for j in range(i + 1, 5):
            expected += 2.0 * S[i, j] * np.linalg.norm(B[:, i] - B[:, j])
    assert ccc.objective(X, y, S, B, b0, 2.0, sparsity=0.7) == pytest.approx(expected, rel=1e-13)
    assert ccc.objective(
        sp.csr_array(X), y, sp.csr_array(S), B, b0, 2.0, sparsity=0.7
    ) == pytest.approx(expected, rel=1e-13)


def test_gradient_by_finite_differences():
    X, y, S = instance()
    problem = make_problem(X, y, S)
    rng = np.random.default_rng(2)
    B, b0 = rng.standard_normal((3, 5)), rng.standard_normal(3)
    dB, db = rng.standard_normal((3, 5)), rng.standard_normal(3)
    _, R = log_loss(problem.X, problem.y, B, b0)
    h = 1e-6
    up, _ = log_loss(problem.X, problem.y, B + h * dB, b0 + h * db)
    down, _ = log_loss(problem.X, problem.y, B - h * dB, b0 - h * db)
    analytic = np.sum(problem.X.tdot(R).T * dB) + R.sum(0) @ db
    assert (up - down) / (2 * h) == pytest.approx(analytic, rel=1e-7)


def test_huge_scores_do_not_overflow():
    X, y, S = instance()
    assert np.isfinite(ccc.objective(1e150 * X, y, S, np.ones((3, 5)) * 1e150, np.zeros(3), 1.0))


def test_the_grid_is_the_papers():
    nus = ccc.nu_grid(400)
    assert len(nus) == 300
    assert nus[0] == 400
    assert nus[10] == pytest.approx(200)
    assert (np.diff(nus) < 0).all()


@pytest.mark.parametrize(("count", "parts"), [(300, 4), (8, 4), (5, 2), (1, 1)])
def test_stretches_are_the_grid_in_its_order(count, parts):
    nus = ccc.nu_grid(400, count=count)
    stretches = ccc.grid.stretches(nus, parts)
    assert len(stretches) == parts
    assert all(len(stretch) for stretch in stretches)
    np.testing.assert_array_equal(np.concatenate(stretches), nus)
