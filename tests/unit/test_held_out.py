"""Clusterings on held-out samples, and sets of covariates by their evidence."""

import numpy as np
import pytest
import scipy.sparse as sp

import ccc
from ccc.selection import along, score_held_out, score_supports, scoring, smallest_of_best


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((90, 8))
    y = np.array(["x", "y", "z"])[np.argmax(X[:, :3] + 0.3 * rng.standard_normal((90, 3)), axis=1)]
    return X, y


CLUSTERINGS = np.array([range(8), [0, 1, 2, 3, 3, 3, 3, 3], [0] * 8])


def test_evidence_is_that_of_each_clustering_alone(data):
    X, y = data
    scores = score_held_out(CLUSTERINGS, X[:60], y[:60], X[60:], y[60:], sigma=1.0)
    alone = [ccc.log_marginal_likelihood(X[:60], y[:60], row, 1.0) for row in CLUSTERINGS]
    assert scores["log_marginal_likelihood"].to_numpy() == pytest.approx(alone, abs=1e-5)
    assert scores["n_clusters"].tolist() == [8, 4, 1]
    assert (scores["gap"] < 1e-10).all()


def test_accuracy_is_the_share_of_right_predictions(data):
    from sklearn.linear_model import LogisticRegression

    X, y = data
    scores = score_held_out(CLUSTERINGS, X[:60], y[:60], X[60:], y[60:], sigma=0.7)
    for row, labels in enumerate(CLUSTERINGS):
        T = np.eye(labels.max() + 1)[labels]
        model = LogisticRegression(C=0.49, tol=1e-10, max_iter=10_000).fit(X[:60] @ T, y[:60])
        assert scores["heldout_accuracy"][row] == model.score(X[60:] @ T, y[60:])
        log_probability = model.predict_log_proba(X[60:] @ T)[
            np.arange(30), np.searchsorted(model.classes_, y[60:])
        ]
        assert scores["heldout_log_probability"][row] == pytest.approx(
            log_probability.mean(), abs=1e-4
        )


def test_a_class_that_was_never_seen_is_named(data):
    X, y = data
    with pytest.raises(ValueError, match="y_test has the class 'w', which y has not"):
        score_held_out(CLUSTERINGS, X[:60], y[:60], X[60:61], np.array(["w"]), sigma=1.0)


def test_another_number_of_columns_is_told(data):
    X, y = data
    with pytest.raises(ValueError, match="X_test has 7 columns, X has 8"):
        score_held_out(CLUSTERINGS, X[:60], y[:60], X[60:, :7], y[60:], sigma=1.0)


SUPPORTS = np.array([[0] * 8, [1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0], [1] * 8], bool)


def test_evidence_of_a_set_is_that_of_its_columns(data):
    X, y = data
    scores = score_supports(X, y, SUPPORTS, sigma=1.0)
    three = ccc.log_marginal_likelihood(X[:, :3], y, np.arange(3), 1.0)
    assert scores["n_covariates"].tolist() == [0, 3, 3, 8]
    assert scores["log_marginal_likelihood"][1] == pytest.approx(three, abs=1e-5)
    counts = np.unique(y, return_counts=True)[1]
    assert scores["log_marginal_likelihood"][0] == pytest.approx(counts @ np.log(counts / 90))
    evidence = scores["log_marginal_likelihood"]
    assert smallest_of_best(evidence, scores["n_covariates"], [3, 2, 1, 0]) == 1


def test_a_sparse_standardised_matrix_gives_the_same(data):
    X, y = data
    sparse = sp.csr_array(np.where(X > 0.5, X, 0.0))
    standard = ccc.Standardized.fit(sparse)
    dense = (sparse.toarray() - standard.centre) / standard.scale
    ours, theirs = (score_supports(M, y, SUPPORTS, sigma=1.0) for M in (standard, dense))
    assert ours["log_marginal_likelihood"].to_numpy() == pytest.approx(
        theirs["log_marginal_likelihood"].to_numpy(), abs=1e-5
    )


def test_sets_of_another_kind_are_named(data):
    X, y = data
    with pytest.raises(ValueError, match="supports must be a boolean array with 8 columns"):
        score_supports(X, y, np.ones((2, 8)), sigma=1.0)


def test_no_clusterings_have_no_scores(data):
    X, y = data
    scores = score_held_out(CLUSTERINGS[:0], X[:60], y[:60], X[60:], y[60:], sigma=1.0)
    whole = score_held_out(CLUSTERINGS, X[:60], y[:60], X[60:], y[60:], sigma=1.0)
    assert scores.empty and scores.columns.equals(whole.columns)


def test_few_clusterings_are_fitted_once(data, monkeypatch):
    X, y = data
    calls = []
    monkeypatch.setattr(scoring, "fit_along", lambda *a: calls.append(a) or along.fit_along(*a))
    score_held_out(CLUSTERINGS, X[:60], y[:60], X[60:], y[60:], sigma=1.0)
    assert len(calls) == 1
