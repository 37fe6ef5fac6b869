"""The public solvers: one ν, or a whole grid, by any method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.grid import nu_grid
from ccc.magnitude import scaled
from ccc.problem import Problem, make_problem
from ccc.results import Fit, Path, warn_if_inaccurate
from ccc.solvers import SOLVERS
from ccc.validation import check_nu, check_nus, check_positive, check_ridge

__all__ = ["solve", "solve_path"]

FAR_APART = 1e-16  # ratio of similarities that do not add up
SQUARED = 1e100  # weights ν S_ij up to which squares have room for sums


def _solver(method: str) -> Callable[..., tuple[Path, list[NDArray[np.float64]]]]:
    if method not in SOLVERS:
        raise ValueError(f"method must be one of {', '.join(sorted(SOLVERS))}, got {method!r}")
    return SOLVERS[method]


def solve_path(
    X: Any,
    y: Any,
    S: Any,
    nus: Any = None,
    *,
    ridge: float = 0.1,
    sparsity: float = 0.0,
    tol: float = 1e-6,
    method: str = "exact",
    progress: bool = False,
) -> Path:
    """Solve Eq. (1) for every ν of a grid.

    Parameters
    ----------
    X : (n, d) array, scipy sparse matrix, or :class:`ccc.Standardized`
    y : (n,) array
        Class labels of any kind.
    S : (d, d) array or scipy sparse matrix
        Similarities: symmetric, non-negative; the diagonal is ignored.
    nus : array, optional
        Values of ν, in any order; the paper's :func:`nu_grid` by default.
    ridge, sparsity : float
        λ > 0 and γ ≥ 0 of Eq. (1). With γ > 0 the covariates at zero are ``irrelevant`` and one
        cluster; ``method="admm"`` has no sparsity.
    tol : float
        The relative duality gap that is promised.
    method : str
        A key of ``ccc.solvers.SOLVERS``.
    progress : bool
        Show a bar when standard error is a terminal.

    Returns
    -------
    Path
        In the order of ``nus``. A ν that misses ``tol`` has status ``"inaccurate"`` and is named in
        one :class:`ConvergenceWarning`.

    Examples
    --------
    >>> import ccc
    >>> data = ccc.data.make_synthetic("contradicting", d=40, n=400)
    >>> S = ccc.similarity.ledoit_wolf(data.X, data.y)
    >>> path = ccc.solve_path(data.X, data.y, S, [400.0, 0.1, 1e-4])
    >>> path.n_clusters
    array([ 3,  7, 40])
    >>> bool(path.gap.max() < 1e-6)
    True
    """
    solver = _solver(method)
    problem = make_problem(X, y, S, ridge, sparsity)
    grid = nu_grid(problem.n) if nus is None else check_nus(nus)
    _check_scales(problem, grid)
    ordinary = _in_ordinary_units(problem, grid)
    path, _ = solver(*ordinary, check_positive(tol, "tol"), progress=progress)
    path = replace(path, nus=grid.copy())
    warn_if_inaccurate(path)
    return path


def solve(
    X: Any,
    y: Any,
    S: Any,
    nu: float,
    *,
    ridge: float = 0.1,
    sparsity: float = 0.0,
    tol: float = 1e-6,
    method: str = "exact",
) -> Fit:
    """Solve Eq. (1) at one ν, from a cold start; the parameters are those of :func:`solve_path`.

    The result also carries the dual point, ``Fit.flows``.

    Examples
    --------
    >>> import numpy as np
    >>> import ccc
    >>> X = np.array([[1.0, 1.1, -1.0], [-1.0, -0.9, 1.0], [1.2, 0.8, 0.9], [-0.8, -1.0, -1.1]])
    >>> fit = ccc.solve(X, ["yes", "no", "yes", "no"], np.ones((3, 3)), nu=0.3)
    >>> fit.labels
    array([0, 0, 1])
    >>> bool(fit.gap < 1e-6)
    True
    """
    solver = _solver(method)
    problem: Problem = make_problem(X, y, S, ridge, sparsity)
    grid = np.array([check_nu(nu)])
    _check_scales(problem, grid)
    ordinary = _in_ordinary_units(problem, grid)
    path, flows = solver(*ordinary, check_positive(tol, "tol"), keep_flows=True)
    path = replace(path, nus=grid)
    warn_if_inaccurate(path)
    return replace(path[0], flows=flows[0])


def _check_scales(problem: Problem, grid: NDArray[np.float64]) -> None:
    """The ridge must count beside X, and the weights ν S_ij be numbers with room for sums.

    For flows that huge and small weights share, that is room for squares.
    """
    check_ridge(problem.ridge, problem.X)
    largest = float(problem.S.max())
    if largest > 1 and float(grid.max()) > 1e305 / largest:
        raise ValueError(
            f"nu = {grid.max():g} times the largest entry of S, {largest:g}, is too large"
        )
    values = problem.S.data if sp.issparse(problem.S) else problem.S
    least = float(np.min(values, where=values > 0, initial=np.inf))
    if least < FAR_APART * largest and float(grid.max()) > SQUARED / largest:
        raise ValueError(
            f"S has entries between {least:g} and {largest:g}, too far apart for nu = "
            f"{grid.max():g}"
        )


def _in_ordinary_units(
    problem: Problem, grid: NDArray[np.float64]
) -> tuple[Problem, NDArray[np.float64]]:
    """S in a unit in which solvers can take squares, and ν in its inverse: only ν S counts."""
    exponent = int(scaled(np.array([problem.S.max()]))[1][0])
    if exponent == 0:
        return problem, grid
    S = problem.S.copy()
    values = S.data if sp.issparse(S) else S
    # No edge may vanish: flows have a row for each.
    least = np.finfo(float).smallest_subnormal * (values > 0)
    values[...] = np.maximum(np.ldexp(values, -exponent), least)
    return replace(problem, S=S), np.ldexp(grid, exponent)
