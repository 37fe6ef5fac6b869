"""k-means from the Gram matrix does what scikit-learn does from the points."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from ccc.baselines import Clusterings, kmeans_path
from ccc.baselines.kmeans import best_of, gram, lloyd, plus_plus
from ccc.graph import canonical_labels


def blobs(seed, d=80, p=6, groups=7):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((d, p)) + 3 * rng.standard_normal((groups, p))[np.arange(d) % groups]


def inertia_of(A, labels):
    return sum(np.sum((A[labels == c] - A[labels == c].mean(axis=0)) ** 2) for c in set(labels))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [1, 2, 7, 30, 80])
def test_same_as_scikit_learn_from_the_same_centres(seed, k):
    A = blobs(seed)
    K, D2 = gram(A)
    seeds = np.random.default_rng(seed).choice(len(A), k, replace=False)
    labels, inertia = lloyd(K, D2, np.ones(len(A)), seeds, 300)
    theirs = KMeans(k, init=A[seeds], n_init=1, algorithm="lloyd", tol=0).fit(A)
    np.testing.assert_array_equal(labels, theirs.labels_)
    assert inertia == pytest.approx(theirs.inertia_, rel=1e-10, abs=1e-9)
    assert inertia == pytest.approx(inertia_of(A, labels), rel=1e-10, abs=1e-9)


def test_weights_stand_for_equal_points():
    A = blobs(0, d=20)
    counts = np.random.default_rng(0).integers(1, 4, 20)
    seeds = np.array([0, 5, 9])
    labels, inertia = lloyd(*gram(A), counts.astype(float), seeds, 300)
    repeated = np.repeat(A, counts, axis=0)
    theirs = KMeans(3, init=A[seeds], n_init=1, algorithm="lloyd", tol=0).fit(repeated)
    np.testing.assert_array_equal(np.repeat(labels, counts), theirs.labels_)
    assert inertia == pytest.approx(theirs.inertia_)


def test_seeding_as_good_as_scikit_learn_s():
    A = blobs(1, d=150, groups=12)
    K, D2 = gram(A)
    for k in (5, 20, 60):
        ours = [lloyd(K, D2, np.ones(150), seeds_of(D2, k, s), 300)[1] for s in range(25)]
        theirs = [KMeans(k, n_init=1, random_state=s, tol=0).fit(A).inertia_ for s in range(25)]
        assert np.mean(ours) == pytest.approx(np.mean(theirs), rel=0.03)


def seeds_of(D2, k, seed):
    draws = np.random.default_rng(seed).random((k, 2 + int(np.log(k))))
    return plus_plus(D2, np.ones(len(D2)), k, draws)


def test_seeds_are_distinct_points():
    D2 = gram(blobs(2, d=40))[1]
    for k in (1, 2, 39, 40, 60):
        assert len(set(seeds_of(D2, k, 0))) == min(k, 40)


def test_an_empty_cluster_is_moved_to_the_farthest_point():
    """From these centres Lloyd loses a cluster; scikit-learn moves it, and so do we."""
    lost = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        A = rng.standard_normal((12, 2)) ** 3
        seeds = rng.choice(12, 6, replace=False)
        labels, inertia = lloyd(*gram(A), np.ones(12), seeds, 300)
        theirs = KMeans(6, init=A[seeds], n_init=1, algorithm="lloyd", tol=0).fit(A)
        assert len(set(labels)) == 6
        assert inertia == pytest.approx(theirs.inertia_, rel=1e-9)
        lost += loses_a_cluster(A, seeds)
    assert lost > 0


def loses_a_cluster(A, seeds):
    """Does Lloyd without any relocation empty a cluster on the way?"""
    centres = A[seeds].copy()
    for _ in range(50):
        labels = ((A[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        if len(set(labels)) < len(seeds):
            return True
        centres = np.stack([A[labels == c].mean(axis=0) for c in range(len(seeds))])
    return False


def test_all_k():
    A = blobs(3, d=50)
    path = kmeans_path(A)
    assert path.parameter == "k" and np.isnan(path.gap).all()
    np.testing.assert_array_equal(path.nus, np.arange(1, 51))
    np.testing.assert_array_equal(path.n_clusters, np.arange(1, 51))
    for labels in path.labels:
        np.testing.assert_array_equal(labels, canonical_labels(labels))
    inertia = np.array([inertia_of(A, labels) for labels in path.labels])
    assert inertia[-1] == 0.0
    # Local minima: over a few k it falls.
    assert (inertia[5:] < inertia[:-5]).all()


def test_more_seedings_are_never_worse():
    A = blobs(4, d=60)
    K, D2 = gram(A)
    for k in (3, 10, 25):
        few, many = (
            inertia_of(A, best_of(K, D2, np.ones(60), k, n, np.random.default_rng(0)))
            for n in (1, 20)
        )
        assert many <= few * (1 + 1e-12)


def test_fewer_distinct_points_than_clusters():
    A = np.repeat(blobs(5, d=4), 3, axis=0)
    path = kmeans_path(A, [3, 4, 9, 12])
    assert path.n_clusters.tolist() == [3, 4, 4, 4]
    assert path.labels[1].tolist() == np.repeat(np.arange(4), 3).tolist()


def test_a_clustering_depends_on_its_k_and_the_seed_alone():
    A = blobs(6, d=60)
    whole = kmeans_path(A, random_state=3)
    some = kmeans_path(A, [20, 5], random_state=3)
    np.testing.assert_array_equal(some.labels, whole.labels[[19, 4]])
    assert (kmeans_path(A, [20], random_state=4).labels != some.labels[0]).any()


def test_stored(tmp_path):
    path = kmeans_path(blobs(7, d=20), progress=True)
    path.save(tmp_path / "kmeans.npz")
    again = Clusterings.load(tmp_path / "kmeans.npz")
    np.testing.assert_array_equal(again.labels, path.labels)
    assert list(again.to_frame().columns) == ["k", "n_clusters", "gap"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": np.ones(3)}, "points must be a matrix"),
        ({"ks": [0]}, "ks must be between 1 and the number of points 80, got 0"),
        ({"ks": [81]}, "ks must be between 1 and the number of points 80, got 81"),
        ({"ks": [1.5]}, "ks must hold integers, got float64"),
        ({"ks": []}, "ks must be a non-empty vector"),
        ({"n_init": 0}, "n_init must be a positive integer, got 0"),
    ],
)
def test_mistakes(change, message):
    with pytest.raises(ValueError, match=message):
        kmeans_path(**({"points": blobs(0)} | change))
