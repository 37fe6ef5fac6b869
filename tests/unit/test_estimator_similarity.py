"""The similarities that the estimator knows by name, and those that users bring."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.design import Design, Standardized, as_design
from ccc.estimator import similarity as module
from ccc.estimator.similarity import knn, rbf, shrunk, similarity_of
from ccc.similarity import embedding_similarity, ledoit_wolf

Y = np.arange(30) % 3


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(30, 8)) + Y[:, None]


def within(X, y):
    """Correlations within classes, the long way."""
    centred = X - np.stack([X[y == k].mean(axis=0) for k in y])
    return np.corrcoef(centred.T)


def test_rbf_is_that_of_the_paper_for_columns_centred_by_class(X):
    S = rbf(as_design(X), Y)
    np.testing.assert_allclose(S, np.exp(within(X, Y) - 1), atol=1e-12)
    centred = X - np.stack([X[k == Y].mean(axis=0) for k in Y])
    np.testing.assert_allclose(S, embedding_similarity(centred.T), atol=1e-12)
    np.testing.assert_allclose(rbf(as_design(X), Y, gamma=2.0), S**4)


def test_vectors_take_the_place_of_the_columns(X):
    W = np.random.default_rng(1).normal(size=(8, 3))
    np.testing.assert_allclose(rbf(as_design(X), Y, vectors=W), embedding_similarity(W), atol=1e-12)
    with pytest.raises(ValueError, match="vectors must have 8 rows like the columns of X, got 7"):
        rbf(as_design(X), Y, vectors=W[:7])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(1, 14), st.integers(1, 5))
def test_knn_keeps_a_pair_iff_one_is_among_the_nearest_of_the_other(seed, d, k, block):
    X = np.random.default_rng(seed).normal(size=(30, d))
    full = rbf(as_design(X), Y)
    ranked = np.where(np.eye(d, dtype=bool), -np.inf, full)
    kept = np.zeros((d, d), dtype=bool)
    np.put_along_axis(kept, np.argsort(-ranked, axis=1)[:, : min(k, d - 1)], True, axis=1)
    before, module.BLOCK = module.BLOCK, block
    try:
        S = knn(as_design(X), Y, n_neighbors=k)
    finally:
        module.BLOCK = before
    assert sp.issparse(S)
    np.testing.assert_allclose(S.toarray(), np.where(kept | kept.T, full, 0.0), atol=1e-12)


@pytest.mark.parametrize("name", ["rbf", "knn", "ledoit-wolf"])
def test_a_sparse_matrix_that_is_standardised_in_effect_gives_the_same(X, name):
    X = np.where(X > 0.5, X, 0.0)
    there = similarity_of(name, None, as_design(Standardized.fit(X)), Y)
    here = similarity_of(name, None, as_design(Standardized.fit(sp.csr_array(X))), Y)
    if sp.issparse(there):
        there, here = there.toarray(), here.toarray()
    np.testing.assert_allclose(here, there, atol=1e-12)


@pytest.mark.parametrize("similarity", [rbf, knn, shrunk])
def test_a_covariate_that_says_nothing_within_classes_is_similar_to_nothing(X, similarity):
    X[:, 2], X[:, 5] = 0.3, Y * 0.1
    S = similarity(as_design(X), Y)
    S = S.toarray() if sp.issparse(S) else S
    off = S - np.diag(np.diag(S))
    assert not off[2].any()
    assert not (off[5] > 1e-15).any()
    assert off[0].any()
    if similarity is shrunk:
        rest = [0, 1, 3, 4, 5, 6, 7]
        np.testing.assert_allclose(S[np.ix_(rest, rest)], ledoit_wolf(X[:, rest], Y))


def test_one_covariate_has_no_neighbours():
    assert knn(Design(np.arange(30.0)[:, None]), Y).nnz == 0


def test_a_frame_is_put_into_the_order_of_the_covariates(X):
    names = np.array(list("abcdefgh"), dtype=object)
    S = pd.DataFrame(rbf(as_design(X), Y), names, names)
    other = S.sample(frac=1, random_state=0).sample(frac=1, axis=1, random_state=1)
    found = similarity_of(other, None, as_design(X), Y, names)
    expected = S.to_numpy() - np.diag(np.diag(S))
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(similarity_of(S, None, as_design(X), Y), expected)
    with pytest.raises(ValueError, match="no row and column for the covariate 'c'"):
        similarity_of(S.drop(index="c", columns="c"), None, as_design(X), Y, names)


def test_a_function_sees_what_the_problem_sees(X):
    seen = []

    def similarity(X, y, power):
        seen.append(X)
        return np.abs(np.corrcoef(X.T)) ** power

    S = similarity_of(similarity, {"power": 2}, as_design(Standardized.fit(X)), Y)
    np.testing.assert_allclose(seen[0].mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(S, np.corrcoef(X.T) ** 2 - np.eye(8), atol=1e-12)
    effect = Standardized.fit(sp.csr_array(X))
    similarity_of(lambda X, y: seen.append(X) or np.eye(8), None, as_design(effect), Y)
    np.testing.assert_allclose(as_design(seen[1]).toarray(), seen[0], atol=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X: rbf(X, Y, gamma=0.0), "gamma must be positive, got 0.0"),
        (lambda X: knn(X, Y, n_neighbors=0), "n_neighbors must be an integer of at least 1, got 0"),
        (lambda X: similarity_of(lambda X, y: X, None, X, Y), "similarity must be square"),
    ],
)
def test_bad_arguments_are_named(call, message, X):
    with pytest.raises(ValueError, match=message):
        call(as_design(X))
