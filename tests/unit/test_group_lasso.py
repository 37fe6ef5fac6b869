"""What must hold for the group lasso whatever solves it; the oracle is in tests/oracle."""

import numpy as np
import pytest

from ccc import ConvergenceWarning
from ccc.baselines import GroupLassoPath, group_lasso_path


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 20))
    y = np.argmax(X[:, :3] + 0.5 * rng.standard_normal((80, 3)), axis=1)
    return X, y


def test_above_the_largest_gradient_nothing_is_selected_and_below_it_something_is(data):
    X, y = data
    Y = (y[:, None] == np.arange(3)) - np.bincount(y) / len(y)
    largest = np.linalg.norm(X.T @ Y, axis=1).max()
    path = group_lasso_path(X, y, [1.001 * largest, 0.99 * largest])
    assert path.support.sum(axis=1).tolist() == [0, 1]
    frequencies = np.exp(path.b0[0]) / np.exp(path.b0[0]).sum()
    assert frequencies == pytest.approx(np.bincount(y) / len(y), abs=1e-6)


def test_the_order_of_the_grid_and_of_the_covariates_does_not_matter(data):
    X, y = data
    gammas = np.array([2.0, 20.0, 0.5, 7.0])
    shuffled = np.random.default_rng(1).permutation(X.shape[1])
    path = group_lasso_path(X, y, gammas, tol=1e-12)
    other = group_lasso_path(X[:, shuffled], y, gammas[::-1], tol=1e-12)
    assert other.B[::-1] == pytest.approx(path.B[:, :, shuffled], abs=1e-6)


def test_relabelled_classes_permute_the_rows_of_B(data):
    X, y = data
    path = group_lasso_path(X, y, [3.0], tol=1e-12)
    other = group_lasso_path(X, 2 - y, [3.0], tol=1e-12)
    assert other.B[0] == pytest.approx(path.B[0][::-1], abs=1e-6)


def test_two_classes_have_opposite_rows(data):
    X, y = data
    path = group_lasso_path(X, y > 0, [3.0, 0.1])
    assert path.B[:, 0] == pytest.approx(-path.B[:, 1], abs=1e-12)


def test_true_covariates_enter_first(data):
    X, y = data
    path = group_lasso_path(X, y)
    first = path.support[np.argmax(path.support.sum(axis=1) >= 3)]
    assert first[:3].all()


def test_zero_gamma_is_plain_ridge_regression(data):
    X, y = data
    path = group_lasso_path(X, y, [0.0], tol=1e-10)
    assert path.support.all()
    assert path.gap[0] <= 1e-10


def test_saved_and_read_back(data, tmp_path):
    path = group_lasso_path(*data, [5.0, 1.0])
    path.save(tmp_path / "path.npz")
    again = GroupLassoPath.load(tmp_path / "path.npz")
    assert (again.B == path.B).all()
    assert (again.support == path.support).all()
    assert again.ridge == path.ridge


def test_a_missed_tolerance_is_told(data):
    with pytest.warns(ConvergenceWarning, match=r"gap .* at gamma = 1 exceeds tol = 1.00e-30"):
        group_lasso_path(*data, [1.0], tol=1e-30)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gammas": [-1.0]}, "gammas must be finite and non-negative, got -1.0"),
        ({"ridge": 0.0}, "ridge must be positive, got 0.0"),
        ({"tol": 0.0}, "tol must be positive"),
        ({"y": np.zeros(80)}, "y must have at least two classes"),
    ],
)
def test_bad_input_is_named(data, change, message):
    X, y = data
    arguments = {"y": y, "gammas": [1.0]} | change
    with pytest.raises(ValueError, match=message):
        group_lasso_path(X, **arguments)
