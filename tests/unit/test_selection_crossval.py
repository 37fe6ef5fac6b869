"""Cross-validation: scores against a plain loop, the one-standard-deviation rule, invariances."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from ccc.design import Design, Standardized
from ccc.selection import Selection, choose_sigma, select
from ccc.selection.crossval import FoldScores
from ccc.selection.select import _smallest, _threshold

COLUMNS = ["accuracy", "accuracy_sd", "log_probability", "log_probability_sd"]
NAMES = np.array(["ham", "spam", "eggs"])


def path_of(labels):
    return SimpleNamespace(nus=2.0 ** -np.arange(len(labels)), labels=np.asarray(labels))


def planted(n=150, d=12, seed=0):
    """Two groups of covariates with opposite effects: the sum of all covariates says nothing."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1], d // 2)
    y = np.arange(n) % 2
    shared = rng.normal(size=(n, 2))[:, truth]
    X = (2 * y[:, None] - 1) * np.array([1.0, -1.0])[truth] + shared + rng.normal(size=(n, d))
    return X, y, truth


def draw(n=90, d=12, c=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.argmax(X @ rng.normal(size=(d, c)) + 2 * rng.normal(size=(n, c)), axis=1)
    y[: 5 * c] = np.tile(np.arange(c), 5)
    return X, y


def k_means(X, y):
    return np.stack([KMeans(k, n_init=3, random_state=0).fit_predict(X.T) for k in range(1, 9)])


CLUSTERINGS = np.array([np.zeros(12, int), np.arange(12) // 4, np.arange(12) // 2, np.arange(12)])


@pytest.mark.parametrize("score", ["accuracy", "log_probability"])
@pytest.mark.parametrize("recluster", [None, k_means])
def test_finds_the_planted_clustering(score, recluster):
    X, y, truth = planted()
    chosen = select(path_of(k_means(X, y)), X, y, "cv", score=score, recluster=recluster)
    np.testing.assert_array_equal(chosen.labels, truth)
    assert (chosen.index, chosen.n_clusters, chosen.criterion) == (1, 2, "cv")
    assert chosen.column == score
    assert chosen.score == chosen.scores[score][1] >= chosen.threshold


@pytest.mark.parametrize("n, sigma", [(90, 0.5), (30, 2.0)])
def test_scores_are_those_of_a_plain_loop(n, sigma):
    X, y = draw(n)
    scores = select(path_of(CLUSTERINGS), X, y, "cv", sigma=sigma, random_state=3).scores
    for row, labels in zip(scores.itertuples(), CLUSTERINGS, strict=True):
        sums = np.stack([X[:, labels == k].sum(axis=1) for k in range(labels.max() + 1)], axis=1)
        accuracy, log_probability = [], []
        for train, test in StratifiedKFold(5, shuffle=True, random_state=3).split(X, y):
            model = LogisticRegression(C=sigma**2, tol=1e-10, solver="newton-cholesky")
            model.fit(sums[train], y[train])
            accuracy.append(np.mean(model.predict(sums[test]) == y[test]))
            values = model.predict_log_proba(sums[test])[np.arange(len(test)), y[test]]
            log_probability.append(values.mean())
        assert row.n_clusters == labels.max() + 1
        assert row.accuracy == pytest.approx(np.mean(accuracy), abs=1e-12)
        assert row.accuracy_sd == pytest.approx(np.std(accuracy, ddof=1), abs=1e-12)
        assert row.log_probability == pytest.approx(np.mean(log_probability), abs=1e-4)
        assert row.log_probability_sd == pytest.approx(np.std(log_probability, ddof=1), abs=1e-4)


@pytest.mark.parametrize(
    "folds, n_clusters, nus, expected, threshold",
    [
        # best mean 0.9 with sd 0.1: 0.8 is just enough, 0.79 is not
        ([[0.8, 0.9, 1.0], [0.8] * 3, [0.79] * 3], [9, 5, 2], [1.0, 2.0, 3.0], 1, 0.8),
        # no spread at the best position: only its equals will do, however the folds add up
        ([[0.9] * 3, [0.8, 0.9, 1.0], [0.89] * 3], [4, 5, 2], [1.0, 2.0, 3.0], 0, 0.9),
        # two best positions: the smaller model's spread counts
        ([[0.9] * 3, [0.8, 0.9, 1.0], [0.8] * 3], [5, 4, 2], [1.0, 2.0, 3.0], 2, 0.8),
        # equal numbers of clusters: the largest nu
        ([[0.7] * 3, [0.7] * 3, [0.7] * 3], [3, 2, 2], [9.0, 4.0, 5.0], 2, 0.7),
        # fewer clusters decide before a better score or a larger nu
        ([[0.4, 0.7, 1.0], [0.5] * 3, [0.6] * 3], [3, 1, 2], [3.0, 1.0, 2.0], 1, 0.4),
    ],
)  # fmt: skip
def test_the_smallest_model_within_one_standard_deviation(
    folds, n_clusters, nus, expected, threshold
):
    values = np.array(folds).T
    frame = pd.DataFrame(
        {"nu": nus, "n_clusters": n_clusters} | FoldScores(values, -values).columns()
    )
    assert _threshold(frame, "accuracy") == pytest.approx(threshold, abs=1e-6)
    assert _smallest(frame, "accuracy", _threshold(frame, "accuracy")) == expected


def test_equal_clusterings_are_evaluated_once_per_fold(monkeypatch):
    X, y = draw()
    calls = []
    project = Design.project

    def counted(self, labels):
        calls.append(self.shape[0])
        return project(self, labels)

    monkeypatch.setattr(Design, "project", counted)
    repeated = path_of(np.vstack([CLUSTERINGS, 20 - CLUSTERINGS, CLUSTERINGS]))
    scores = select(repeated, X, y, "cv", sigma=0.5).scores
    assert len(calls) == 2 * 5 * len(CLUSTERINGS)  # the training rows and the held-out ones
    assert sum(calls) == len(CLUSTERINGS) * 5 * len(X)
    np.testing.assert_array_equal(scores[COLUMNS][:4], scores[COLUMNS][4:8])


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.sampled_from([24, 90]))
def test_order_of_covariates_and_names_of_classes_do_not_matter(seed, n):
    rng = np.random.default_rng(seed)
    X, y = draw(n, seed=seed)
    labels = np.sort(rng.integers(0, rng.integers(1, 12, (5, 1)), (5, 12)))
    chosen = select(path_of(labels), X, y, "cv", sigma=0.7)
    columns, names = rng.permutation(12), rng.permutation(NAMES)
    other = select(path_of(-labels[:, columns]), X[:, columns], names[y], "cv", sigma=0.7)
    assert other.index == chosen.index
    pd.testing.assert_frame_equal(other.scores, chosen.scores, rtol=0, atol=1e-4)


@pytest.mark.parametrize("n", [24, 150])
def test_sparse_and_standardised_designs_equal_dense_ones(n):
    rng = np.random.default_rng(0)
    M = sp.random_array((n, 30), density=0.4, rng=rng, format="csr")
    y = np.arange(n) % 3
    path = path_of([np.arange(30) // 5, np.arange(30) // 2, np.arange(30)])
    implicit = Standardized.fit(M)
    dense = (M.toarray() - implicit.centre) / implicit.scale
    for X, same in ((M, M.toarray()), (M.tocoo(), M.toarray()), (implicit, dense)):
        a, b = (select(path, one, y, "cv", sigma=0.3) for one in (X, same))
        pd.testing.assert_frame_equal(a.scores, b.scores, rtol=0, atol=1e-4)
        assert a.index == b.index


@pytest.mark.parametrize("kind", ["array", "csr", "coo", "standardised"])
def test_clusterings_are_made_from_the_other_folds_in_the_users_terms(kind):
    X, y = draw()
    X[:, 0] = np.arange(len(X))  # which row is which
    given, expected = {
        "array": (X, np.ndarray),
        "csr": (sp.csr_array(X), sp.csr_array),
        "coo": (sp.coo_array(X), sp.csr_array),
        "standardised": (Standardized(sp.csr_array(X), np.zeros(12), np.ones(12)), Standardized),
    }[kind]
    seen = []

    def recluster(X_train, y_train):
        assert isinstance(X_train, expected)
        values = X_train.X if kind == "standardised" else X_train
        rows = values if kind == "array" else values.toarray()
        which = rows[:, 0].astype(int)
        np.testing.assert_array_equal(rows, X[which])
        np.testing.assert_array_equal(y_train, NAMES[y][which])
        seen.append(which)
        return CLUSTERINGS if len(seen) > 1 else CLUSTERINGS[::-1]

    both = select(path_of(CLUSTERINGS), given, NAMES[y], "cv", sigma=0.5, recluster=recluster)
    held_out = [np.setdiff1d(np.arange(len(X)), which) for which in seen]
    assert len(seen) == 5
    np.testing.assert_array_equal(np.sort(np.concatenate(held_out)), np.arange(len(X)))
    fixed = select(path_of(CLUSTERINGS), given, NAMES[y], "cv", sigma=0.5)
    assert not both.scores.equals(fixed.scores)  # the first fold's clusterings came in reverse


def test_folds_and_sigma_are_those_of_choose_sigma():
    # The path of single covariates is the model that sigma is chosen with.
    X, y = draw()
    choice = choose_sigma(X, y, rule="log_probability", n_folds=3, random_state=7)
    chosen = select(
        path_of([range(12)]), X, y, "cv", sigma_choice=choice, n_folds=3, random_state=7
    )
    row = choice.scores[choice.scores["sigma"] == choice.sigma]
    assert chosen.sigma == choice.sigma
    assert chosen.scores["accuracy"][0] == pytest.approx(row["accuracy"].item(), abs=1e-9)
    assert chosen.scores["log_probability"][0] == pytest.approx(
        row["log_probability"].item(), abs=1e-4
    )


def assert_equal(one, other):
    for name in Selection.__dataclass_fields__:
        a, b = getattr(one, name), getattr(other, name)
        if isinstance(a, pd.DataFrame):
            pd.testing.assert_frame_equal(a, b)
        else:
            np.testing.assert_array_equal(a, b)
            assert type(a) is type(b)


def test_save_and_load(tmp_path):
    X, y = draw()
    chosen = select(path_of(CLUSTERINGS), X, y, "cv", score="log_probability")
    chosen.save(tmp_path / "selection.npz")
    loaded = Selection.load(tmp_path / "selection.npz")
    assert list(loaded.scores.columns) == ["nu", "n_clusters", *COLUMNS]
    assert_equal(loaded, chosen)


def test_one_cross_validation_serves_both_scores():
    X, y = draw()
    path = path_of(CLUSTERINGS[::-1])
    a, b = (select(path, X, y, "cv", sigma=3.0, score=s) for s in ("accuracy", "log_probability"))
    assert a.index != b.index
    assert_equal(a.by("log_probability", path), b)
    assert_equal(b.by("accuracy", path), a)
    with pytest.raises(ValueError, match=r"score.*'log_marginal_likelihood'"):
        a.by("log_marginal_likelihood", path)
    with pytest.raises(ValueError, match=r"path.labels.*\(4, 12\)"):
        a.by("accuracy", path_of(CLUSTERINGS[:2]))


@pytest.mark.parametrize(
    "change, message",
    [
        ({"score": "f1"}, "score.*'accuracy', 'log_probability'.*'f1'"),
        ({"y": np.zeros(90)}, "y.*two classes"),
        ({"y": ["spam"] * 4 + ["ham"] * 86}, "y: class 'spam' has 4 members.* 5 folds"),
        ({"n_folds": 0}, "n_folds.*0"),
        ({"n_folds": 31}, "y: class .* members, fewer than the 31 folds"),
        ({"X": np.full((90, 12), np.nan)}, "X.*nan"),
        ({"sigma": -1.0}, "sigma.*-1"),
        ({"recluster": lambda X, y: CLUSTERINGS[:2]}, r"recluster.*\(4, 12\).*\(2, 12\)"),
        ({"recluster": lambda X, y: 0.5 * CLUSTERINGS}, "recluster.*integers.*float"),
        ({"recluster": k_means, "criterion": "evidence"}, "recluster.*'cv'.*'evidence'"),
    ],
)
def test_bad_input_is_named(change, message):
    X, y = draw()
    arguments = {"path": path_of(CLUSTERINGS), "X": X, "y": y, "criterion": "cv", "sigma": 0.5}
    with pytest.raises(ValueError, match=message):
        select(**(arguments | change))
