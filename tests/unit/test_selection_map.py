"""The MAP estimate: right against other solvers, and certified."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from ccc.basis import class_basis
from ccc.design import Design, Standardized, as_design
from ccc.selection import newton
from ccc.selection.coordinates import Likelihood, likelihood, scores
from ccc.selection.map import _divergence, fit_map, gram_side, gram_side_pays
from ccc.selection.products import HessianProduct


def draw(n, m, c, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    X = scale * rng.normal(size=(n, m)) + rng.normal(size=m)
    y = np.argmax(X @ rng.normal(size=(m, c)) + rng.normal(size=(n, c)), axis=1)
    y[:c] = np.arange(c)
    return X, y


def objective(X, y, B, b0, sigma):
    """The definition, sample by sample."""
    total = np.sum(B**2) / (2 * sigma**2)
    for x, label in zip(X, y, strict=True):
        z = B @ x + b0
        total += np.logaddexp.reduce(z) - z[label]
    return total


def sklearn_map(X, y, sigma):
    """(B, b0) with rows summing to zero; its binary model has one vector and half the penalty."""
    c = len(np.unique(y))
    C = sigma**2 if c > 2 else 2 * sigma**2
    model = LogisticRegression(C=C, tol=1e-13, solver="newton-cholesky", max_iter=1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it cannot reach the tolerance it tries for
        model.fit(X, y)
    B, b0 = model.coef_, model.intercept_
    if c == 2:
        B, b0 = np.vstack([-B, B]) / 2, np.append(-b0, b0) / 2
    return B - B.mean(axis=0), b0 - b0.mean()


SHAPES = [(60, 5, 3), (400, 1, 2), (50, 120, 4), (300, 150, 4), (200, 20, 2), (30, 30, 3)]


@pytest.mark.parametrize("n, m, c", SHAPES)
@pytest.mark.parametrize("sigma", [1e-3, 0.1, 1.0, 10**1.5])
def test_agrees_with_scikit_learn(n, m, c, sigma):
    X, y = draw(n, m, c)
    fit = fit_map(as_design(X), y, c, sigma)
    B, b0 = sklearn_map(X, y, sigma)
    assert fit.gap <= 1e-13
    np.testing.assert_allclose(fit.B, B, atol=2e-6 * max(1, np.abs(B).max()))
    np.testing.assert_allclose(fit.b0 - fit.b0.mean(), b0, atol=2e-6 * max(1, np.abs(b0).max()))
    assert fit.objective <= objective(X, y, B, b0, sigma) + 1e-9


@pytest.mark.parametrize("n, m, c", SHAPES)
def test_objective_is_the_definition_and_its_gradient_vanishes(n, m, c):
    X, y = draw(n, m, c)
    sigma = 0.7
    fit = fit_map(as_design(X), y, c, sigma)
    assert fit.objective == pytest.approx(objective(X, y, fit.B, fit.b0, sigma), rel=1e-12)
    h = 1e-5
    rng = np.random.default_rng(1)
    for _ in range(5):
        D, d0 = rng.normal(size=fit.B.shape), rng.normal(size=c)
        up = objective(X, y, fit.B + h * D, fit.b0 + h * d0, sigma)
        down = objective(X, y, fit.B - h * D, fit.b0 - h * d0, sigma)
        assert abs(up - down) / (2 * h) < 1e-5 * max(1, fit.objective)


def test_gap_bounds_the_suboptimality_from_any_stop():
    X, y = draw(200, 6, 3)
    best = fit_map(as_design(X), y, 3, 2.0).objective
    gaps = []
    for tol in (1e3, 1e-1, 1e-3, 1e-6):
        fit = fit_map(as_design(X), y, 3, 2.0, tol=tol)
        assert fit.objective - best <= fit.gap + 1e-12
        assert fit.gap <= tol
        gaps.append(fit.gap)
    assert gaps[0] > gaps[-1]


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(6, 30), m=st.integers(1, 40), c=st.integers(2, 4), seed=st.integers(0, 10**6),
    log_sigma=st.floats(-3, 1.5),
)  # fmt: skip
def test_every_small_problem_converges(n, m, c, seed, log_sigma):
    X, y = draw(n, m, c, seed)
    fit = fit_map(as_design(X), y, c, 10**log_sigma)
    assert fit.gap <= 1e-13
    np.testing.assert_allclose(fit.B.sum(axis=0), 0, atol=1e-10 * max(1, np.abs(fit.B).max()))


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_separable_data_with_a_vague_prior(scale):
    y = np.repeat([0, 1, 2], 20)
    X = scale * (np.eye(3)[y] + 0.01 * np.random.default_rng(0).normal(size=(60, 3)))
    fit = fit_map(as_design(X), y, 3, 1e3)
    assert np.isfinite(fit.objective)
    assert fit.likelihood.loss < 1e-3
    assert fit.gap <= 1e-13 * fit.likelihood.loss
    assert (scores(as_design(X), fit.B) + fit.b0[:, None]).argmax(axis=0).tolist() == y.tolist()


@pytest.mark.parametrize("preconditioner", ["gram", "diagonal"])
def test_conjugate_gradients_and_cholesky_agree(monkeypatch, preconditioner):
    X, y = draw(150, 30, 4)
    direct = fit_map(as_design(X), y, 4, 1.0)
    monkeypatch.setattr(newton, "EXPLICIT_UNKNOWNS", 0)
    if preconditioner == "diagonal":
        monkeypatch.setattr(newton, "GRAM_COLUMNS", 0)
    iterative = fit_map(as_design(X), y, 4, 1.0)
    np.testing.assert_allclose(iterative.B, direct.B, atol=1e-6)
    assert iterative.gap <= 1e-13


@pytest.mark.parametrize("classes", [2, 4, 20])
@pytest.mark.parametrize("form", ["dense", "shifted", "sparse", "sparse and shifted"])
@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_products_with_the_hessian(classes, form, precision):
    X, _ = draw(150, 30, classes)
    Q = class_basis(classes)
    P = softmax(np.random.default_rng(1).standard_normal((classes, 150)), axis=0)
    H = newton.loss_hessian(as_design(X), newton.class_weights(Q, P), True)
    A = np.random.default_rng(0).standard_normal((classes - 1, 31))
    shift = np.linspace(0, 2, 30) if "shifted" in form else np.zeros(30)
    matrix = sp.csr_array(X + shift) if "sparse" in form else X + shift
    design = Design(matrix, shift if "shifted" in form else None)
    product = HessianProduct(design, Q, precision)(np.ascontiguousarray(P.T), A)
    digits = 1e-5 if precision is np.float32 else 1e-12
    assert product.dtype == np.float64
    expected = H @ A.ravel()
    np.testing.assert_allclose(product.ravel(), expected, atol=digits * abs(expected).max())


def test_ill_conditioned_designs_are_fitted_in_double_precision(monkeypatch):
    """A column of size 1e4 hides the others from single precision: the prior is all they have."""
    X, y = draw(300, 70, 4)
    X = np.hstack([X, X[:, :1] + 1e4 * X[:, 1:2], X[:, :1]])
    precise = []
    be_precise = newton.Newton.be_precise
    monkeypatch.setattr(
        newton.Newton, "be_precise", lambda self: (precise.append(1), be_precise(self))
    )
    fit = fit_map(as_design(X), y, 4, 30.0)
    assert fit.gap <= 1e-13
    assert precise


def test_weights_of_the_gram_matrix_have_mean_one_and_none_vanishes():
    w = newton.relative_weights(np.array([0.0, 1.0, 3.0]))
    assert w.mean() == pytest.approx(1.0)
    assert 0 < w[0] < w[1] < w[2]
    np.testing.assert_array_equal(newton.relative_weights(np.zeros(3)), 1.0)


def test_hessian_is_the_derivative_of_the_gradient():
    X, y = draw(40, 3, 3)
    Q, sigma = class_basis(3), 0.9
    fit = fit_map(as_design(X), y, 3, sigma)
    H = newton.loss_hessian(as_design(X), newton.class_weights(Q, fit.likelihood.P), True)

    def gradient(theta):
        at = likelihood(Q, scores(as_design(X), theta[:, :-1]) + theta[:, -1:], y)
        return (Q.T @ at.R @ np.hstack([X, np.ones((40, 1))])).ravel()

    theta, h = np.hstack([Q.T @ fit.B, (Q.T @ fit.b0)[:, None]]), 1e-6
    for i, column in enumerate(H.T):
        step = np.zeros(theta.size)
        step[i] = h
        step = step.reshape(theta.shape)
        numeric = (gradient(theta + step) - gradient(theta - step)) / (2 * h)
        np.testing.assert_allclose(numeric, column, atol=1e-6 * np.abs(H).max())


@pytest.mark.parametrize("shift", [False, True])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_gram_side_has_the_gram_matrix(shift, kind):
    rng = np.random.default_rng(0)
    M = rng.normal(size=(12, 40)) * (rng.random((12, 40)) < 0.4)
    design = Design(
        M if kind == "dense" else sp.csr_array(M), rng.normal(size=40) if shift else None
    )
    factor, X = gram_side(design).toarray(), design.toarray()
    np.testing.assert_allclose(factor @ factor.T, X @ X.T, atol=1e-11)
    assert factor.shape[1] <= 12


@pytest.mark.parametrize("warm", [False, True])
def test_gram_side_equals_the_primal_side(monkeypatch, warm):
    X, y = draw(30, 70, 3)
    assert gram_side_pays(as_design(X))
    rng = np.random.default_rng(3)
    start = (rng.normal(size=(3, 70)), rng.normal(size=3)) if warm else None
    gram = fit_map(as_design(X), y, 3, 0.5, start)
    monkeypatch.setattr("ccc.selection.map.gram_side_pays", lambda X: False)
    primal = fit_map(as_design(X), y, 3, 0.5, start)
    assert gram.objective == pytest.approx(primal.objective, abs=1e-10)
    np.testing.assert_allclose(gram.B, primal.B, atol=1e-6)


@pytest.mark.parametrize("m", [4, 90])
def test_sparse_and_standardised_designs_equal_dense_ones(m):
    rng = np.random.default_rng(0)
    M = sp.random_array((200, m), density=0.3, rng=rng, format="csr")
    y = rng.integers(0, 3, 200)
    sparse = Standardized.fit(M)
    dense = (M.toarray() - sparse.centre) / sparse.scale
    a, b = fit_map(as_design(sparse), y, 3, 0.3), fit_map(as_design(dense), y, 3, 0.3)
    assert a.objective == pytest.approx(b.objective, rel=1e-12)
    np.testing.assert_allclose(a.B, b.B, atol=1e-6)


def test_a_missed_tolerance_warns_with_both_numbers(monkeypatch):
    X, y = draw(100, 10, 3)
    monkeypatch.setattr("ccc.selection.map.MAX_NEWTON", 1)
    with pytest.warns(ConvergenceWarning, match=r"gap .* tolerance"):
        fit_map(as_design(X), y, 3, 1.0)


def test_a_warm_start_at_the_solution_takes_no_step():
    X, y = draw(100, 10, 3)
    fit = fit_map(as_design(X), y, 3, 1.0)
    again = fit_map(as_design(X), y, 3, 1.0, (fit.B, fit.b0))
    assert again.n_iter == 0


def test_a_gram_matrix_given_ahead_changes_nothing():
    X, y = draw(300, 100, 4)
    labels = np.append(np.arange(80), np.arange(20))
    G = newton.project_gram(newton.gram_of(as_design(X)), labels)
    projected = as_design(X).project(labels)
    np.testing.assert_allclose(G, newton.gram_of(projected), atol=1e-9)
    with_gram = fit_map(projected, y, 4, 1.0, gram=G)
    assert with_gram.objective == pytest.approx(fit_map(projected, y, 4, 1.0).objective, rel=1e-12)


def test_divergence_is_exact_where_the_plain_formula_rounds():
    P = np.array([[0.3, 1e-20, 0.0], [0.7, 1.0, 1.0]])
    with np.errstate(divide="ignore"):
        log_P = np.maximum(np.log(P), -1000.0)  # the last sample underflows
    at = Likelihood(0.0, P, log_P, P)
    change = np.array([[1e-9], [-1e-9]]) * np.array([1.0, 0.0, 1.0])
    second_order = 1e-18 / 2 * (1 / 0.3 + 1 / 0.7)
    first_order = 1e-9 * (np.log(1e-9) + 1000.0) - 1e-9
    only_small = _divergence(at, change * [1, 0, 0])
    assert only_small == pytest.approx(second_order, rel=1e-6)
    assert _divergence(at, change) == pytest.approx(second_order + first_order, rel=1e-6)
