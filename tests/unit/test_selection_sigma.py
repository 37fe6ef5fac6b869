"""σ by cross-validation: scores against a plain loop, and explicit ties."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from ccc.design import Standardized
from ccc.selection import SigmaChoice, choose_sigma
from ccc.selection.sigma import RULES, SIGMAS


def draw(n=90, d=8, c=3, seed=0, noise=2.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.argmax(X @ rng.normal(size=(d, c)) + noise * rng.normal(size=(n, c)), axis=1)
    return X, y


def test_the_grid_of_the_paper():
    np.testing.assert_allclose(np.log10(SIGMAS), [-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5])


@pytest.mark.parametrize("d", [8, 150])
def test_scores_are_those_of_a_plain_loop(d):
    X, y = draw(d=d)
    sigmas = [0.01, 0.3, 2.0]
    choice = choose_sigma(X, y, sigmas, random_state=3)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=3).split(X, y))
    for row, sigma in zip(choice.scores.itertuples(), sigmas, strict=True):
        right, log_probability = 0, 0.0
        for train, test in folds:
            model = LogisticRegression(C=sigma**2, tol=1e-10, solver="newton-cholesky")
            model.fit(X[train], y[train])
            right += np.sum(model.predict(X[test]) == y[test])
            log_probability += model.predict_log_proba(X[test])[np.arange(len(test)), y[test]].sum()
        assert row.accuracy == right / len(y)
        assert row.log_probability == pytest.approx(log_probability / len(y), abs=1e-5)
    assert choice.sigma == sigmas[int(choice.scores["accuracy"].argmax())]


@pytest.mark.parametrize(
    "rule, sigma, n_tied", [("first", 0.1, 2), ("last", 1.0, 2), ("log_probability", 10.0, 1)]
)
def test_the_rule_decides_among_ties_and_counts_them(rule, sigma, n_tied):
    scores = pd.DataFrame(
        {
            "sigma": [10.0, 1.0, 0.1, 0.01],  # in any order
            "accuracy": [0.8, 0.9, 0.9, 0.7],
            "log_probability": [-0.1, -0.2, -0.3, -0.4],
        }
    )
    choice = SigmaChoice.of(scores, rule)
    assert (choice.sigma, choice.rule, choice.n_tied) == (sigma, rule, n_tied)
    for other in RULES:
        assert choice.pick(other).sigma == SigmaChoice.of(scores, other).sigma


def test_separable_data_tie_and_the_smallest_sigma_wins():
    y = np.repeat([0, 1], 30)
    X = np.array([[-3.0], [3.0]])[y] + 0.1 * np.random.default_rng(0).normal(size=(60, 1))
    first, last = choose_sigma(X, y), choose_sigma(X, y, rule="last")
    assert (first.n_tied, first.sigma, last.sigma) == (10, SIGMAS[0], SIGMAS[-1])
    assert first.pick("log_probability").sigma == SIGMAS[-1]


@pytest.mark.parametrize("rule", RULES)
def test_save_and_load(tmp_path, rule):
    choice = choose_sigma(*draw(), [0.1, 1.0, 3.0], rule=rule)
    choice.save(tmp_path / "sigma.npz")
    loaded = SigmaChoice.load(tmp_path / "sigma.npz")
    assert (loaded.sigma, loaded.rule, loaded.n_tied) == (choice.sigma, rule, choice.n_tied)
    pd.testing.assert_frame_equal(loaded.scores, choice.scores)


def test_sparse_standardised_equals_dense_and_the_seed_decides():
    rng = np.random.default_rng(0)
    M = sp.random_array((80, 30), density=0.4, rng=rng, format="csr")
    y = (M.toarray() @ rng.normal(size=30) + rng.normal(size=80) > 0.3).astype(int)
    standardised = Standardized.fit(M)
    dense = (M.toarray() - standardised.centre) / standardised.scale
    a, b = choose_sigma(standardised, y), choose_sigma(dense, y)
    pd.testing.assert_frame_equal(a.scores, b.scores, rtol=1e-6)
    pd.testing.assert_frame_equal(a.scores, choose_sigma(standardised, y).scores)
    assert not a.scores.equals(choose_sigma(standardised, y, random_state=1).scores)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"sigmas": [1.0, 0.0]}, "sigmas.*0"),
        ({"sigmas": []}, "sigmas is empty"),
        ({"sigmas": [np.nan]}, "sigmas.*nan"),
        ({"rule": "any"}, "rule.*'first', 'last', 'log_probability'.*'any'"),
        ({"n_folds": 1}, "n_folds.*1"),
        ({"n_folds": 2.5}, "n_folds.*2.5"),
        ({"y": np.r_[np.zeros(86), np.ones(4)]}, r"y: class 1.0 has 4 members.* 5 folds"),
        ({"y": np.ones(90)}, "y.*two classes"),
    ],
)
def test_bad_input_is_named(change, message):
    X, y = draw()
    with pytest.raises(ValueError, match=message):
        choose_sigma(**({"X": X, "y": y} | change))
