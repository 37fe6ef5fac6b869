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


KINDS = pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.csc_array])


@KINDS
@pytest.mark.parametrize("value", [0.0, 0.1, 2.5, 7.7])
def test_a_constant_column_is_named(kind, value):
    X = np.random.default_rng(0).random((1000, 3))
    X[:, 1] = value
    with pytest.raises(ValueError, match="column 1 of X is constant"):
        Standardized.fit(kind(X))


@KINDS
@pytest.mark.parametrize("mean", [0.0, 3e6, 1e8])
def test_a_scale_does_not_suffer_from_a_large_mean(kind, mean):
    # Multiples of a power of two, so that adding the mean loses nothing.
    noise = np.round(np.random.default_rng(0).standard_normal((1000, 3)) * 2**20) / 2**20
    standardized = Standardized.fit(kind(noise + mean))
    np.testing.assert_allclose(standardized.scale, noise.std(axis=0), rtol=1e-12)
    expected = mean + noise.mean(axis=0)
    np.testing.assert_allclose(standardized.centre, expected, rtol=1e-14, atol=1e-16)


def test_entries_that_are_stored_in_parts_are_added_first():
    values, rows, columns = [1.0, 2.0, 4.0, 1.0], [0, 0, 1, 2], [0, 0, 0, 0]
    X = sp.csr_array((values, (rows, columns)), shape=(4, 1))
    parts = sp.csr_array((np.array(values), np.zeros(4, int), np.array([0, 2, 3, 4, 4])), (4, 1))
    assert not parts.has_canonical_format
    for matrix in (X, parts):
        standardized = Standardized.fit(matrix)
        assert standardized.centre == 2.0 and standardized.scale == pytest.approx(np.sqrt(2.5))
    assert parts.nnz == 4


def test_lists_are_matrices_and_other_things_are_named():
    assert Standardized.fit([[1, 2], [3, 5]]).scale.tolist() == [1.0, 1.5]
    with pytest.raises(ValueError, match=r"X must be a matrix \(n, d\), got shape \(2,\)"):
        Standardized.fit([1.0, 2.0])
    with pytest.raises(ValueError, match="X must be a sparse matrix or an array, got a Standard"):
        Standardized.fit(Standardized.fit(sp.csr_array([[1.0], [2.0]])))


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
