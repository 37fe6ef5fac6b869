"""Huge and tiny numbers: the same results in another unit, and the same bits in ordinary ones."""

import math
import re

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.covariance import ledoit_wolf as shrunk_covariance

import ccc
from ccc.baselines import convex_clustering_path, group_lasso_path, kmeans_path
from ccc.magnitude import lengths, scaled
from ccc.selection import choose_sigma
from ccc.selection.map import fit_map
from ccc.similarity import embedding_similarity, ledoit_wolf
from ccc.validation import check_design

DATA = ccc.data.make_synthetic("contradicting", d=10, n=40)
X, y = DATA.X, DATA.y
FAR = [1e-300, 1e-200, 1e-80, 1e80, 1e200, 1e300]


def test_ordinary_numbers_are_not_touched():
    A = np.random.default_rng(0).standard_normal((5, 4)) * 10.0 ** np.arange(-20, 20, 10)
    same, exponent = scaled(A, axis=1)
    np.testing.assert_array_equal(same, A)
    assert not exponent.any()
    for axis in (0, 1):
        np.testing.assert_array_equal(lengths(A, axis), np.linalg.norm(A, axis=axis))


@pytest.mark.parametrize("axis", [0, 1])
def test_others_lose_no_digit(axis):
    A = np.array([[5e-324, 0.0], [3e-200, -4e-200], [0.0, 0.0], [1.7e308, 1.0], [3.0, 4.0]])
    back, exponent = scaled(A, axis=1)
    np.testing.assert_array_equal(np.ldexp(back, exponent), A)

    found = lengths(A.T if axis == 0 else A, axis)
    np.testing.assert_allclose(found, [math.hypot(*row) for row in A], rtol=1e-15)


def test_similarities_of_ordinary_numbers_are_the_plain_formulas_to_the_last_bit():
    centred = X.copy()
    for k in range(4):
        centred[y == k] -= centred[y == k].mean(axis=0)
    S = np.maximum(shrunk_covariance(centred, assume_centered=True)[0], 0.0)
    np.testing.assert_array_equal(ledoit_wolf(X, y), 0.5 * (S + S.T))
    W = X / np.linalg.norm(X, axis=1)[:, None]
    plain = np.exp(-0.5 * squareform(pdist(W, "sqeuclidean")))
    np.testing.assert_array_equal(embedding_similarity(X), plain)


@pytest.mark.parametrize("scale", FAR)
def test_directions_have_no_unit(scale):
    rows = scale ** np.linspace(0, 1, len(X))[:, None]
    np.testing.assert_allclose(embedding_similarity(X * rows), embedding_similarity(X), atol=1e-14)


@pytest.mark.parametrize("scale", [1e-140, 1e-80, 1e80, 1e140])
def test_covariances_have_the_square_of_the_unit(scale):
    np.testing.assert_allclose(ledoit_wolf(X * scale, y) / scale**2, ledoit_wolf(X, y), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e160])
def test_covariances_that_are_no_numbers_are_refused(scale):
    with pytest.raises(ValueError, match=r"X has entries up to \S+, whose covariances are no num"):
        ledoit_wolf(X * scale, y)


@pytest.mark.parametrize("scale", FAR)
def test_kmeans_has_no_unit(scale):
    ks = [1, 2, 3, 9]
    np.testing.assert_array_equal(kmeans_path(X * scale, ks).labels, kmeans_path(X, ks).labels)


@pytest.mark.parametrize("scale", [1e-45, 1e-20, 1e20, 1e45])
def test_the_evidence_depends_on_sigma_times_x(scale):
    labels = DATA.labels // 2
    plain = ccc.log_marginal_likelihood(X, y, labels, 0.3)
    other = ccc.log_marginal_likelihood(X * scale, y, labels, 0.3 / scale)
    assert other == pytest.approx(plain, abs=1e-5)
    sigmas = np.array([0.01, 0.1, 1.0])
    one, two = choose_sigma(X, y, sigmas), choose_sigma(X * scale, y, sigmas / scale)
    np.testing.assert_array_equal(one.scores["accuracy"], two.scores["accuracy"])
    assert two.sigma == pytest.approx(one.sigma / scale)


@pytest.mark.parametrize("scale", [1e-45, 1e45])
def test_conjugate_gradients_leave_single_precision_in_time(scale):
    rng = np.random.default_rng(0)
    wide = rng.standard_normal((150, 120))
    classes = np.argmax(wide[:, :3] + rng.standard_normal((150, 3)), axis=1)
    plain = fit_map(check_design(wide), classes, 3, 0.1)
    other = fit_map(check_design(wide * scale), classes, 3, 0.1 / scale)
    assert other.gap <= 1e-13
    assert other.objective == pytest.approx(plain.objective, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-45, 1e45])
def test_convex_clustering_scales_with_its_penalty(scale):
    gammas = np.array([0.01, 0.1, 1.0])
    plain = convex_clustering_path(X, gammas, phi=0.01)
    other = convex_clustering_path(X * scale, gammas * scale, phi=0.01 / scale**2)
    np.testing.assert_array_equal(other.labels, plain.labels)


@pytest.mark.parametrize("scale", [1e-45, 1e45])
def test_the_group_lasso_scales_with_its_penalties(scale):
    gammas = np.array([10.0, 1.0])
    plain = group_lasso_path(X, y, gammas)
    other = group_lasso_path(X * scale, y, gammas * scale, ridge=0.1 * scale**2)
    np.testing.assert_allclose(other.B * scale, plain.B, atol=1e-3)


@pytest.mark.parametrize("scale", [1e-45, 1e45])
def test_the_estimator_has_no_unit(scale):
    plain = ccc.ConvexCovariateClustering(nus=10).fit(X, y)
    other = ccc.ConvexCovariateClustering(nus=10).fit(X * scale, y)
    np.testing.assert_array_equal(other.labels_, plain.labels_)
    np.testing.assert_allclose(other.predict_proba(X * scale), plain.predict_proba(X), atol=1e-6)


def test_a_fitted_estimator_refuses_what_is_too_large_for_it():
    model = ccc.ConvexCovariateClustering(nu=1.0, sigma=1.0).fit(X, y)
    with pytest.raises(ValueError, match=r"X has an entry of size .*, too large to be squared"):
        model.predict_proba(X * 1e300)


def test_the_estimator_takes_vectors_of_any_length():
    models = [
        ccc.ConvexCovariateClustering("rbf", similarity_params={"vectors": X[:10] * scale}, nu=1.0)
        for scale in (1.0, 1e-200, 1e200)
    ]
    plain, *others = (model.fit(X, y).similarity_ for model in models)
    for other in others:
        np.testing.assert_allclose(other, plain, atol=1e-14)


@pytest.mark.parametrize("largest", [1e-300, 1e300])
def test_nu_is_not_looked_for_beside_similarities_of_no_size(largest):
    model = ccc.ConvexCovariateClustering(np.full((10, 10), largest), sigma=1.0, nus=3)
    with pytest.raises(ValueError, match=re.escape(f"is looked for, got {largest:g}")):
        model.fit(X, y)


def test_a_penalty_of_tiny_differences_and_huge_similarities_counts():
    B = np.outer([1.0, -1.0, 0.0, 0.0], np.arange(10)) * 1e-200
    b0, S = np.zeros(4), np.ones((10, 10))
    loss = ccc.objective(X, y, S, B, b0, nu=0.0)
    pairs = sum(abs(i - j) for i in range(10) for j in range(i))
    for huge in ({"S": 1e200 * S, "nu": 1.0}, {"S": S, "nu": 1e200}):
        found = ccc.objective(X, y, B=B, b0=b0, **huge)
        assert found == pytest.approx(loss + math.sqrt(2) * pairs, rel=1e-12)
        proof = ccc.certificate(X, y, B=B, b0=b0, flows=np.zeros((45, 4)), **huge)
        assert proof.slack == pytest.approx(math.sqrt(2) * pairs, rel=1e-12)


def test_an_objective_beyond_all_numbers_is_refused_with_the_sizes():
    B = np.full((4, 10), 1e200)
    message = r"the objective overflows; the largest entries are X .*, B 1e\+200"
    with pytest.raises(ValueError, match=message):
        ccc.objective(X, y, np.ones((10, 10)), B, np.zeros(4), 1.0)


def test_a_determinant_lost_in_rounding_is_refused():
    twice, mixed, labels = np.hstack([X[:, :2]] * 2), np.roll(y, 1) // 2, np.arange(4)
    assert np.isfinite(ccc.log_marginal_likelihood(twice, mixed, labels, 1.0, hessian="full"))
    with pytest.raises(ValueError, match=r"sigma = 1e\+07 is too large beside X for hessian"):
        ccc.log_marginal_likelihood(twice, mixed, labels, 1e7, hessian="full")
