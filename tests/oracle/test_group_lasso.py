"""The group lasso against Clarabel, its gap recomputed from the data alone."""

import numpy as np
import pytest
import scipy.sparse as sp

import ccc
from ccc.baselines import group_lasso_path
from tests.oracle.twin import clarabel, random_instance

CASES = [(0, 40, 8, 2, 1.0), (1, 15, 30, 2, 4.0), (2, 50, 12, 3, 1.0), (3, 30, 40, 5, 2.0)]


def without_graph(seed, n, d, c, separation):
    instance = random_instance(seed, n, d, c, density=0.0, separation=separation)
    instance.X = (instance.X - instance.X.mean(axis=0)) / instance.X.std(axis=0)
    return instance


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate:UserWarning")
@pytest.mark.parametrize("share", [0.7, 0.2, 0.01])
@pytest.mark.parametrize(("seed", "n", "d", "c", "separation"), CASES)
def test_value_and_support_are_those_of_clarabel(seed, n, d, c, separation, share):
    instance = without_graph(seed, n, d, c, separation)
    gamma = share * n / 4
    path = group_lasso_path(instance.X, instance.y, [gamma], tol=1e-10)
    B, _, optimum = clarabel(instance, 0.0, sparsity=gamma)
    ours = ccc.objective(
        instance.X, instance.y, instance.S, path.B[0], path.b0[0], 0.0, sparsity=gamma
    )
    assert ours <= optimum * (1 + 1e-8)
    assert path.B[0] == pytest.approx(B, abs=1e-3 * max(np.abs(B).max(), 1e-3))
    norms = np.linalg.norm(B, axis=0)
    assert path.support[0][norms > 1e-3 * norms.max()].all()
    assert (norms[~path.support[0]] < 1e-3 * max(norms.max(), 1e-3)).all()


@pytest.mark.parametrize(("seed", "n", "d", "c", "separation"), CASES)
def test_gaps_of_a_path_are_true(seed, n, d, c, separation):
    instance = without_graph(seed, n, d, c, separation)
    path = group_lasso_path(instance.X, instance.y)
    no_flows = np.empty((0, c))
    assert len(path.gammas) == 30
    for gamma, B, b0, gap in zip(path.gammas, path.B, path.b0, path.gap, strict=True):
        again = ccc.certificate(
            instance.X, instance.y, instance.S, B, b0, no_flows, 0.0, sparsity=gamma
        )
        assert again.gap == pytest.approx(gap, rel=1e-6, abs=1e-15)
        assert gap <= 1e-6


def test_a_standardised_sparse_matrix_gives_what_the_dense_one_gives():
    rng = np.random.default_rng(4)
    X = sp.random_array((60, 25), density=0.3, rng=rng, format="csr")
    y = np.array(["a", "b", "c"])[rng.integers(3, size=60)]
    standard = ccc.Standardized.fit(X)
    dense = (X.toarray() - standard.centre) / standard.scale
    gammas = 60 * 2.0 ** -np.arange(10)
    implicit = group_lasso_path(standard, y, gammas, tol=1e-12)
    explicit = group_lasso_path(dense, y, gammas, tol=1e-12)
    assert pytest.approx(explicit.B, abs=1e-6) == implicit.B
    assert (implicit.support == explicit.support).all()
