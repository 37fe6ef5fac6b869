"""Odd and hostile input to every public function: numbers, or an error that names the argument."""

import re
import warnings
from dataclasses import fields, is_dataclass
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccc
from ccc.selection import choose_sigma
from tests.unit.test_hostile import ENTRIES, EXAMPLES, FORMS, TAME, TOL, D, N, S, X, y

PATH = ccc.solve_path(X, y, S, [0.1, 1.0, 100.0])
LABELS_OF_COVARIATES = np.array([0, 0, 1, 1])
POINT = {"B": np.outer([1.0, -1.0, 0.0], np.arange(D)), "b0": np.zeros(3)}


def fitted(X, y, **parameters):
    return ccc.ConvexCovariateClustering(**parameters).fit(X, y)


CALLS = {
    "solve_path": (ccc.solve_path, {"X": X, "y": y, "S": S, "nus": [1.0]}),
    "objective": (ccc.objective, {"X": X, "y": y, "S": S, **POINT, "nu": 1.0}),
    "certificate": (
        ccc.certificate,
        {"X": X, "y": y, "S": S, **POINT, "flows": np.ones((6, 3)), "nu": 1.0},
    ),
    "select": (partial(ccc.select, PATH), {"X": X, "y": y, "sigma": 1.0}),
    "choose_sigma": (choose_sigma, {"X": X, "y": y, "sigmas": [0.1, 1.0], "n_folds": 2}),
    "log_marginal_likelihood": (
        ccc.log_marginal_likelihood,
        {"X": X, "y": y, "labels": LABELS_OF_COVARIATES, "sigma": 1.0},
    ),
    "estimator": (
        fitted,
        {"X": X, "y": y, "similarity": S, "nu": 1.0, "sigma": 1.0, "ridge": 0.1, "sparsity": 0.1},
    ),
    "ledoit_wolf": (ccc.similarity.ledoit_wolf, {"X": X, "y": y}),
    "embedding_similarity": (ccc.similarity.embedding_similarity, {"vectors": X}),
    "kmeans_path": (ccc.baselines.kmeans_path, {"points": X, "ks": [2], "random_state": 0}),
    "convex_clustering_path": (
        ccc.baselines.convex_clustering_path,
        {"points": X, "gammas": [0.1], "phi": 0.5, "tol": TOL},
    ),
    "group_lasso_path": (
        ccc.baselines.group_lasso_path,
        {"X": X, "y": y, "gammas": [1.0], "ridge": 0.1, "tol": TOL},
    ),
    "anmi": (ccc.metrics.anmi, {"labels_true": LABELS_OF_COVARIATES, "labels": [0, 1, 1, 1]}),
    "nu_grid": (ccc.nu_grid, {"n": N, "count": 3, "step": 1.0}),
    "make_synthetic": (ccc.data.make_synthetic, {"d": 10, "n": 8, "seed": 0}),
}
# Their gap is nan, or whatever that of the given point is.
NO_PROMISE = ("kmeans_path", "certificate")
OPTIONAL = ("nus", "ks", "gammas", "sigmas", "seed")
COUNTED = ("y", "labels_true", "labels", "ks", "count", "n_folds", "random_state", "d", "seed")


def corrupted():
    for call, (_, good) in CALLS.items():
        for name, value in good.items():
            for bad in (np.nan, np.inf, None, "text", {}):
                if bad is None and (name in OPTIONAL or (call, name) == ("select", "sigma")):
                    continue  # None asks for the default
                yield pytest.param(call, name, value, bad, id=f"{call} {name} {bad}")


@pytest.mark.parametrize(("call", "name", "value", "bad"), list(corrupted()))
def test_every_public_call_refuses_bad_values_by_name(call, name, value, bad):
    function, good = CALLS[call]
    if np.ndim(value) and isinstance(bad, float):
        array = np.array(value, dtype=float)
        array.flat[1 % array.size] = bad
        bad = array
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}\b"):
        function(**(good | {name: bad}))


def numbers_of(result):
    """All floating-point numbers of a result, but for gaps, which k-means has not."""
    if isinstance(result, ccc.ConvexCovariateClustering):
        yield from (result.coef_, result.intercept_, result.predict_proba(X))
    elif isinstance(result, pd.DataFrame):
        yield result.to_numpy(dtype=float)
    elif is_dataclass(result):
        for field in fields(result):
            if field.name not in ("gap", "seconds"):
                yield from numbers_of(getattr(result, field.name))
    elif isinstance(result, np.ndarray) and result.dtype.kind != "f":
        pass
    elif isinstance(result, (float, np.ndarray)):
        yield np.asarray(result)


def attempt(call, change, named=None):
    """A result of numbers, each gap kept or warned of; or the message of a refusal by name."""
    function, good = CALLS[call]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ccc.ConvergenceWarning)
        try:
            result = function(**(good | change))
        except (ValueError, TypeError) as error:
            assert any(re.search(rf"\b{name}\b", str(error)) for name in named or change), error
            return str(error)
    for numbers in numbers_of(result):
        assert np.isfinite(numbers).all()
    warned = any(w.category is ccc.ConvergenceWarning for w in caught)
    gap = getattr(result, "dual_gap_", getattr(result, "gap", 0.0))
    assert warned or call in NO_PROMISE or np.max(gap) <= change.get("tol", TOL)
    return result


@pytest.mark.parametrize("call", CALLS)
def test_every_call_works_as_it_stands(call):
    assert not isinstance(attempt(call, {}), str)


MATRICES = [
    (call, name)
    for call, (_, good) in CALLS.items()
    for name in good
    if name in ("X", "S", "similarity", "points", "vectors")
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("call", "name"), MATRICES)
def test_any_form_of_a_matrix_gives_what_plain_doubles_give_in_any_call(call, name, form):
    given_form = FORMS[form](CALLS[call][1][name])
    plain = given_form.toarray() if sp.issparse(given_form) else np.array(given_form, dtype=float)
    found, expected = attempt(call, {name: given_form}), attempt(call, {name: plain})
    if isinstance(expected, str):
        assert found == expected
    for one, other in zip(numbers_of(found), numbers_of(expected), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


ODD = {
    "no rows": X[:0],
    "one row": X[:1],
    "two rows": X[:2],
    "no columns": X[:, :0],
    "one column": X[:, :1],
    "zeros": 0 * X,
    "a row of zeros": X * (np.arange(N) != 5)[:, None],
    "a constant column": X * (np.arange(D) != 1) + (np.arange(D) == 1),
    "the same column four times": np.repeat(X[:, :1], D, axis=1),
    "the same row twelve times": np.repeat(X[:1], N, axis=0),
    "more columns than rows": np.tile(X, 10),
}
BY_THEMSELVES = [
    (call, name)
    for call, name in MATRICES
    if set(CALLS[call][1])
    <= {name, "y", "sigmas", "n_folds", "ks", "random_state", "gammas", "phi", "tol", "ridge"}
]


@pytest.mark.parametrize("shape", ODD)
@pytest.mark.parametrize(("call", "name"), BY_THEMSELVES)
def test_odd_shapes_give_numbers_or_are_refused_by_name(call, name, shape):
    change = {name: ODD[shape]}
    if "y" in CALLS[call][1]:
        change["y"] = y[: len(ODD[shape])]
    attempt(call, change, named=CALLS[call][1])


SCALES = [1e-320, 1e-300, 1e-200, 1e-100, 1e-30, 1e-10, 1e10, 1e30, 1e100, 1e200, 1e300]
SCALED = [(call, name) for call, (_, good) in CALLS.items() for name in good if name not in COUNTED]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("call", "name"), SCALED)
def test_arguments_of_any_size_give_numbers_or_are_refused_by_name(call, name, scale):
    value = np.asarray(CALLS[call][1][name]) * scale
    attempt(call, {name: value if value.ndim else float(value)})


@st.composite
def changes(draw):
    call = draw(st.sampled_from(sorted({call for call, _ in SCALED})))
    names = st.sampled_from([name for of_call, name in SCALED if of_call == call])
    out = {}
    for name in draw(st.lists(names, min_size=1, unique=True)):
        shape = np.shape(CALLS[call][1][name])
        entries = draw(st.sampled_from([ENTRIES, TAME]))
        size = int(np.prod(shape))
        values = np.array(draw(st.lists(entries, min_size=size, max_size=size))).reshape(shape)
        if name in ("S", "similarity"):
            with np.errstate(all="ignore"):
                values = np.abs(values) + np.abs(values).T
        out[name] = values if shape else float(values)
    return call, out


@settings(deadline=20_000, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(changes())
def test_any_numbers_at_all_in_any_call(drawn):
    call, change = drawn
    attempt(call, change, named=CALLS[call][1])
