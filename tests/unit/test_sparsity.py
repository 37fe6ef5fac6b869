"""What must be true of joint selection and clustering; the oracle is in tests/oracle."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccc
from ccc.baselines import group_lasso_path
from ccc.graph import canonical_labels, graph_of
from ccc.solvers.exact.losses import LinearLoss
from ccc.solvers.exact.walk import Walk
from ccc.storage import load_npz, save_npz
from tests.oracle.twin import random_instance

NUS = [0.0, 0.02, 0.2, 0.6, 1.5, 5.0]
GAMMA = 3.0


@pytest.fixture(scope="module", params=[2, 3], ids=["two classes", "three classes"])
def instance(request):
    return random_instance(7, n=60, d=14, c=request.param, density=0.6)


@pytest.fixture(scope="module")
def base(instance):
    """Covariates become irrelevant and relevant along this path."""
    path = solve(instance)
    counts = path.irrelevant.sum(axis=1)
    assert 0 < counts[0] < 14 and len(set(counts)) > 2
    return path


def solve(instance, nus=NUS, **options):
    return ccc.solve_path(instance.X, instance.y, instance.S, nus, sparsity=GAMMA, **options)


def threshold(instance):
    """The γ from which on no covariate is relevant at ν = 0: the largest gradient at B = 0."""
    Y = (instance.y[:, None] == np.unique(instance.y)).astype(float)
    return np.linalg.norm(instance.X.T @ (Y - Y.mean(axis=0)), axis=1).max()


def test_a_column_is_exactly_zero_iff_its_covariate_is_irrelevant(base):
    for fit in base:
        assert np.array_equal((fit.B == 0).all(axis=0), fit.irrelevant)
        assert not np.signbit(fit.B[:, fit.irrelevant]).any()


def test_columns_are_equal_bit_for_bit_within_a_cluster_and_only_there(instance, base):
    graph = graph_of(instance.S)
    for fit in base:
        tied = (fit.B[:, graph.heads] == fit.B[:, graph.tails]).all(axis=0)
        labels = np.where(fit.irrelevant, -1, graph.components(tied))
        assert np.array_equal(canonical_labels(labels), fit.labels)
        np.testing.assert_allclose(fit.B.sum(axis=0), 0, atol=1e-12)


def test_irrelevant_covariates_are_one_cluster_even_where_nothing_joins_them():
    instance = random_instance(7, n=40, d=12, c=3)
    blocks = np.array([0] * 5 + [1] * 5 + [2, 3])
    S = instance.S * (blocks[:, None] == blocks)
    path = ccc.solve_path(instance.X, instance.y, S, [0.0, 0.1, 1e6], sparsity=6.0)
    for fit in path:
        assert len(np.unique(blocks[fit.irrelevant])) > 1
        assert len(np.unique(fit.labels[fit.irrelevant])) == 1
        assert not np.isin(fit.labels[~fit.irrelevant], fit.labels[fit.irrelevant]).any()
        assert fit.n_clusters == len(np.unique(fit.labels))
    # At a huge ν every block is relevant or irrelevant as a whole.
    assert all(np.ptp(path.irrelevant[2][blocks == k].astype(int)) == 0 for k in range(4))
    assert 0 < path.irrelevant[2].sum() < 12


def test_isolated_irrelevant_covariates_do_not_end_the_path():
    """There are fewer clusters than components of S long before the one block has fused."""
    instance = random_instance(1, n=60, d=4, c=3)
    noise = np.random.default_rng(0).standard_normal((60, 10))
    X, S = np.hstack([instance.X, 0.01 * noise]), np.pad(instance.S, (0, 10))
    path = ccc.solve_path(X, instance.y, S, [1e-3, 0.1, 1e3], sparsity=1.0)
    assert path.n_clusters.tolist() == [5, 5, 2]
    assert (path.irrelevant == (np.arange(14) >= 4)).all()
    for fit in path:
        value = ccc.objective(X, instance.y, S, fit.B, fit.b0, fit.nu, sparsity=1.0)
        assert fit.objective == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("nu", [0.0, 1e-3, 1.0, 1e6])
def test_above_the_largest_gradient_nothing_is_relevant(instance, nu):
    gamma = 1.0001 * threshold(instance)
    fit = ccc.solve(instance.X, instance.y, instance.S, nu, sparsity=gamma)
    assert fit.irrelevant.all() and fit.n_clusters == 1 and (fit.B == 0).all()
    frequencies = np.exp(fit.b0) / np.exp(fit.b0).sum()
    np.testing.assert_allclose(frequencies, np.bincount(instance.y) / 60, rtol=1e-9)
    assert fit.gap <= 1e-9


def test_below_the_largest_gradient_one_covariate_is_relevant(instance):
    gamma = 0.999 * threshold(instance)
    fit = ccc.solve(instance.X, instance.y, instance.S, 0.0, sparsity=gamma)
    assert (~fit.irrelevant).sum() == 1


@pytest.mark.parametrize(("factor", "relevant"), [(1.001, False), (0.99, True)])
def test_at_a_huge_nu_the_sum_of_all_gradients_decides(factor, relevant):
    instance = random_instance(2, n=50, d=9, c=3)
    Y = (instance.y[:, None] == np.arange(3)).astype(float)
    total = np.linalg.norm(instance.X.sum(axis=1) @ (Y - Y.mean(axis=0)))
    fit = ccc.solve(instance.X, instance.y, instance.S, 1e5, sparsity=factor * total / 9)
    assert fit.n_clusters == 1
    assert (fit.irrelevant != relevant).all()


@pytest.mark.parametrize("share", [0.5, 0.1, 0.01])
def test_nu_zero_is_the_group_lasso(instance, share):
    gamma = share * threshold(instance)
    fit = ccc.solve(instance.X, instance.y, instance.S, 0.0, sparsity=gamma)
    reference = group_lasso_path(instance.X, instance.y, [gamma], tol=1e-12)
    assert np.array_equal(~fit.irrelevant, reference.support[0])
    np.testing.assert_allclose(fit.B, reference.B[0], atol=1e-5)


def test_without_edges_every_nu_is_the_group_lasso(instance):
    S = sp.csr_array((14, 14))
    path = ccc.solve_path(instance.X, instance.y, S, [0.0, 1.0, 1e6], sparsity=GAMMA)
    reference = group_lasso_path(instance.X, instance.y, [GAMMA], tol=1e-12)
    for fit in path:
        assert np.array_equal(~fit.irrelevant, reference.support[0])
        np.testing.assert_allclose(fit.B, reference.B[0], atol=1e-5)


def test_a_vanishing_sparsity_changes_nothing(instance):
    nus = NUS[1:]
    plain = ccc.solve_path(instance.X, instance.y, instance.S, nus)
    path = ccc.solve_path(instance.X, instance.y, instance.S, nus, sparsity=1e-9)
    np.testing.assert_allclose(path.objective, plain.objective, rtol=1e-8)
    assert np.array_equal(path.labels, plain.labels)
    assert not path.irrelevant.any() and not plain.irrelevant.any()


def test_permuted_covariates(instance, base):
    order = np.random.default_rng(0).permutation(14)
    S = instance.S[np.ix_(order, order)]
    path = ccc.solve_path(instance.X[:, order], instance.y, S, NUS, sparsity=GAMMA)
    np.testing.assert_allclose(path.objective, base.objective, rtol=1e-9)
    assert np.array_equal(path.irrelevant, base.irrelevant[:, order])
    for a, b in zip(path, base, strict=True):
        assert np.array_equal(a.labels, canonical_labels(b.labels[order]))
        np.testing.assert_allclose(a.B, b.B[:, order], atol=1e-5)


def test_scaled_covariates(instance, base):
    """X → aX is B → B/a with λ → a²λ, γ → aγ, ν → aν; of ν and S only the product matters."""
    a = 8.0
    path = ccc.solve_path(
        a * instance.X,
        instance.y,
        instance.S / 100,
        100 * a * np.array(NUS),
        ridge=0.1 * a**2,
        sparsity=a * GAMMA,
    )
    np.testing.assert_allclose(path.objective, base.objective, rtol=1e-9)
    np.testing.assert_allclose(a * path.B, base.B, atol=1e-5)
    assert np.array_equal(path.labels, base.labels)
    assert np.array_equal(path.irrelevant, base.irrelevant)


def test_one_nu_is_the_path_at_this_nu(instance, base):
    for i in (1, 3):
        fit = ccc.solve(instance.X, instance.y, instance.S, NUS[i], sparsity=GAMMA)
        assert fit.objective == pytest.approx(base.objective[i], rel=1e-9)
        assert np.array_equal(fit.irrelevant, base.irrelevant[i])
        assert np.array_equal(fit.labels, base.labels[i])


def test_the_order_of_the_grid_is_the_callers(instance, base):
    order = [3, 0, 4, 2, 5, 1]
    shuffled = solve(instance, [NUS[i] for i in order])
    assert np.array_equal(shuffled.irrelevant, base.irrelevant[order])
    np.testing.assert_allclose(shuffled.objective, base.objective[order], rtol=1e-10)


@pytest.mark.parametrize("gamma", [0.5, 5.0])
def test_duplicate_columns_are_fused_at_every_nu(instance, gamma):
    X = np.hstack([instance.X, instance.X[:, :2]])
    S = np.pad(instance.S, (0, 2))
    for copy, of in ((14, 0), (15, 1)):
        S[copy, :14] = S[:14, copy] = instance.S[of]
        S[copy, of] = S[of, copy] = 0.5
    path = ccc.solve_path(X, instance.y, S, NUS, sparsity=gamma)
    assert (path.labels[:, :2] == path.labels[:, 14:]).all()
    assert (path.B[:, :, :2] == path.B[:, :, 14:]).all()


def test_sparse_and_standardized_designs_equal_the_dense_one(instance):
    X = sp.random_array((60, 14), density=0.4, rng=np.random.default_rng(2), format="csr")
    implicit = ccc.Standardized.fit(X)
    dense = (X.toarray() - implicit.centre) / implicit.scale
    base = ccc.solve_path(dense, instance.y, instance.S, NUS, sparsity=GAMMA)
    assert 0 < base.irrelevant.sum() < base.irrelevant.size
    for S in (instance.S, sp.csr_array(instance.S)):
        path = ccc.solve_path(implicit, instance.y, S, NUS, sparsity=GAMMA)
        np.testing.assert_allclose(path.objective, base.objective, rtol=1e-9)
        np.testing.assert_allclose(path.b0, base.b0, atol=1e-5)
        assert np.array_equal(path.labels, base.labels)
        assert np.array_equal(path.irrelevant, base.irrelevant)


def test_points_without_edges_are_shrunk_towards_zero():
    """Of ½||u - d||² + γ||u|| the minimiser is d (1 - γ/||d||)₊."""
    D = np.array([[3.0, 0.3, 0.0, -2.0], [4.0, 0.4, 1.0, 0.0]])
    walk = Walk(LinearLoss(np.pad(D, ((0, 0), (0, 1)))), np.zeros((5, 5)), 0.5, 1e-10, 1.5)
    walk.start(1.0)
    solution = walk.step(1.0)
    expected = D * np.maximum(1 - 1.5 / np.linalg.norm(D, axis=0), 0)
    np.testing.assert_allclose(solution.A[:, solution.labels], expected, atol=1e-7)
    assert solution.irrelevant.tolist() == [False, True, True, False]


def test_saved_and_read_back(base, tmp_path):
    base.save(tmp_path / "path.npz")
    back = ccc.Path.load(tmp_path / "path.npz")
    assert back.irrelevant.dtype == bool
    assert np.array_equal(back.irrelevant, base.irrelevant)
    assert back.to_frame()["n_irrelevant"].tolist() == base.irrelevant.sum(axis=1).tolist()
    base[1].save(tmp_path / "fit.npz")
    assert np.array_equal(ccc.Fit.load(tmp_path / "fit.npz").irrelevant, base.irrelevant[1])


def test_files_from_before_there_was_sparsity_are_read(instance, tmp_path):
    path = ccc.solve_path(instance.X, instance.y, instance.S, [1.0])
    path.save(tmp_path / "path.npz")
    fields = load_npz(tmp_path / "path.npz")
    del fields["irrelevant"]
    save_npz(tmp_path / "old.npz", **fields)
    old = ccc.Path.load(tmp_path / "old.npz")
    assert old.irrelevant.shape == (1, 14) and not old.irrelevant.any()
    assert not old[0].irrelevant.any()
    assert "n_irrelevant" not in old.to_frame()


def test_the_papers_algorithm_refuses_sparsity(instance):
    with pytest.raises(ValueError, match=r"sparsity must be 0 with method 'admm'.*got 3\.0"):
        solve(instance, method="admm")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 40),
    d=st.integers(1, 15),
    c=st.integers(2, 5),
    density=st.sampled_from([0.0, 0.3, 1.0]),
    scale=st.sampled_from([1e-3, 1.0, 1e3]),
    nu=st.sampled_from([0.0, 1e-8, 1e-2, 1.0, 1e3]),
    share=st.sampled_from([1e-6, 1e-2, 0.2, 0.9, 1.1, 1e3]),
)
def test_any_shape_and_scale_is_certified(seed, n, d, c, density, scale, nu, share):
    instance = random_instance(seed, max(n, c), d, c, density)
    instance.X *= scale
    gamma = share * threshold(instance)
    data = instance.X, instance.y, instance.S
    fit = ccc.solve(*data, nu, sparsity=gamma)
    again = ccc.certificate(*data, fit.B, fit.b0, fit.flows, nu, sparsity=gamma)
    assert again.gap <= 1e-6 and again.excess <= 1e-12
    assert fit.status == "optimal"
    assert np.array_equal((fit.B == 0).all(axis=0), fit.irrelevant)
    assert fit.irrelevant.all() or share < 1
