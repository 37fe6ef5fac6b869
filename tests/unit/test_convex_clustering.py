"""Convex clustering: closed forms, certificates, and what a caller may hand in."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

import ccc
from ccc.baselines import Clusterings, convex_clustering_path, convex_clustering_weights, huber
from ccc.data import make_synthetic
from ccc.seeds import seed_of
from ccc.similarity import ledoit_wolf


def blobs(seed=0, d=12, p=3, apart=4.0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((d, p)) * 0.3 + apart * (np.arange(d) % 2)[:, None]


def test_two_points_meet_at_half_their_distance():
    """Each moves by γw towards the other: they meet at γw = distance / 2."""
    points = np.array([[0.0, 0.0], [0.6, 0.8]])
    w = np.exp(-0.5)
    gammas = np.array([0.0, 0.1, 0.499, 0.501, 2.0]) / w
    path = convex_clustering_path(points, gammas)
    assert path.n_clusters.tolist() == [2, 2, 2, 1, 1]
    assert path.gap.max() <= 1e-9


def test_equidistant_points_fuse_all_at_once():
    """a_i = e_i: u_i - u_j = (1 - t)(e_i - e_j) with t √2 = γ w d; all meet at γ = √2 / (w d)."""
    d = 30
    points, w = np.eye(d), np.exp(-0.5 * 2)
    critical = np.sqrt(2) / (w * d)
    path = convex_clustering_path(points, critical * np.array([0.5, 0.99, 1.01]))
    assert path.n_clusters.tolist() == [d, d, 1]


def test_without_penalty_only_equal_points_are_together():
    points = np.array([[0.0, 1.0], [2.0, 1.0], [0.0, 1.0], [3.0, 1.0], [2.0, 1.0]])
    for weights in ("dense", "knn"):
        path = convex_clustering_path(points, [0.0, 1e-6], weights=weights, neighbours=1)
        assert path.labels.tolist() == [[0, 1, 0, 2, 1]] * 2


def test_all_points_equal():
    path = convex_clustering_path(np.ones((4, 3)), [0.0, 0.1, 1.0])
    assert path.labels.max() == 0 and path.gap.max() == 0.0


def test_one_cluster_per_component_at_the_end():
    points = blobs(apart=1.0)
    assert convex_clustering_path(points, [1e3]).n_clusters[0] == 1
    far = blobs(apart=50.0)
    path = convex_clustering_path(far, [1e6], weights="knn", neighbours=5)
    assert path.labels[0].tolist() == [0, 1] * 6


def test_weights_too_small_to_matter_do_not_join_what_they_cannot():
    """exp(-phi 2500) is no zero, but no γ of the grid makes it pull the two groups together."""
    path = convex_clustering_path(blobs(apart=20.0), [0.0, 1.0, 5.0])
    assert path.labels[1].tolist() == [0, 1] * 6
    assert path.gap.max() <= 1e-9


def test_neighbours():
    points = np.array([[0.0], [1.0], [3.0], [7.0]])
    W = convex_clustering_weights(points, "knn", phi=0.5, neighbours=1)
    # 1 is nearest to 0 and to 2, 2 is nearest to 3: kept whichever of the two it holds for.
    expected = np.zeros((4, 4))
    for i, j in ((0, 1), (1, 2), (2, 3)):
        expected[i, j] = expected[j, i] = np.exp(-0.5 * (points[i, 0] - points[j, 0]) ** 2)
    np.testing.assert_allclose(W.toarray(), expected)
    dense = convex_clustering_weights(points, phi=0.1)
    np.testing.assert_allclose(
        dense, np.exp(-0.1 * squareform(pdist(points)) ** 2) - np.eye(4), atol=1e-15
    )
    everyone = convex_clustering_weights(points, "knn", phi=0.1, neighbours=99)
    np.testing.assert_allclose(everyone.toarray(), dense)


def test_the_order_of_gammas_does_not_matter():
    points = blobs(3)
    gammas = np.array([0.3, 0.0, 0.05, 0.1, 0.02])
    path = convex_clustering_path(points, gammas)
    alone = [convex_clustering_path(points, [gamma]).labels[0] for gamma in gammas]
    np.testing.assert_array_equal(path.labels, alone)
    np.testing.assert_array_equal(path.nus, gammas)


def test_coordinates_do_not_matter():
    """Rotation, shift and dimensions without content change nothing."""
    points = blobs(4, d=15, p=4)
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.standard_normal((30, 30)))[0][:4]
    gammas = np.linspace(0, 0.4, 9)
    path = convex_clustering_path(points, gammas)
    moved = convex_clustering_path(points @ Q + rng.standard_normal(30), gammas)
    np.testing.assert_array_equal(path.labels, moved.labels)
    assert len(np.unique(path.n_clusters)) > 2


@pytest.mark.parametrize("weights", ["dense", "knn"])
@pytest.mark.parametrize("n", [40, 400])
def test_every_gamma_of_the_paper_s_data_is_certified(n, weights):
    data = make_synthetic(d=60, n=n, seed=1)
    points = ledoit_wolf(data.X, data.y)
    path = convex_clustering_path(points, np.arange(0, 1501, 10) / 300, weights=weights)
    assert path.gap.max() <= 1e-9
    assert path.n_clusters[0] == 60 and path.n_clusters[-1] <= 5
    blocks = (path.labels == data.labels // 2).all(axis=1)
    assert blocks.any() or n == 40


def test_points_that_keep_apart_by_next_to_nothing_are_certified():
    # At γ = 5/300 of this draw a block of twenty covariates cannot quite be one cluster.
    data = make_synthetic("agreeing", 200, 400, seed_of("agreeing", 200, 400, 8))
    path = convex_clustering_path(ledoit_wolf(data.X, data.y), np.arange(8) / 300)
    assert path.gap.max() < 1e-10
    assert path.n_clusters.tolist()[-2:] == [10, 10]


def test_default_grid():
    path = convex_clustering_path(blobs(d=4), progress=True)
    np.testing.assert_allclose(path.nus, np.linspace(0, 5, 1501))
    assert path.parameter == "gamma" and path.labels.shape == (1501, 4)


def test_stored_and_shown(tmp_path):
    path = convex_clustering_path(blobs(), [0.0, 0.1])
    path.save(tmp_path / "path.npz")
    again = Clusterings.load(tmp_path / "path.npz")
    np.testing.assert_array_equal(again.labels, path.labels)
    assert again.parameter == "gamma" and again.seconds == path.seconds
    assert list(again.to_frame().columns) == ["gamma", "n_clusters", "gap"]
    assert len(again) == 2


def test_a_clustering_can_be_selected():
    data = make_synthetic(d=20, n=40, seed=0)
    path = convex_clustering_path(ledoit_wolf(data.X, data.y), np.arange(0, 200, 20) / 300)
    chosen = ccc.select(path, data.X, data.y, sigma=1.0)
    np.testing.assert_array_equal(chosen.labels, path.labels[chosen.index])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": np.ones(3)}, "points must be a matrix"),
        ({"points": np.array([[0.0, np.nan]])}, "points contains nan"),
        ({"gammas": [0.1, -1.0]}, "gammas must be finite and non-negative, got -1.0"),
        ({"gammas": []}, "gammas must be a non-empty vector"),
        ({"weights": "full"}, "weights must be one of 'dense', 'knn', got 'full'"),
        ({"phi": -0.5}, "phi must be finite and non-negative, got -0.5"),
        ({"weights": "knn", "neighbours": 0}, "neighbours must be a positive integer, got 0"),
        ({"tol": 0.0}, "tol must be positive, got 0"),
    ],
)
def test_mistakes(change, message):
    arguments = {"points": blobs(), "gammas": [0.1]} | change
    with pytest.raises(ValueError, match=message):
        convex_clustering_path(**arguments)


def test_points_that_move_alone_get_where_all_together_do(monkeypatch):
    points = np.random.default_rng(3).normal(size=(250, 6))
    gammas = np.arange(40) / 40
    local, moved = huber.SmoothedFusion._minimise_some, []

    def noted(self, X, moving, target):
        moved.append(moving.sum())
        return local(self, X, moving, target)

    monkeypatch.setattr(huber.SmoothedFusion, "_minimise_some", noted)
    some = convex_clustering_path(points, gammas, weights="knn", neighbours=4)
    assert moved and max(moved) <= 0.3 * len(points)
    monkeypatch.setattr(huber, "MOST", -1.0)
    several = len(moved)
    everyone = convex_clustering_path(points, gammas, weights="knn", neighbours=4)
    assert len(moved) == several
    assert len(np.unique(some.n_clusters)) > 5
    np.testing.assert_array_equal(some.labels, everyone.labels)
    assert max(some.gap.max(), everyone.gap.max()) <= 1e-9


@pytest.mark.parametrize("design", ["contradicting", "agreeing"])
def test_groups_that_are_minimised_apart_get_where_all_together_do(monkeypatch, design):
    data = make_synthetic(design, d=200, n=40, seed=0)
    points, gammas = ledoit_wolf(data.X, data.y), np.arange(30) / 300
    apart, counts = huber.SmoothedFusion._minimise_groups, []

    def noted(self, point, groups, target):
        counts.append(len(groups))
        return apart(self, point, groups, target)

    monkeypatch.setattr(huber.SmoothedFusion, "_minimise_groups", noted)
    by_group = convex_clustering_path(points, gammas)
    assert counts and min(counts) > 1
    monkeypatch.setattr(huber, "WEAK", 0.0)
    several = len(counts)
    together = convex_clustering_path(points, gammas)
    assert len(counts) == several
    assert len(np.unique(by_group.n_clusters)) > 5
    np.testing.assert_array_equal(by_group.labels, together.labels)
    assert max(by_group.gap.max(), together.gap.max()) <= 1e-9
