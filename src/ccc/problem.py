r"""The objective of Eq. (1).

.. math::

    F(B, \beta_0) = -\sum_s \log f(y_s \mid x_s, B, \beta_0) + \lambda \lVert B \rVert_F^2
      + \nu \sum_{i<j} S_{ij} \lVert b_i - b_j \rVert_2 + \gamma \sum_i \lVert b_i \rVert_2

``ridge`` is λ, ``nu`` is ν, ``sparsity`` is γ (zero in the paper's experiments). ``B`` is (c, d)
and ``b0`` is (c,). The intercepts carry no penalty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.design import Design
from ccc.graph import Graph, graph_of
from ccc.magnitude import lengths, overflow
from ccc.validation import (
    RIDGE_REASON,
    check_array,
    check_design,
    check_labels,
    check_nu,
    check_positive,
    check_similarity,
    check_sparsity,
)

__all__ = ["Problem", "fusion_penalty", "log_loss", "make_problem", "objective", "softmax"]


@dataclass(frozen=True)
class Problem:
    """Checked data of Eq. (1); everything but ν.

    Attributes
    ----------
    X : Design
        (n, d) design.
    y : (n,) array
        Class codes 0..c-1.
    classes : (c,) array
        The user's class labels in sorted order.
    S : (d, d) array or CSR matrix
        Similarities, zero diagonal.
    ridge, sparsity : float
    """

    X: Design
    y: NDArray[np.int64]
    classes: NDArray[Any]
    S: Any
    ridge: float
    sparsity: float = 0.0

    @property
    def n(self) -> int:
        return self.X.shape[0]

    @property
    def d(self) -> int:
        return self.X.shape[1]

    @property
    def c(self) -> int:
        return len(self.classes)

    def graph(self) -> Graph:
        return graph_of(self.S)


def make_problem(X: Any, y: Any, S: Any, ridge: float = 0.1, sparsity: float = 0.0) -> Problem:
    """Check the user's arguments and bring them into one form."""
    design = check_design(X)
    n, d = design.shape
    classes, codes = check_labels(y, n)
    return Problem(
        X=design,
        y=codes,
        classes=classes,
        S=check_similarity(S, d),
        ridge=check_positive(ridge, "ridge", RIDGE_REASON),
        sparsity=check_sparsity(sparsity),
    )


def softmax(Z: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Row-wise probabilities and log-sum-exp of the (n, c) scores ``Z``, shifted by the maximum."""
    top = Z.max(axis=1, keepdims=True)
    P = np.exp(Z - top)
    total = P.sum(axis=1, keepdims=True)
    P /= total
    return P, (np.log(total) + top)[:, 0]


def log_loss(
    X: Design, y: NDArray[np.int64], B: NDArray[np.float64], b0: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    r"""Value of :math:`-\sum_s \log f(y_s \mid x_s, B, \beta_0)` and residuals ``P - Y`` (n, c).

    The gradient is ``(P - Y)' X`` in B and ``sum_s (P - Y)`` in the intercepts.
    """
    Z = X.dot(B.T) + b0
    P, lse = softmax(Z)
    rows = np.arange(len(y))
    value = float(np.sum(lse - Z[rows, y]))
    P[rows, y] -= 1.0
    return value, P


def fusion_penalty(B: NDArray[np.float64], graph: Graph, nu: float) -> float:
    r"""Value of :math:`\nu \sum_{i<j} S_{ij} \lVert b_i - b_j \rVert_2`, the last term of Eq. (1).

    O(|E| c) time and memory.
    """
    return float(nu * (graph.weights @ lengths(graph.differences(B), axis=1)))


def objective(
    X: Any,
    y: Any,
    S: Any,
    B: Any,
    b0: Any,
    nu: float,
    ridge: float = 0.1,
    sparsity: float = 0.0,
) -> float:
    """Value of Eq. (1) at ``B`` (c, d) and ``b0`` (c,); see the module's docstring."""
    problem = make_problem(X, y, S, ridge, sparsity)
    B, b0 = check_point(problem, B, b0)
    return checked_value(problem, problem.graph(), B, b0, check_nu(nu))


def check_point(
    problem: Problem, B: Any, b0: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``B`` and ``b0`` as finite float arrays of the right shapes."""
    return (
        check_array(B, (problem.c, problem.d), "B"),
        check_array(b0, (problem.c,), "b0"),
    )


def checked_value(
    problem: Problem, graph: Graph, B: NDArray[np.float64], b0: NDArray[np.float64], nu: float
) -> float:
    """Value of Eq. (1); an error where it is beyond all numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = value(problem, graph, B, b0, nu)
    if not np.isfinite(found):
        raise overflow("the objective", sizes(problem) | {"B": B, "b0": b0, "nu": nu})
    return found


def sizes(problem: Problem) -> dict[str, Any]:
    """What the data of a problem are called, with their absolute values."""
    return {
        "X": problem.X.column_sizes(),
        "S": problem.S.max(),
        "ridge": problem.ridge,
        "sparsity": problem.sparsity,
    }


def value(
    problem: Problem, graph: Graph, B: NDArray[np.float64], b0: NDArray[np.float64], nu: float
) -> float:
    """Value of Eq. (1) for checked data."""
    loss, _ = log_loss(problem.X, problem.y, B, b0)
    smooth = loss + problem.ridge * float(np.sum(B * B))
    columns = problem.sparsity * float(np.sum(lengths(B, axis=0))) if problem.sparsity else 0.0
    return smooth + fusion_penalty(B, graph, nu) + columns
