import numpy as np
import pytest
import scipy.sparse as sp

from ccc.design import Standardized, as_design


@pytest.fixture
def sparse():
    return sp.random_array((30, 12), density=0.3, rng=np.random.default_rng(0)).tocsr()


def views(sparse):
    """The same standardised matrix, dense and implicit."""
    implicit = as_design(Standardized.fit(sparse))
    X = sparse.toarray()
    return implicit, (X - X.mean(0)) / X.std(0)


def test_standardized_sparse_stays_sparse_and_equals_the_dense_matrix(sparse):
    implicit, dense = views(sparse)
    rng = np.random.default_rng(1)
    V, G, h = rng.standard_normal((12, 3)), rng.standard_normal((30, 3)), rng.random((30, 2))
    assert implicit.is_sparse
    np.testing.assert_allclose(implicit.toarray(), dense, atol=1e-12)
    np.testing.assert_allclose(implicit.dot(V), dense @ V, atol=1e-12)
    np.testing.assert_allclose(implicit.dot(V[:, 0]), dense @ V[:, 0], atol=1e-12)
    np.testing.assert_allclose(implicit.tdot(G), dense.T @ G, atol=1e-12)
    np.testing.assert_allclose(implicit.tdot(G[:, 0]), dense.T @ G[:, 0], atol=1e-12)
    np.testing.assert_allclose(implicit.weighted_squares(h), (dense**2).T @ h, atol=1e-11)
    np.testing.assert_allclose(
        implicit.weighted_squares(h[:, 0]), (dense**2).T @ h[:, 0], atol=1e-11
    )


def test_projection_sums_the_columns_of_each_cluster(sparse):
    implicit, dense = views(sparse)
    labels = np.array([0, 1, 0, 2, 2, 1, 3, 0, 3, 3, 1, 2])
    expected = np.stack([dense[:, labels == k].sum(1) for k in range(4)], axis=1)
    for design in (implicit, as_design(dense)):
        np.testing.assert_allclose(design.project(labels).toarray(), expected, atol=1e-12)


def test_dense_standardized_and_rows(sparse):
    _, dense = views(sparse)
    standardized = Standardized.fit(sparse.toarray())
    np.testing.assert_allclose(as_design(standardized).toarray(), dense, atol=1e-12)
    rows = np.array([3, 1, 4])
    np.testing.assert_allclose(as_design(standardized[rows]).toarray(), dense[rows], atol=1e-12)
    np.testing.assert_allclose(
        as_design(standardized).take(rows).toarray(), dense[rows], atol=1e-12
    )


def test_a_constant_column_is_named():
    X = np.random.default_rng(0).random((5, 3))
    X[:, 1] = 2.5
    with pytest.raises(ValueError, match="column 1 of X is constant"):
        Standardized.fit(X)


@pytest.mark.parametrize(
    ("centre", "scale", "message"),
    [
        (np.zeros(2), np.ones(3), r"centre has shape \(2,\)"),
        (np.zeros(3), np.array([1.0, 0.0, 1.0]), "scale must be positive, got 0.0 for column 1"),
        (np.array([0, np.nan, 0]), np.ones(3), "centre contains nan"),
    ],
)
def test_bad_centre_or_scale(centre, scale, message):
    with pytest.raises(ValueError, match=message):
        Standardized(np.ones((4, 3)), centre, scale)
