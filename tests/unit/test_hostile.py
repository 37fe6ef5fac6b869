"""Odd and hostile input to Eq. (1): a certified result, or a ValueError that names the argument."""

import warnings
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import ccc

TOL = 1e-6
RNG = np.random.default_rng(7)
N, D = 12, 4
X = RNG.standard_normal((N, D))
y = np.arange(N) % 3
S = np.ones((D, D))


def outcome(**change):
    """The certified fit, or the message of a refusal."""
    arguments = {"X": X, "y": y, "S": S, "nu": 1.0} | change
    with warnings.catch_warnings():
        warnings.simplefilter("error", ccc.ConvergenceWarning)
        try:
            fit = ccc.solve(**arguments)
        except ValueError as error:
            assert any(name in str(error) for name in arguments), error
            return str(error)
    assert np.isfinite(fit.B).all() and np.isfinite(fit.b0).all()
    assert 0 <= fit.gap <= TOL
    return fit


FORMS = {
    "integers": lambda A: np.round(3 * A).astype(np.int8),
    "booleans": lambda A: A > 0,
    "single precision": lambda A: A.astype(np.float32),
    "objects": lambda A: A.astype(object),
    "nested lists": lambda A: A.tolist(),
    "columns in order": np.asfortranarray,
    "backwards": lambda A: A[::-1, ::-1],
    "every second": lambda A: np.repeat(np.repeat(A, 2, axis=0), 2, axis=1)[::2, ::2],
    "read-only": lambda A: np.frombuffer(A.tobytes()).reshape(A.shape),
    "other byte order": lambda A: A.astype(">f8"),
    **{
        form: lambda A, form=form: sp.csr_array(A).asformat(form)
        for form in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")
    },
    "csr matrix": sp.csr_matrix,
}


@pytest.mark.parametrize("form", FORMS)
def test_any_form_of_X_gives_what_plain_doubles_give(form):
    given_form = FORMS[form](X)
    plain = given_form.toarray() if sp.issparse(given_form) else np.array(given_form, dtype=float)
    np.testing.assert_allclose(outcome(X=given_form).B, outcome(X=plain).B, atol=1e-7)


@pytest.mark.parametrize("form", FORMS)
def test_any_form_of_S_gives_what_plain_doubles_give(form):
    distances = (X.T[:, None] - X.T[None]) ** 2
    given_form = FORMS[form](np.exp(-distances.mean(axis=2)))
    plain = given_form.toarray() if sp.issparse(given_form) else np.array(given_form, dtype=float)
    np.testing.assert_allclose(outcome(S=given_form).B, outcome(S=plain).B, atol=1e-7)


def test_input_is_left_as_it_was():
    copies = X.copy(), y.copy(), S.copy()
    ccc.solve_path(X, y, S, [1.0, 0.1])
    for now, before in zip((X, y, S), copies, strict=True):
        np.testing.assert_array_equal(now, before)


LABELS = {
    "unicode": np.array(["ä", "日本", "🙂"])[y],
    "objects": np.array(["a", "b", "c"], dtype=object)[y],
    "booleans": y > 0,
    "floats": y / 7,
    "far apart": np.array([-(2**62), 0, 2**62])[y],
    "days": np.array(["2020-01-01", "2021-01-01", "1066-10-14"], dtype="datetime64[D]")[y],
    "list": list(y),
}


@pytest.mark.parametrize("labels", LABELS)
def test_any_labels_that_can_be_ordered(labels):
    fit = outcome(y=LABELS[labels])
    assert list(fit.classes) == sorted(set(np.asarray(LABELS[labels]).tolist())) or labels == "days"
    assert fit.B.shape == (len(fit.classes), D)


@pytest.mark.parametrize("labels", [[None] * N, [1, "a", None] * 4, [np.nan, 1, 2] * 4])
def test_labels_without_order_are_refused(labels):
    assert "y" in outcome(y=np.array(labels, dtype=object))


SHAPES = {
    "one covariate": {"X": X[:, :1], "S": S[:1, :1]},
    "one sample of each class": {"X": X[:3], "y": y[:3]},
    "nothing but zeros": {"X": np.zeros((N, D))},
    "a row of zeros": {"X": X * (np.arange(N) != 5)[:, None]},
    "a constant column": {"X": X * (np.arange(D) != 1) + (np.arange(D) == 1)},
    "the same column four times": {"X": np.repeat(X[:, :1], D, axis=1)},
    "more covariates than samples": {"X": np.tile(X, (1, 10)), "S": np.ones((40, 40))},
    "no edges": {"S": np.zeros((D, D))},
    "loops only": {"S": np.eye(D)},
    "no stored entries": {"S": sp.csr_array((D, D))},
    "stored zeros": {"S": sp.csr_array((np.zeros(2), ([0, 1], [1, 0])), shape=(D, D))},
    "two parts": {"S": np.kron(np.eye(2), np.ones((2, 2)))},
    "one edge": {"S": sp.csr_array((np.ones(2), ([0, 1], [1, 0])), shape=(D, D))},
}


@pytest.mark.parametrize("nu", [0.0, 5e-324, 1e-3, 1.0, 1e6, 1e300])
@pytest.mark.parametrize("shape", SHAPES)
def test_odd_shapes_are_solved_at_any_nu(shape, nu):
    fit = outcome(**SHAPES[shape], nu=nu)
    assert isinstance(fit, ccc.Fit)
    if nu == 1e300 and shape in ("one covariate", "the same column four times"):
        assert fit.labels.max() == 0


def test_one_sample_has_one_class():
    assert "y must have at least two classes" in outcome(X=X[:1], y=y[:1])


EXPONENTS = [-320, -300, -200, -100, -30, -10, -3, 0, 3, 5, 10, 30, 100, 200, 300]


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("nu", [0.0, 1.0, 1e10])
def test_X_of_any_size_is_solved_or_refused_by_name(exponent, nu):
    result = outcome(X=X * 10.0**exponent, nu=nu)
    if exponent <= 3:
        assert isinstance(result, ccc.Fit)
    if exponent >= 10:
        assert "ridge = 0.1 is lost in rounding beside X" in result


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("nu", [0.0, 1.0, 1e10])
def test_S_of_any_size_is_solved(exponent, nu):
    result = outcome(S=S * 10.0**exponent, nu=nu)
    if nu * 10.0**exponent < np.inf:
        assert isinstance(result, ccc.Fit)
    else:
        assert result == "nu = 1e+10 times the largest entry of S, 1e+300, is too large"


@pytest.mark.parametrize("ridge", [5e-324, 1e-300, 1e-20, 1e-12, 1e-6, 1.0, 1e6, 1e100, 1e300])
@pytest.mark.parametrize("nu", [0.0, 1.0])
def test_a_ridge_of_any_size_is_solved_or_refused_by_name(ridge, nu):
    result = outcome(ridge=ridge, nu=nu)
    assert isinstance(result, ccc.Fit) or "ridge" in result


@pytest.mark.parametrize("shift", [1e3, 1e6, 1e9, 1e15])
def test_columns_far_from_zero_are_solved_or_refused_by_name(shift):
    result = outcome(X=X + shift)
    assert isinstance(result, ccc.Fit) if shift < 1e4 else isinstance(result, (ccc.Fit, str))


@pytest.mark.parametrize("far", [1e5, 1e10, 1e14, 1e150, 1e300])
@pytest.mark.parametrize("nu", [1e-10, 1.0])
@pytest.mark.parametrize("sparsity", [0.0, 0.1])
def test_similarities_far_apart_are_solved_or_refused_by_name(far, nu, sparsity):
    star = np.zeros((D, D))
    star[:-1, -1] = star[-1, :-1] = 1.0, 1e3, far
    result = outcome(S=star, nu=nu, sparsity=sparsity)
    assert isinstance(result, ccc.Fit) if far <= 1e14 else "S has entries between 1 and" in result


ENTRIES = st.sampled_from(
    [0.0, -0.0, 1.0, -1.0, 2.5, 1e3, 1e-3, 1e-308, 5e-324, 1e150, 1e300, -1e300, np.inf, np.nan]
)
TAME = st.sampled_from([0.0, 1.0, -1.0, 2.5, 1e-3, 5e-324])


@st.composite
def arguments(draw):
    n, d = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    entries = draw(st.sampled_from([ENTRIES, TAME]))
    Xs = draw(st.lists(entries, min_size=n * d, max_size=n * d))
    half = np.array(draw(st.lists(entries, min_size=d * d, max_size=d * d))).reshape(d, d)
    with np.errstate(all="ignore"):
        S = np.abs(half) + np.abs(half).T
    return {
        "X": np.array(Xs).reshape(n, d),
        "y": np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))),
        "S": S,
        "nu": draw(entries),
        "ridge": draw(st.one_of(st.just(0.1), entries)),
        "sparsity": draw(st.one_of(st.just(0.0), entries)),
    }


EXAMPLES = 150
# Among covariates at zero, an edge whose Laplacian rounding makes singular.
FAINT_EDGE = {
    "X": np.array([[2.5, 0, 0, 0], [0, 0, 0, 2.5], [0, 0, 0, 0], [1, 0, 0, 0]]),
    "y": np.array([1, 0, 1, 0]),
    "S": np.kron(np.diag([1e-323, 1.0]), [[0.0, 1.0], [1.0, 0.0]]),
    "sparsity": 1.0,
}


@settings(deadline=20_000, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(arguments())
@example(FAINT_EDGE)
def test_any_numbers_at_all(drawn):
    outcome(**drawn)


@pytest.mark.parametrize(
    ("method", "bad"), list(product(["exact", "admm"], ["X", "y", "S", "nu", "ridge", "sparsity"]))
)
@pytest.mark.parametrize("value", [None, "text", object(), {}, [[[1.0]]]])
def test_values_of_another_kind_are_refused_by_name(method, bad, value):
    with pytest.raises((ValueError, TypeError), match=rf"\b{bad}\b"):
        ccc.solve(**({"X": X, "y": y, "S": S, "nu": 1.0, "method": method} | {bad: value}))


@pytest.mark.parametrize("exponent", [-300, -200, -100, 100, 200, 300])
def test_beside_sparsity_only_nu_times_S_counts(exponent):
    arguments = {"X": X, "y": y, "sparsity": 0.5}
    plain = ccc.solve(S=S, nu=0.3, **arguments)
    other = ccc.solve(S=S * 10.0**exponent, nu=0.3 * 10.0**-exponent, **arguments)
    np.testing.assert_allclose(other.B, plain.B, atol=1e-6)
    np.testing.assert_allclose(other.flows, plain.flows, atol=1e-3)
    assert other.gap <= TOL
