"""The Laplace approximation: against formulas written out, quadrature, and its invariances."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad

from ccc.data import make_synthetic
from ccc.design import Standardized, as_design
from ccc.graph import canonical_labels
from ccc.selection import log_marginal_likelihood
from ccc.selection.laplace import evidence
from ccc.selection.map import fit_map


def draw(n=60, d=6, c=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.argmax(X @ rng.normal(size=(d, c)) + 2 * rng.normal(size=(n, c)), axis=1)
    y[:c] = np.arange(c)
    return X, y


def project(X, labels):
    return np.stack([X[:, labels == k].sum(axis=1) for k in range(labels.max() + 1)], axis=1)


def written_out(X, y, labels, sigma, hessian):
    """The formula of Section 3, term by term, with the Hessian blocks of the appendix."""
    Xc = project(X, labels)
    (n, m), c = Xc.shape, y.max() + 1
    fit = fit_map(as_design(Xc), y, c, sigma)
    Z = Xc @ fit.B.T + fit.b0
    P = np.exp(Z - np.logaddexp.reduce(Z, axis=1)[:, None])
    H = np.zeros((c, m, c, m))
    for s in range(n):
        for i in range(c):
            for j in range(c):
                H[i, :, j] += P[s, i] * ((i == j) - P[s, j]) * np.outer(Xc[s], Xc[s])
    H = H.reshape(c * m, c * m) + np.eye(c * m) / sigma**2
    log_det = np.sum(np.log(np.diag(H))) if hessian == "diagonal" else np.linalg.slogdet(H)[1]
    log_prior = -np.sum(fit.B**2) / (2 * sigma**2) - c * m / 2 * np.log(2 * np.pi * sigma**2)
    log_likelihood = np.sum(np.log(P[np.arange(n), y]))
    return c * m / 2 * np.log(2 * np.pi) - log_det / 2 + log_prior + log_likelihood


CLUSTERINGS = [np.zeros(6, int), np.array([0, 1, 0, 2, 2, 1]), np.arange(6)]


@pytest.mark.parametrize("hessian", ["diagonal", "full"])
@pytest.mark.parametrize("labels", CLUSTERINGS, ids=["one", "three", "six"])
@pytest.mark.parametrize("sigma", [1e-3, 0.1, 1.0, 10**1.5])
@pytest.mark.parametrize("c", [2, 3])
def test_is_the_formula_of_the_paper(hessian, labels, sigma, c):
    X, y = draw(c=c)
    value = log_marginal_likelihood(X, y, labels, sigma, hessian)
    assert value == pytest.approx(written_out(X, y, labels, sigma, hessian), abs=1e-8)


@pytest.mark.parametrize("hessian", ["diagonal", "full"])
def test_is_the_formula_of_the_paper_with_fewer_samples_than_clusters(hessian):
    X, y = draw(n=12, d=30)
    value = log_marginal_likelihood(X, y, np.arange(30), 0.8, hessian)
    assert value == pytest.approx(written_out(X, y, np.arange(30), 0.8, hessian), abs=1e-8)


@pytest.mark.parametrize("sigma", [0.05, 0.5, 2.0])
def test_full_hessian_comes_close_to_the_integral(sigma):
    X, y = draw(n=40, d=1, c=2)
    fit = fit_map(as_design(X), y, 2, sigma)

    def joint(b1, b2):
        # Relative to the MAP, so that the integrand is of order one.
        Z = np.outer(X[:, 0], [b1, b2]) + fit.b0
        loss = np.sum(np.logaddexp.reduce(Z, axis=1) - Z[np.arange(40), y])
        return np.exp(fit.objective - loss - (b1**2 + b2**2) / (2 * sigma**2))

    integral, _ = dblquad(joint, -9 * sigma, 9 * sigma, -9 * sigma, 9 * sigma, epsabs=1e-7)
    exact = np.log(integral) - fit.objective - np.log(2 * np.pi * sigma**2)
    approximation = log_marginal_likelihood(X, y, [0], sigma, "full")
    assert approximation == pytest.approx(exact, abs=0.05)


def test_hessians_agree_as_the_prior_takes_over_and_differ_otherwise():
    X, y = draw()
    labels = np.arange(6)
    tiny = [log_marginal_likelihood(X, y, labels, 1e-4, h) for h in ("diagonal", "full")]
    assert tiny[0] == pytest.approx(tiny[1], abs=1e-9)
    wide = [log_marginal_likelihood(X, y, labels, 3.0, h) for h in ("diagonal", "full")]
    assert wide[0] < wide[1]  # Hadamard: the diagonal's determinant is the larger one


def test_orthogonal_covariates_leave_only_the_coupling_of_the_classes():
    # Samples that are unit vectors: covariates do not couple, and at one sample per covariate the
    # block of covariate z is I + sigma^2 (diag(p_z) - p_z p_z').
    X, y, sigma = np.eye(6), np.array([0, 1, 2, 0, 1, 2]), 0.7
    fit = fit_map(as_design(X), y, 3, sigma)
    P = fit.likelihood.P
    blocks = [np.eye(3) + sigma**2 * (np.diag(p) - np.outer(p, p)) for p in P.T]
    full = -fit.objective - sum(np.linalg.slogdet(block)[1] for block in blocks) / 2
    diagonal = -fit.objective - sum(np.sum(np.log(np.diag(block))) for block in blocks) / 2
    labels = np.arange(6)
    assert log_marginal_likelihood(X, y, labels, sigma, "full") == pytest.approx(full, abs=1e-10)
    assert log_marginal_likelihood(X, y, labels, sigma) == pytest.approx(diagonal, abs=1e-10)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), full=st.booleans(), n=st.sampled_from([10, 50]))
def test_does_not_depend_on_names_or_order(seed, full, n):
    rng = np.random.default_rng(seed)
    X, y = draw(n=n, d=12, seed=seed)
    labels, hessian = rng.integers(0, 12, 12), "full" if full else "diagonal"
    value = log_marginal_likelihood(X, y, labels, 0.7, hessian)
    rows, columns = rng.permutation(n), rng.permutation(12)
    other = log_marginal_likelihood(
        X[rows][:, columns], np.array(["c", "a", "b"])[y][rows], 7 - labels[columns], 0.7, hessian
    )
    assert other == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize("hessian", ["diagonal", "full"])
@pytest.mark.parametrize("n", [20, 150])
def test_sparse_and_standardised_designs_equal_dense_ones(hessian, n):
    rng = np.random.default_rng(0)
    M = sp.random_array((n, 40), density=0.3, rng=rng, format="csr")
    y = np.arange(n) % 3
    labels = rng.integers(0, 35, 40)
    standardised = Standardized.fit(M)
    dense = (M.toarray() - standardised.centre) / standardised.scale
    expected = log_marginal_likelihood(dense, y, labels, 0.4, hessian)
    for X in (standardised, as_design(standardised), as_design(dense)):
        value = log_marginal_likelihood(X, y, labels, 0.4, hessian)
        assert value == pytest.approx(expected, abs=1e-8)
    plain = log_marginal_likelihood(M, y, labels, 0.4, hessian)
    expected = log_marginal_likelihood(M.toarray(), y, labels, 0.4, hessian)
    assert plain == pytest.approx(expected, abs=1e-8)


def test_splitting_what_does_not_matter_costs_evidence():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    X = rng.normal(size=(200, 4)) + np.array([[0.0], [1.0]])[y]
    together = log_marginal_likelihood(X, y, [0, 0, 0, 0], 1.0)
    apart = log_marginal_likelihood(X, y, [0, 1, 2, 3], 1.0)
    assert together > apart + 1


@pytest.mark.parametrize(
    "change, message",
    [
        ({"sigma": 0}, "sigma.*0"),
        ({"sigma": -1.5}, "sigma.*-1.5"),
        ({"sigma": np.inf}, "sigma.*inf"),
        ({"sigma": "wide"}, "sigma.*wide"),
        ({"labels": [0, 1]}, r"labels.*\(6,\).*\(2,\)"),
        ({"labels": np.linspace(0, 1, 6)}, "labels.*float"),
        ({"y": np.zeros(60)}, "y.*two classes"),
        ({"y": np.zeros(59)}, r"y.*60.*59"),
        ({"X": np.full((60, 6), np.nan)}, "X.*nan"),
        ({"hessian": "none"}, "hessian.*'diagonal', 'full'.*'none'"),
    ],
)
def test_bad_input_is_named(change, message):
    X, y = draw()
    arguments = {"X": X, "y": y, "labels": np.arange(6), "sigma": 1.0} | change
    with pytest.raises(ValueError, match=message):
        log_marginal_likelihood(**arguments)


def test_full_hessian_keeps_its_digits_on_separable_data():
    # Two classes, one covariate: L = w [[1, -1], [-1, 1]] with w = sum p (1 - p) x^2.
    y = np.repeat([0, 1], 20)
    X = np.array([[-30.0], [31.0]])[y]
    sigma = 1e3
    fit = fit_map(as_design(X), y, 2, sigma)
    w = np.sum(fit.likelihood.P.prod(axis=0) * X[:, 0] ** 2)
    expected = -fit.objective - np.log1p(2 * sigma**2 * w) / 2
    assert log_marginal_likelihood(X, y, [0], sigma, "full") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("sigma", [0.1, 1.0, 10**1.5])
def test_is_right_to_a_millionth_of_a_nat_where_many_covariates_separate_few_samples(sigma):
    data = make_synthetic("contradicting", d=300, n=20, seed=0)
    design = as_design(data.X)
    rng = np.random.default_rng(0)
    for labels in (np.arange(300), rng.integers(0, 250, 300)):
        projected = design.project(canonical_labels(labels))
        best = evidence(projected, fit_map(projected, data.y, 4, sigma, tol=1e-22), sigma)
        value = log_marginal_likelihood(data.X, data.y, labels, sigma)
        assert value == pytest.approx(best, abs=1e-6)
