"""Bad input is a ValueError that names the argument and the value."""

import numpy as np
import pytest
import scipy.sparse as sp

import ccc

X = np.random.default_rng(0).standard_normal((8, 3))
y = np.array([0, 1] * 4)
S = np.ones((3, 3))


def with_entry(array, value, position=(0, 1)):
    out = np.array(array, dtype=float)
    out[position] = value
    return out


CASES = {
    "X nan": ({"X": with_entry(X, np.nan)}, "X contains nan"),
    "X inf": ({"X": with_entry(X, np.inf)}, "X contains inf"),
    "X sparse nan": ({"X": sp.csr_array(with_entry(X, np.nan))}, "X contains nan"),
    "X vector": ({"X": X[:, 0]}, r"X must be a matrix \(n, d\), got shape \(8,\)"),
    "X text": ({"X": np.array([["a"] * 3] * 8)}, "X must hold real numbers"),
    "X complex": ({"X": X + 1j}, "X must hold real numbers"),
    "X empty": ({"X": np.empty((0, 3))}, r"at least one row and one column, got shape \(0, 3\)"),
    "y short": ({"y": y[:-1]}, r"y must have shape \(8,\), got \(7,\)"),
    "y one class": ({"y": np.ones(8, int)}, "y must have at least two classes, got only"),
    "y nan": ({"y": with_entry(y, np.nan, 2)}, "y contains nan"),
    "y mixed": ({"y": np.array([1, "a"] * 4, dtype=object)}, "y mixes labels"),
    "S not square": ({"S": np.ones((3, 4))}, r"S must be square, got shape \(3, 4\)"),
    "S size": ({"S": np.ones((4, 4))}, r"S must have shape \(3, 3\)"),
    "S asymmetric": ({"S": with_entry(S, 2.0)}, "S must be symmetric, .* by 1.0"),
    "S negative": ({"S": -S}, "S must be non-negative, got -1.0"),
    "S nan": ({"S": with_entry(S, np.nan)}, "S contains nan"),
    "S sparse negative": ({"S": -sp.csr_array(S)}, "S must be non-negative, got -1.0"),
    "S nan on the diagonal": ({"S": with_entry(S, np.nan, (1, 1))}, "S contains nan"),
    "S inf on the diagonal": ({"S": sp.csr_array(with_entry(S, np.inf, (1, 1)))}, "S contains inf"),
    "S negative on the diagonal": (
        {"S": with_entry(S, -5.0, (2, 2))},
        "S must be non-negative, got -5.0",
    ),
    "S sparse complex": ({"S": sp.csr_array(S + 1j)}, "S must hold real numbers, got complex"),
    "X sparse complex": ({"X": sp.csr_array(X + 1j)}, "X must hold real numbers, got complex"),
    "X huge integer": ({"X": [[10**400]] * 8}, "X must hold real numbers: int too large"),
    "nu huge integer": ({"nu": 10**400}, "nu must be finite, got an integer beyond 1e308"),
    "y no time": ({"y": np.array(["2020-01-01", "NaT"] * 4, "M8[D]")}, "y contains nan"),
    "sparsity tiny": ({"sparsity": 1e-200}, "sparsity must be 0 or between 1e-100 and 1e[+]100"),
    "nu negative": ({"nu": -1.0}, "nu must be finite and non-negative, got -1.0"),
    "nu inf": ({"nu": np.inf}, "nu must be finite and non-negative, got inf"),
    "nu text": ({"nu": "big"}, "nu must be a number, got 'big'"),
    "ridge zero": ({"ridge": 0.0}, "ridge must be positive, got 0.0: the dual"),
    "ridge negative": ({"ridge": -1}, "ridge must be finite and non-negative, got -1"),
    "sparsity": ({"sparsity": -0.5}, "sparsity must be finite and non-negative, got -0.5"),
    "sparsity nan": ({"sparsity": np.nan}, "sparsity must be finite and non-negative, got nan"),
    "sparsity inf": ({"sparsity": np.inf}, "sparsity must be finite and non-negative, got inf"),
    "sparsity text": ({"sparsity": "much"}, "sparsity must be a number, got 'much'"),
    "tol": ({"tol": 0.0}, "tol must be positive, got 0.0"),
    "method": ({"method": "magic"}, "method must be one of .*, got 'magic'"),
}


@pytest.mark.parametrize(("change", "message"), CASES.values(), ids=CASES)
def test_bad_input_names_argument_and_value(change, message):
    arguments = {"X": X, "y": y, "S": S, "nu": 1.0} | change
    with pytest.raises(ValueError, match=message):
        ccc.solve(**arguments)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_numbers_on_the_diagonal_of_S_are_ignored(form):
    plain = ccc.solve(X, y, S, nu=1.0)
    other = ccc.solve(X, y, form(S + np.diag([0.0, 3.0, 1e300])), nu=1.0)
    np.testing.assert_array_equal(other.B, plain.B)


@pytest.mark.parametrize(
    ("nus", "message"),
    [([], "non-empty vector"), ([1.0, -2.0], "got -2.0"), ([[1.0]], "non-empty vector")],
)
def test_bad_grids(nus, message):
    with pytest.raises(ValueError, match=message):
        ccc.solve_path(X, y, S, nus)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n must be"),
        ({"n": 4, "count": 0}, "count must"),
        ({"n": 4, "step": 0}, "step must"),
        ({"n": np.nan}, "n must be finite and non-negative, got nan"),
        ({"n": 4, "count": 2.5}, "count must be an integer of at least 1, got 2.5"),
    ],
)
def test_bad_grid_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        ccc.nu_grid(**arguments)


@pytest.mark.parametrize(
    ("B", "b0", "message"),
    [
        (np.ones((2, 4)), np.ones(2), r"B must have shape \(2, 3\)"),
        (np.ones((2, 3)), np.ones(3), "b0"),
    ],
)
def test_a_point_of_the_wrong_shape(B, b0, message):
    with pytest.raises(ValueError, match=message):
        ccc.objective(X, y, S, B, b0, 1.0)


def test_flows_of_the_wrong_shape():
    with pytest.raises(ValueError, match=r"flows must have shape \(3, 2\), got \(2, 2\)"):
        ccc.certificate(X, y, S, np.ones((2, 3)), np.ones(2), np.ones((2, 2)), 1.0)
