"""Choosing from a path: the right clustering, each evaluated once, ties by a stated rule."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from ccc.data import make_synthetic
from ccc.design import Design, Standardized
from ccc.selection import (
    Selection,
    SigmaChoice,
    along,
    choose_sigma,
    log_marginal_likelihood,
    newton,
    select,
)
from ccc.selection.along import _carry_over
from ccc.selection.select import _smallest, _threshold
from ccc.similarity import ledoit_wolf


def path_of(nus, labels):
    return SimpleNamespace(nus=nus, labels=labels)


@pytest.fixture(scope="module")
def data():
    return make_synthetic("contradicting", d=40, n=400, seed=0)


@pytest.fixture(scope="module")
def path(data):
    d = 40
    truth = data.labels
    rows = [np.zeros(d, int), truth // 2, truth, truth[::-1], np.arange(d) // 2, np.arange(d)]
    return path_of(nus=2.0 ** -np.arange(len(rows)), labels=np.array(rows))


@pytest.fixture(scope="module")
def selection(path, data):
    return select(path, data.X, data.y)


def test_finds_the_truth_among_coarser_and_finer_clusterings(selection, path, data):
    assert selection.index in (2, 3)
    assert selection.n_clusters == 10
    np.testing.assert_array_equal(selection.labels, data.labels)
    assert selection.nu == path.nus[selection.index]
    assert selection.score == selection.scores["log_marginal_likelihood"].max()


def test_sigma_is_the_first_maximiser_of_the_accuracy(selection, data):
    choice = choose_sigma(data.X, data.y)
    assert (selection.sigma, selection.n_tied_sigma) == (choice.sigma, choice.n_tied)
    pd.testing.assert_frame_equal(selection.sigma_scores, choice.scores)


@pytest.mark.parametrize("rule", ["first", "last", "log_probability"])
def test_a_sigma_choice_serves_every_rule(path, data, rule, monkeypatch):
    choice = choose_sigma(data.X, data.y)
    expected = select(path, data.X, data.y, sigma_rule=rule)
    monkeypatch.setattr("sklearn.model_selection.StratifiedKFold", None)  # no folds again
    for given in (
        select(path, data.X, data.y, sigma_choice=choice, sigma_rule=rule),
        select(path, data.X, data.y, sigma_choice=choice.pick(rule)),
    ):
        assert given.sigma == expected.sigma == choice.pick(rule).sigma
        assert given.sigma_rule == rule
        assert given.n_tied_sigma == choice.pick(rule).n_tied
        pd.testing.assert_frame_equal(given.scores, expected.scores)
        pd.testing.assert_frame_equal(given.sigma_scores, choice.scores)


@pytest.mark.parametrize("hessian", ["diagonal", "full"])
@pytest.mark.parametrize("sigma", [0.01, 1.0])
def test_warm_starts_and_the_shared_gram_matrix_do_not_show(path, data, hessian, sigma):
    scores = select(path, data.X, data.y, sigma=sigma, hessian=hessian).scores
    alone = [log_marginal_likelihood(data.X, data.y, row, sigma, hessian) for row in path.labels]
    np.testing.assert_allclose(scores["log_marginal_likelihood"], alone, atol=1e-6)
    assert list(scores.columns) == ["nu", "n_clusters", "log_marginal_likelihood", "gap"]
    np.testing.assert_array_equal(scores["nu"], path.nus)
    np.testing.assert_array_equal(scores["n_clusters"], [1, 5, 10, 10, 20, 40])
    assert (scores["gap"] <= 1e-13).all()


@pytest.mark.parametrize("stale", [0.0, 0.3, np.inf])
@pytest.mark.parametrize("sigma", [0.01, 10.0])
def test_whose_weights_the_shared_gram_matrix_has_does_not_show(monkeypatch, stale, sigma):
    data = make_synthetic("agreeing", d=100, n=400, seed=0)
    rng = np.random.default_rng(0)
    labels = [np.arange(100), data.labels, *(rng.integers(0, 300, 100) for _ in range(3))]
    formed = []
    monkeypatch.setattr(along, "STALE", stale)
    monkeypatch.setattr(along, "gram_of", lambda *a: formed.append(0) or newton.gram_of(*a))
    scores = select(path_of(np.arange(5.0), labels), data.X, data.y, sigma=sigma).scores
    alone = [log_marginal_likelihood(data.X, data.y, row, sigma) for row in labels]
    np.testing.assert_allclose(scores["log_marginal_likelihood"], alone, atol=1e-6)
    assert (scores["gap"] <= 1e-13).all()
    if stale != 0.3:
        assert len(formed) == (4 if stale == 0 else 1)  # the ten clusters of the truth need none


def test_of_many_clusterings_those_that_can_win_are_scored_exactly(data):
    rng = np.random.default_rng(0)
    noise = [rng.integers(0, k, 40) for k in rng.integers(2, 40, 150)]
    labels = [*noise[:70], data.labels, *noise[70:], data.labels // 2]
    path = path_of(np.arange(152.0), labels)
    chosen = select(path, data.X, data.y, sigma=0.1)
    scores, column = chosen.scores, "log_marginal_likelihood"
    alone = np.array([log_marginal_likelihood(data.X, data.y, row, 0.1) for row in path.labels])
    assert chosen.index == np.argmax(alone)
    close = alone >= alone.max() - 9
    np.testing.assert_allclose(scores[column][close], alone[close], atol=1e-6)
    assert (scores["gap"][close] <= 1e-13).all()
    np.testing.assert_allclose(scores[column], alone, atol=1)
    assert (scores["gap"] <= 1e-3).all() and (scores["gap"] > 1e-10).any()


def test_more_covariates_than_samples():
    data = make_synthetic("agreeing", d=200, n=40, seed=1)
    path = path_of(nus=[3.0, 2.0, 1.0], labels=[data.labels // 2, data.labels, range(200)])
    chosen = select(path, data.X, data.y)
    alone = [log_marginal_likelihood(data.X, data.y, row, chosen.sigma) for row in path.labels]
    np.testing.assert_allclose(chosen.scores["log_marginal_likelihood"], alone, atol=1e-6)


def test_equal_clusterings_are_evaluated_once(path, data, monkeypatch):
    calls = []
    project = Design.project

    def counted(self, labels):
        calls.append(labels)
        return project(self, labels)

    monkeypatch.setattr(Design, "project", counted)
    repeated = path_of(nus=np.arange(12.0), labels=np.vstack([path.labels, 50 - path.labels[::-1]]))
    scores = select(repeated, data.X, data.y, sigma=0.1).scores["log_marginal_likelihood"]
    assert len(calls) == 5  # the truth mirrored is the truth under other names
    np.testing.assert_array_equal(scores[:6], scores[6:][::-1])


@pytest.mark.parametrize(
    "values, n_clusters, nus, expected",
    [
        ([-3.0, -1.0, -2.0], [1, 2, 3], [3.0, 2.0, 1.0], 1),
        ([-1.0, -1.0, -1.0], [3, 2, 2], [9.0, 4.0, 5.0], 2),  # fewest clusters, then largest nu
        ([-1.0, -1.0 - 5e-5, -2.0], [3, 2, 1], [1.0, 2.0, 3.0], 1),  # equal within 1e-4 nats
        ([-1.0, -1.0 - 5e-4, -2.0], [3, 2, 1], [1.0, 2.0, 3.0], 0),
    ],
)
def test_ties(values, n_clusters, nus, expected):
    column = "log_marginal_likelihood"
    frame = pd.DataFrame({"nu": nus, "n_clusters": n_clusters, column: values})
    assert _smallest(frame, column, _threshold(frame, column)) == expected


def test_a_clustering_on_several_nus_is_reported_at_the_largest(path, data):
    twice = path_of(nus=[1.0, 5.0, 3.0], labels=np.array([data.labels] * 3))
    assert select(twice, data.X, data.y, sigma=0.1).nu == 5.0


def test_merged_clusters_start_from_the_mean_over_covariates():
    B, old = np.array([[1.0, 4.0]]), np.array([0, 0, 1])
    np.testing.assert_allclose(_carry_over(B, old, np.array([0, 0, 0])), [[2.0]])
    np.testing.assert_allclose(_carry_over(B, old, np.array([0, 1, 2])), [[1.0, 1.0, 4.0]])
    np.testing.assert_allclose(_carry_over(B, old, np.array([0, 1, 1])), [[1.0, 2.5]])


def test_sparse_standardised_equals_dense():
    rng = np.random.default_rng(0)
    M = sp.random_array((120, 60), density=0.2, rng=rng, format="csr")
    y = rng.integers(0, 3, 120)
    path = path_of(nus=[2.0, 1.0], labels=[np.arange(60) // 3, np.arange(60)])
    standardised = Standardized.fit(M)
    dense = (M.toarray() - standardised.centre) / standardised.scale
    a, b = select(path, standardised, y), select(path, dense, y)
    pd.testing.assert_frame_equal(a.scores.drop(columns="gap"), b.scores.drop(columns="gap"))


@pytest.mark.parametrize("given", [False, True])
def test_save_and_load(selection, path, data, tmp_path, given):
    chosen = select(path, data.X, data.y, sigma=0.5) if given else selection
    chosen.save(tmp_path / "selection.npz")
    loaded = Selection.load(tmp_path / "selection.npz")
    for name in Selection.__dataclass_fields__:
        before, after = getattr(chosen, name), getattr(loaded, name)
        if isinstance(before, pd.DataFrame):
            pd.testing.assert_frame_equal(before, after)
        else:
            np.testing.assert_array_equal(before, after)
            assert type(before) is type(after)


@pytest.mark.parametrize("criterion", ["evidence", "cv"])
def test_a_constant_column_is_harmless_but_has_no_similarity(path, data, criterion):
    X = data.X.copy()
    X[:, 3] = 2.5
    scores = select(path, X, data.y, criterion).scores
    assert np.isfinite(scores.to_numpy()).all()
    with pytest.raises(ValueError, match=r"column 3 of X is constant, 2\.5"):
        ledoit_wolf(X, data.y)
    with pytest.raises(ValueError, match="column 3 of X is constant"):
        Standardized.fit(X)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"criterion": "aic"}, "criterion.*'evidence', 'cv'.*'aic'"),
        ({"sigma_rule": "middle"}, "sigma_rule.*'first', 'last', 'log_probability'.*'middle'"),
        ({"sigma": 0.5, "sigma_choice": SigmaChoice.given(1.0)}, "sigma_choice.*sigma.*0.5"),
        ({"hessian": "none"}, "hessian.*'none'"),
        ({"sigma": 0.0}, "sigma.*0"),
        ({"sigma": -2.0}, "sigma.*-2"),
        ({"sigma": np.nan}, "sigma.*nan"),
        ({"y": np.zeros(400)}, "y.*two classes"),
        ({"y": ["ham"] * 397 + ["spam"] * 3}, "y: class 'spam' has 3 members.* 5 folds"),
        ({"X": np.full((400, 40), np.nan)}, "X.*nan"),
        ({"path": path_of([1.0], np.zeros((2, 40), int))}, r"path.labels.*\(1, 40\)"),
        ({"path": path_of([1.0], np.zeros((1, 39), int))}, r"path.labels.*\(1, 40\)"),
        ({"path": path_of([1.0], np.zeros((1, 40)))}, "path.labels.*integers"),
        ({"path": path_of([], np.zeros((0, 40), int))}, "path.nus.*non-empty"),
    ],
)
def test_bad_input_is_named(path, data, change, message):
    with pytest.raises(ValueError, match=message):
        select(**({"path": path, "X": data.X, "y": data.y} | change))
