import numpy as np
import pytest

import ccc


@pytest.mark.parametrize("d", [40, 200])
def test_contradicting_blocks_cover_two_clusters_of_different_classes(d):
    data = ccc.data.make_synthetic("contradicting", d, 40, seed=0)
    klass = data.B_true.argmax(axis=0)
    for block in np.unique(data.S_true, axis=0):
        members = np.flatnonzero(block)
        assert len(np.unique(data.labels[members])) == 2
        assert len(np.unique(klass[members])) == 2
    assert np.array_equal(np.unique(data.S_true), [0, 0.9, 1])


def test_agreeing_blocks_are_the_clusters():
    data = ccc.data.make_synthetic("agreeing", 40, 40, seed=0)
    assert np.array_equal(data.S_true > 0, data.labels[:, None] == data.labels)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [("paper", 0.5 * np.arange(1, 11)), ("released", 0.5 + 5 * np.arange(10) / 9)],
)
def test_weights(weights, expected):
    data = ccc.data.make_synthetic(d=40, n=40, weights=weights)
    np.testing.assert_allclose(data.B_true.max(axis=0)[::4], expected)
    assert (np.count_nonzero(data.B_true, axis=0) == 1).all()
    assert np.array_equal(data.B_true.argmax(axis=0), data.labels % 4)


def test_moments_are_those_of_the_model():
    data = ccc.data.make_synthetic("contradicting", 20, 40_000, seed=5)
    assert np.bincount(data.y).tolist() == [10_000] * 4
    centred = data.X - data.B_true[data.y]
    np.testing.assert_allclose(centred.mean(0), 0, atol=0.03)
    np.testing.assert_allclose(np.cov(centred.T), data.S_true, atol=0.05)


def test_weights_move_the_means_and_leave_the_draws():
    paper, released = (
        ccc.data.make_synthetic(d=40, n=40, seed=3, weights=weights)
        for weights in ("paper", "released")
    )
    noise = [data.X - data.B_true[data.y] for data in (paper, released)]
    np.testing.assert_allclose(*noise, atol=1e-12)


def test_seed_decides_the_draw(tmp_path):
    a, b = (ccc.data.make_synthetic(d=40, n=40, seed=7) for _ in range(2))
    assert np.array_equal(a.X, b.X)
    assert not np.array_equal(a.X, ccc.data.make_synthetic(d=40, n=40, seed=8).X)
    a.save(tmp_path / "a.npz")
    back = ccc.data.Dataset.load(tmp_path / "a.npz")
    assert np.array_equal(back.X, a.X)
    assert back.name == "contradicting_d40_n40"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"design": "odd"}, "design must be one of contradicting, agreeing, got 'odd'"),
        ({"weights": "odd"}, "weights must be one of paper, released, got 'odd'"),
        ({"d": 45}, "d must be a positive multiple of 10, got 45"),
        ({"n": 0}, "n must be a positive multiple of 4, got 0"),
    ],
)
def test_bad_arguments(change, message):
    with pytest.raises(ValueError, match=message):
        ccc.data.make_synthetic(**change)


def test_ledoit_wolf_similarity_is_a_within_class_covariance():
    data = ccc.data.make_synthetic("contradicting", 20, 4000, seed=2)
    S = ccc.similarity.ledoit_wolf(data.X, data.y)
    np.testing.assert_allclose(S, data.S_true, atol=0.1)
    assert (S >= 0).all()
    assert np.array_equal(S, S.T)
    shifted = data.X + 100 * data.y[:, None]
    np.testing.assert_allclose(ccc.similarity.ledoit_wolf(shifted, data.y), S, atol=1e-8)
