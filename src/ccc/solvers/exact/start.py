"""Where the walk begins: the solution without fusion penalty, by L-BFGS.

Newton's method grows the margins of separable data by one a step; L-BFGS gets there at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ccc.graph import canonical_labels
from ccc.solvers.exact.ground import GroundedPairs, huber
from ccc.solvers.exact.nodes import Nodes

Array = NDArray[np.float64]
Smooth = Callable[[Array], tuple[float, Array]]

__all__ = ["begin"]

OPTIONS = {"maxiter": 300, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-9}
SOFT = 1e-2  # length, relative to the coefficients without sparsity, at which a norm is rounded off
SURE = 0.9  # multipliers of the ground below which a covariate is merged with it


def begin(nodes: Nodes) -> float:
    """Set the coefficients of all covariates to the solution at ν = 0; return its objective.

    With sparsity it is the group lasso, whose norms are rounded off near zero, and what is clearly
    zero there is merged with the ground.
    """
    diagonal = nodes.newton.diagonal

    def smooth(x: Array) -> tuple[float, Array]:
        A = x.reshape(nodes.A.shape)
        point = nodes.loss.evaluate(A)
        ridge = 0.5 * float(np.sum(diagonal * A**2))
        return point.value + ridge, (point.gradient + diagonal * A).ravel()

    x = _minimiser(smooth, nodes)
    if not isinstance(nodes.pairs, GroundedPairs):
        return smooth(x)[0]
    return _sparse(smooth, nodes, nodes.pairs)


def _minimiser(function: Smooth, nodes: Nodes) -> Array:
    """From the coefficients of the nodes on, which become the result."""
    x = minimize(function, nodes.A.ravel(), jac=True, method="L-BFGS-B", options=OPTIONS).x
    nodes.A = x.reshape(nodes.A.shape).copy()
    return np.asarray(x)


def _sparse(smooth: Smooth, nodes: Nodes, pairs: GroundedPairs) -> float:
    """On from the solution without sparsity to that with."""
    m = nodes.m
    delta = SOFT * float(np.sqrt(np.mean(nodes.A[:, :m] ** 2)) + 1e-12)

    def rounded(x: Array) -> tuple[float, Array]:
        value, gradient = smooth(x)
        norms, slope = huber(x.reshape(nodes.A.shape)[:, :m], pairs.pull, delta)
        gradient.reshape(nodes.A.shape)[:, :m] += slope
        return value + norms, gradient

    value = rounded(_minimiser(rounded, nodes))[0]
    heads = np.delete(np.arange(m), pairs.ground)
    U = nodes.A[:, heads].T / delta
    length = np.linalg.norm(U, axis=1, keepdims=True)
    pairs.reset(heads, np.full(m - 1, pairs.ground), U / np.maximum(length, 1.0))
    groups = np.arange(m)
    groups[heads[length[:, 0] < SURE]] = pairs.ground
    nodes.coarsen(canonical_labels(groups))
    return value
