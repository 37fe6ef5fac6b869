"""The estimator keeps scikit-learn's contract and says what Eq. (1) and the second step say."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import ccc
from ccc import ConvexCovariateClustering
from ccc.estimator import classifier


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X, y.map({0: "malignant", 1: "benign"})


@pytest.fixture(scope="module")
def fitted(wine):
    return ConvexCovariateClustering(nus=30).fit(*wine)


@pytest.fixture(scope="module")
def binary(cancer):
    return ConvexCovariateClustering(nu=3.0, sigma=0.3).fit(*cancer)


@pytest.mark.parametrize(
    "estimator",
    [
        ConvexCovariateClustering(nus=10),
        ConvexCovariateClustering("knn", nu=1.0, refit=False, standardize=False),
    ],
    ids=["path", "one nu"],
)
def test_scikit_learn_finds_no_fault(estimator):
    with warnings.catch_warnings():
        # Of its data sets some are separable, and some have few members of a class.
        warnings.simplefilter("ignore")
        found = check_estimator(estimator, on_skip=None)
    other = {result["check_name"] for result in found if result["status"] != "passed"}
    assert other <= {"check_array_api_input"}  # which needs a setting of scipy's
    assert len(found) > 50


def test_attributes_agree_with_path_and_selection(fitted, wine):
    chosen = fitted.selection_
    at = fitted.path_[chosen.index]
    assert (
        (fitted.nu_, fitted.n_clusters_)
        == (at.nu, at.n_clusters)
        == (chosen.nu, len(set(chosen.labels)))
    )
    np.testing.assert_array_equal(fitted.labels_, at.labels)
    assert fitted.dual_gap_ == at.gap < 1e-9
    assert fitted.n_iter_ == fitted.path_.n_iter.sum()
    assert fitted.feature_names_in_.tolist() == wine[0].columns.tolist()
    assert len(fitted.path_) == 30


def test_the_grid_reaches_from_nothing_fused_to_all_fused(fitted):
    assert fitted.path_.n_clusters[0] == 1
    assert fitted.path_.n_clusters[-1] == 13
    assert (np.diff(fitted.path_.nus) < 0).all()


def test_the_grid_follows_the_scale_of_the_similarity(fitted, wine):
    S = 1e4 * fitted.similarity_
    again = ConvexCovariateClustering(S, nus=30, sigma=fitted.sigma_).fit(*wine)
    np.testing.assert_array_equal(again.labels_, fitted.labels_)
    np.testing.assert_allclose(again.path_.nus, 1e-4 * fitted.path_.nus)


def test_covariates_of_a_cluster_share_a_coefficient_per_standard_deviation(fitted):
    B = fitted.coef_ * fitted.scale_
    for k in range(fitted.n_clusters_):
        members = B[:, fitted.labels_ == k]
        np.testing.assert_allclose(members, members[:, :1] @ np.ones((1, members.shape[1])))


def test_the_second_step_is_a_ridge_regression_on_sums_over_clusters(fitted, wine):
    X, y = wine
    Z = StandardScaler().fit_transform(X) @ np.eye(fitted.n_clusters_)[fitted.labels_]
    np.testing.assert_allclose(fitted.transform(X), Z, atol=1e-10)
    theirs = LogisticRegression(C=fitted.sigma_**2, tol=1e-10, max_iter=10_000).fit(Z, y)
    np.testing.assert_allclose(fitted.predict_proba(X), theirs.predict_proba(Z), atol=1e-5)
    np.testing.assert_allclose(fitted.cluster_coef_, theirs.coef_, atol=1e-4)


def test_without_the_second_step_coefficients_are_those_of_the_problem(cancer):
    X, y = cancer
    model = ConvexCovariateClustering(nu=3.0, refit=False, standardize=False)
    Z = StandardScaler().fit_transform(X)
    model.fit(Z, y)
    fit = ccc.solve(Z, y, ccc.similarity.ledoit_wolf(Z, y), 3.0)
    np.testing.assert_allclose(model.coef_[0], fit.B[1] - fit.B[0])
    np.testing.assert_array_equal(model.labels_, fit.labels)
    assert model.sigma_ is None and model.selection_ is None


def test_two_classes_follow_scikit_learn(binary, cancer):
    X, _ = cancer
    assert binary.classes_.tolist() == ["benign", "malignant"]
    assert binary.coef_.shape == (1, 30) and binary.intercept_.shape == (1,)
    scores = binary.decision_function(X)
    assert scores.shape == (569,)
    np.testing.assert_allclose(scores, (X.to_numpy() @ binary.coef_.T + binary.intercept_)[:, 0])
    np.testing.assert_allclose(binary.predict_proba(X)[:, 1], 1 / (1 + np.exp(-scores)))
    np.testing.assert_array_equal(binary.predict(X), np.where(scores > 0, "malignant", "benign"))
    assert binary.score(*cancer) > 0.95


def test_many_classes_have_a_score_each(fitted, wine):
    X, _ = wine
    scores = fitted.decision_function(X)
    np.testing.assert_allclose(scores, X.to_numpy() @ fitted.coef_.T + fitted.intercept_)
    np.testing.assert_array_equal(fitted.predict(X), scores.argmax(axis=1))
    np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1.0)
    np.testing.assert_allclose(np.exp(fitted.predict_log_proba(X)), fitted.predict_proba(X))


def test_units_of_the_covariates_change_nothing(binary, cancer):
    X, y = cancer
    units = np.logspace(-6, 6, 30)
    other = clone(binary).fit(X * units + 1000 * units, y)
    np.testing.assert_array_equal(other.labels_, binary.labels_)
    np.testing.assert_allclose(other.coef_, binary.coef_ / units, rtol=1e-5)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["ledoit-wolf", "rbf", "knn"]), st.booleans())
def test_the_order_of_covariates_and_the_names_of_classes_change_nothing(seed, similarity, refit):
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 3
    X = rng.normal(size=(40, 7)) + y[:, None] * rng.normal(size=7)
    params = {"similarity_params": {"n_neighbors": 3}} if similarity == "knn" else {}
    model = ConvexCovariateClustering(similarity, nu=3.0, sigma=1.0, refit=refit, **params)
    model.fit(X, y)
    order = rng.permutation(7)
    other = clone(model).fit(X[:, order], np.array(["c", "a", "b"])[y])
    assert ccc.metrics.anmi(other.labels_, model.labels_[order]) > 1 - 1e-12
    np.testing.assert_allclose(
        other.predict_proba(X[:, order])[:, [2, 0, 1]], model.predict_proba(X), atol=1e-5
    )


@pytest.mark.parametrize("target", [1, 4, 7, 30])
def test_a_wanted_number_of_clusters_is_met(target, cancer):
    model = ConvexCovariateClustering(n_clusters=target, nus=12, sigma=0.3).fit(*cancer)
    counts = model.selection_.scores["n_clusters"]
    assert abs(model.n_clusters_ - target) == abs(counts - target).min() <= 1
    same = model.selection_.scores[counts == model.n_clusters_]
    assert model.selection_.score == same["log_marginal_likelihood"].max()


def test_between_neighbours_on_the_grid_a_wanted_number_is_looked_for(cancer):
    coarse = ConvexCovariateClustering(nus=[100.0, 1.0, 1e-3], sigma=0.3).fit(*cancer)
    target = int(coarse.path_.n_clusters[:2].mean())
    fine = clone(coarse).set_params(n_clusters=target).fit(*cancer)
    assert len(fine.path_) > 3 and (np.diff(fine.path_.nus) < 0).all()
    assert abs(fine.n_clusters_ - target) < abs(coarse.path_.n_clusters - target).min()


def test_no_number_of_clusters_is_looked_for_between_some_nu_and_none(wine):
    model = ConvexCovariateClustering(nus=[1e3, 0.0], n_clusters=6, sigma=0.3).fit(*wine)
    assert model.path_.nus.tolist() == [1e3, 0.0]
    assert model.path_.n_clusters.tolist() == [1, 13]


def test_cross_validation_solves_every_fold_anew(cancer):
    X, y = cancer
    calls = []

    def similarity(X, y):
        calls.append(len(y))
        return ccc.similarity.ledoit_wolf(X, y)

    by_cv = {"nu": "cv", "nus": [10.0, 1.0, 0.1], "cv": 3, "sigma": 0.3}
    model = ConvexCovariateClustering(similarity, **by_cv).fit(X, y)
    assert calls[0] == 569 and sorted(calls[1:]) == [379, 379, 380]
    # Threads, lest the test waits for new processes.
    with parallel_config(backend="threading"):
        parallel = ConvexCovariateClustering(**by_cv, n_jobs=2).fit(X, y)
    pd.testing.assert_frame_equal(parallel.selection_.scores, model.selection_.scores)
    assert model.selection_.criterion == "cv"
    assert (model.selection_.scores["accuracy"] > 0.8).all()


def test_sparse_and_dense_agree(cancer, monkeypatch):
    # As if the data were large.
    monkeypatch.setattr(classifier, "SMALL", 0)
    X, y = cancer
    X = np.where(X.median() < X, X, 0.0)
    dense = ConvexCovariateClustering(nu=2.0, sigma=0.3).fit(X, y)
    for kind in (sp.csr_array, sp.csc_matrix):
        sparse = clone(dense).fit(kind(X), y)
        np.testing.assert_array_equal(sparse.labels_, dense.labels_)
        np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-6)
        np.testing.assert_allclose(sparse.transform(kind(X)), dense.transform(X), atol=1e-8)
    raw = clone(dense).set_params(standardize=False, similarity="knn").fit(sp.csr_array(X), y)
    assert sp.issparse(raw.transform(sp.csr_array(X)))


def test_pipeline_and_grid_search(wine):
    X, y = wine
    clusters = ConvexCovariateClustering(nu=20.0, sigma=1.0)
    then = make_pipeline(clusters, LogisticRegression()).fit(X, y)
    assert then[-1].n_features_in_ == then[0].n_clusters_ < 13
    assert then.score(X, y) > 0.9
    before = make_pipeline(StandardScaler(), clone(clusters))
    grid = {"convexcovariateclustering__nu": [1.0, 20.0, 1000.0]}
    search = GridSearchCV(before, grid, cv=3).fit(X, y)
    assert search.best_params_["convexcovariateclustering__nu"] != 1000.0
    assert search.best_score_ > 0.9


def test_pickled_cloned_and_named(fitted, wine):
    X, _ = wine
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert clone(fitted).get_params() == fitted.get_params()
    names = fitted.get_feature_names_out()
    frame = clone(fitted).set_output(transform="pandas").fit(X, wine[1]).transform(X)
    assert frame.columns.tolist() == names.tolist()
    assert len(set(names)) == fitted.n_clusters_
    assert names[0] == "cluster0_alcohol"


def test_a_path_of_text_labels_can_be_stored(cancer, tmp_path):
    model = ConvexCovariateClustering(nu=3.0, refit=False).fit(*cancer)
    model.path_.save(tmp_path / "path.npz")
    assert ccc.Path.load(tmp_path / "path.npz").classes.tolist() == ["benign", "malignant"]


def test_constant_covariates_stand_alone_and_count_nothing(wine):
    X, y = wine
    X = X.assign(one=1.0, zero=0.0)
    model = ConvexCovariateClustering(nu=1000.0, sigma=1.0).fit(X, y)
    assert model.n_clusters_ == 3
    np.testing.assert_array_equal(model.coef_[:, -2:], 0.0)


def test_a_rare_class_lowers_the_number_of_folds_and_a_single_member_is_named(wine):
    X, y = wine
    few = np.r_[np.flatnonzero(y == 0)[:3], np.flatnonzero(y > 0)]
    with pytest.warns(UserWarning, match="class 0 has 3 members: 3 folds in place of cv = 5"):
        ConvexCovariateClustering(nu=10.0).fit(X.iloc[few], y.iloc[few])
    with pytest.raises(ValueError, match="class 0 has 1 member, cross-validation needs 2"):
        ConvexCovariateClustering().fit(X.iloc[few[2:]], y.iloc[few[2:]])
    ConvexCovariateClustering(nu=10.0, sigma=1.0).fit(X.iloc[few[2:]], y.iloc[few[2:]])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"nu": "bic"}, "nu must be a number or one of 'evidence', 'cv', got 'bic'"),
        ({"nu": -1.0}, "nu must be finite and non-negative, got -1.0"),
        ({"ridge": 0}, "ridge must be positive, got 0"),
        ({"sparsity": "a"}, "sparsity must be a number, got 'a'"),
        ({"sigma": 0.0}, "sigma must be positive, got 0.0"),
        ({"sigma": "best"}, "sigma must be a number or one of 'first', 'last', 'log_prob"),
        ({"tol": np.nan}, "tol must be finite"),
        ({"cv": 1}, "cv must be an integer of at least 2, got 1"),
        ({"cv": True}, "cv must be an integer of at least 2, got True"),
        ({"nus": 1}, "nus must be an integer of at least 2, got 1"),
        ({"nus": 2.5}, "nus must be an integer of at least 2, got 2.5"),
        ({"nus": []}, "nus must be a non-empty vector"),
        ({"n_clusters": 0}, "n_clusters must be an integer of at least 1, got 0"),
        ({"n_jobs": 1.5}, "n_jobs must be an integer, got 1.5"),
        ({"refit": "yes"}, "refit must be True or False, got 'yes'"),
        ({"similarity": "cosine"}, "similarity must be one of 'ledoit-wolf', 'rbf', 'knn', a fu"),
        ({"similarity": np.eye(3)}, "similarity must have shape .13, 13. like the columns of X"),
        ({"similarity": -np.ones((13, 13))}, "similarity must be non-negative, got -1.0"),
        ({"similarity_params": 3}, "similarity_params must be a dictionary or None, got 3"),
        ({"similarity_params": {"k": 3}}, "similarity_params has 'k'; similarity 'ledoit-wolf' ta"),
        (
            {"similarity": np.eye(13), "similarity_params": {"k": 3}},
            "similarity_params is for a named similarity, got .'k'.",
        ),
    ],
)
def test_bad_parameters_are_named_on_one_line(params, message, wine):
    with pytest.raises(ValueError, match=message) as caught:
        ConvexCovariateClustering(**params).fit(*wine)
    assert "\n" not in str(caught.value)


def test_a_wanted_number_of_clusters_beside_a_given_nu_is_warned_of(binary, cancer):
    both = clone(binary).set_params(n_clusters=2)
    with pytest.warns(UserWarning, match="n_clusters = 2 has no say where nu is a number, as 3.0"):
        both.fit(*cancer)
    assert both.n_clusters_ == binary.n_clusters_


def test_plots_need_a_path(binary):
    with pytest.raises(ValueError, match="plot_path needs a path, got the solution at nu = 3"):
        binary.plot_path()
    with pytest.raises(ValueError, match="plot_selection needs scores along a path"):
        binary.plot_selection()


def test_the_tree_and_the_explorer_of_an_estimator(wine, tmp_path):
    X, y = wine
    model = ConvexCovariateClustering(nus=20, n_clusters=4).fit(X, y)
    axes = model.plot_tree(title="Wine")
    shown = " ".join(text.get_text() for text in axes.texts)
    assert "Wine" in shown and "alcohol" in shown
    file = tmp_path / "wine.html"
    model.write_explorer(file, title="Wine")
    assert "alcohol" in file.read_text(encoding="utf-8")
