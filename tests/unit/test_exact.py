"""What must be true of the exact solver whatever it does inside."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import ccc
from ccc.graph import canonical_labels, graph_of
from tests.oracle.twin import random_instance


@pytest.fixture(scope="module")
def instance():
    return random_instance(3, n=60, d=14, c=3, density=0.6)


NUS = [0.02, 0.2, 1.0, 5.0]


def solve(instance, nus=NUS, **options):
    return ccc.solve_path(instance.X, instance.y, instance.S, nus, **options)


def test_columns_are_equal_bit_for_bit_within_a_cluster_and_only_there(instance):
    for fit in solve(instance):
        for k in range(fit.n_clusters):
            columns = fit.B[:, fit.labels == k]
            assert (columns == columns[:, :1]).all()
        graph = graph_of(instance.S)
        tied = (fit.B[:, graph.heads] == fit.B[:, graph.tails]).all(axis=0)
        assert np.array_equal(graph.components(tied), fit.labels)
        np.testing.assert_allclose(fit.B.sum(axis=0), 0, atol=1e-12)


def test_permuted_covariates(instance):
    order = np.random.default_rng(0).permutation(14)
    base = solve(instance)
    path = ccc.solve_path(instance.X[:, order], instance.y, instance.S[np.ix_(order, order)], NUS)
    np.testing.assert_allclose(path.objective, base.objective, rtol=1e-9)
    for a, b in zip(path, base, strict=True):
        assert np.array_equal(a.labels, canonical_labels(b.labels[order]))
        np.testing.assert_allclose(a.B, b.B[:, order], atol=1e-5)


def test_permuted_samples_and_relabelled_classes(instance):
    order = np.random.default_rng(1).permutation(60)
    names = np.array(["z", "ä", "m"])
    base = solve(instance)
    path = ccc.solve_path(instance.X[order], names[instance.y[order]], instance.S, NUS)
    row = [list(path.classes).index(name) for name in names]
    for a, b in zip(path, base, strict=True):
        assert a.objective == pytest.approx(b.objective, rel=1e-9)
        assert np.array_equal(a.labels, b.labels)
        np.testing.assert_allclose(a.B[row], b.B, atol=1e-5)


def test_only_the_product_of_nu_and_S_matters(instance):
    base = solve(instance)
    path = ccc.solve_path(instance.X, instance.y, 1e3 * instance.S, np.array(NUS) / 1e3)
    np.testing.assert_allclose(path.objective, base.objective, rtol=1e-9)
    assert np.array_equal(path.labels, base.labels)


def test_the_order_of_the_grid_is_the_callers(instance):
    base = solve(instance)
    shuffled = solve(instance, [1.0, 0.02, 5.0, 0.2])
    assert np.array_equal(shuffled.labels, base.labels[[2, 0, 3, 1]])
    np.testing.assert_allclose(shuffled.objective, base.objective[[2, 0, 3, 1]], rtol=1e-10)


@pytest.mark.parametrize("c", [2, 4])
def test_duplicate_columns_are_fused_at_every_nu(c):
    instance = random_instance(5, n=40, d=10, c=c)
    X = np.hstack([instance.X, instance.X[:, :1]])
    S = np.zeros((11, 11))
    S[:10, :10] = instance.S
    S[10, :10] = S[:10, 10] = instance.S[0]
    S[0, 10] = S[10, 0] = 0.5
    path = ccc.solve_path(X, instance.y, S, [0.0, 1e-6, *NUS])
    assert (path.labels[:, 0] == path.labels[:, 10]).all()
    assert (path.B[:, :, 0] == path.B[:, :, 10]).all()


@pytest.mark.parametrize("c", [2, 3])
def test_nu_zero_is_ridge_logistic_regression(c):
    instance = random_instance(6, n=80, d=6, c=c)
    fit = ccc.solve(instance.X, instance.y, instance.S, 0.0)
    reference = LogisticRegression(C=5.0, tol=1e-12, max_iter=10_000)  # 1 / (2 C) = 0.1
    reference.fit(instance.X, instance.y)
    B, b0 = reference.coef_, reference.intercept_
    if c == 2:
        # scikit-learn penalises the difference of the two rows, which halves the ridge.
        reference = LogisticRegression(C=10.0, tol=1e-12, max_iter=10_000)
        reference.fit(instance.X, instance.y)
        B, b0 = np.vstack([-reference.coef_, reference.coef_]) / 2, reference.intercept_ / 2
        b0 = np.r_[-b0, b0]
    np.testing.assert_allclose(fit.B, B, atol=1e-5)
    np.testing.assert_allclose(fit.b0 - fit.b0.mean(), b0 - b0.mean(), atol=1e-5)
    assert fit.labels.tolist() == list(range(6))


@pytest.mark.parametrize("nu", [1e4, 1e8, 1e12])
def test_huge_nu_gives_one_cluster_per_connected_component(nu):
    instance = random_instance(7, n=40, d=12, c=3)
    blocks = np.array([0] * 5 + [1] * 6 + [2])
    S = instance.S * (blocks[:, None] == blocks)
    fit = ccc.solve(instance.X, instance.y, S, nu)
    assert fit.labels.tolist() == blocks.tolist()
    assert fit.status == "optimal"
    # With the partition known, Eq. (1) is ridge regression on the sums, each with its size.
    sums = np.stack([instance.X[:, blocks == k].sum(1) for k in range(3)], axis=1)
    sizes = np.sqrt(np.bincount(blocks))
    reference = LogisticRegression(C=5.0, tol=1e-12, max_iter=10_000)
    reference.fit(sums / sizes, instance.y)
    np.testing.assert_allclose(fit.B[:, [0, 5, 11]], reference.coef_ / sizes, atol=1e-5)


@pytest.mark.parametrize("S", [np.zeros((6, 6)), 3 * np.eye(6), sp.csr_array((6, 6))])
def test_an_empty_graph_is_logistic_regression_with_singletons(S):
    instance = random_instance(8, n=30, d=6, c=3)
    path = ccc.solve_path(instance.X, instance.y, S, [0.0, 1.0, 1e6])
    assert (path.n_clusters == 6).all()
    assert np.ptp(path.objective) <= 1e-12 * path.objective[0]
    assert (path.status == "optimal").all()


def test_sparse_and_standardized_designs_equal_the_dense_one(instance):
    rng = np.random.default_rng(2)
    X = sp.random_array((60, 14), density=0.4, rng=rng, format="csr")
    implicit = ccc.Standardized.fit(X)
    dense = (X.toarray() - implicit.centre) / implicit.scale
    base = ccc.solve_path(dense, instance.y, instance.S, NUS)
    for S in (instance.S, sp.csr_array(instance.S)):
        path = ccc.solve_path(implicit, instance.y, S, NUS)
        np.testing.assert_allclose(path.objective, base.objective, rtol=1e-9)
        np.testing.assert_allclose(path.b0, base.b0, atol=1e-5)
        assert np.array_equal(path.labels, base.labels)
    for i, fit in enumerate(path):
        value = ccc.objective(dense, instance.y, instance.S, fit.B, fit.b0, fit.nu)
        assert value == pytest.approx(path.objective[i], rel=1e-11)


def test_one_covariate_and_two_samples():
    fit = ccc.solve(np.array([[1.0], [-1.0]]), ["a", "b"], np.zeros((1, 1)), 1.0)
    # minimise 2 log(1 + exp(-2 t)) + 0.2 t^2 with B = (t, -t)': its derivative vanishes
    t = fit.B[0, 0]
    assert 4 / (1 + np.exp(2 * t)) == pytest.approx(0.4 * t, rel=1e-6)


def test_a_tolerance_that_cannot_be_reached_is_said(instance):
    with pytest.warns(ccc.ConvergenceWarning, match=r"gap .* exceeds tol = 1\.00e-30"):
        fit = ccc.solve(instance.X, instance.y, instance.S, 0.5, tol=1e-30)
    assert fit.status == "inaccurate"
    assert 1e-30 < fit.gap < 1e-9


@pytest.mark.parametrize("seed", [0, 4, 8])
def test_rounds_that_run_out_after_a_split_leave_an_honest_gap(seed, monkeypatch):
    """Clusters came apart in the last round: what is returned is the best point before."""
    rng = np.random.default_rng(seed)
    X, y, nus = (
        rng.standard_normal((30, 25)),
        np.arange(30) % (2 + seed % 3),
        np.geomspace(1, 1e-3, 8),
    )
    S = np.exp(-6 * rng.random((25, 25)))
    S = (S + S.T) / 2
    best = ccc.solve_path(X, y, S, nus)
    monkeypatch.setattr("ccc.solvers.exact.walk.ROUNDS", 1)
    with pytest.warns(ccc.ConvergenceWarning):
        path = ccc.solve_path(X, y, S, nus)
    excess = (path.objective - best.objective) / np.maximum(1, best.objective)
    assert (excess <= path.gap + 1e-9).all()
    assert path.gap.max() > 1e-6 >= best.gap.max()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 40),
    d=st.integers(1, 15),
    c=st.integers(2, 5),
    density=st.sampled_from([0.0, 0.3, 1.0]),
    scale=st.sampled_from([1e-3, 1.0, 1e3]),
    nu=st.sampled_from([0.0, 1e-8, 1e-2, 1.0, 1e3]),
)
def test_any_shape_and_scale_is_certified(seed, n, d, c, density, scale, nu):
    instance = random_instance(seed, max(n, c), d, c, density)
    fit = ccc.solve(scale * instance.X, instance.y, instance.S, nu)
    again = ccc.certificate(
        scale * instance.X, instance.y, instance.S, fit.B, fit.b0, fit.flows, nu
    )
    assert again.gap <= 1e-6
    assert fit.status == "optimal"
    assert fit.n_clusters >= graph_of(instance.S).components().max() + 1
