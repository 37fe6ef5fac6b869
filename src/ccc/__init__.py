"""Convex covariate clustering for classification (Andrade, Fukumizu and Okajima).

What is named here is imported when it is first used: the workflow reads its configuration through
this package dozens of times, and should not wait for compilers and solvers that it does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ccc import (
        baselines,
        data,
        explorer,
        hierarchy,
        metrics,
        odds,
        plots,
        similarity,
        storage,
    )
    from ccc.design import Standardized
    from ccc.duality import Certificate, certificate
    from ccc.estimator import ConvexCovariateClustering
    from ccc.grid import nu_grid
    from ccc.path import solve, solve_path
    from ccc.problem import objective
    from ccc.results import ConvergenceWarning, Fit, Path
    from ccc.selection import Selection, log_marginal_likelihood, select

__all__ = [
    "Certificate",
    "ConvergenceWarning",
    "ConvexCovariateClustering",
    "Fit",
    "Path",
    "Selection",
    "Standardized",
    "baselines",
    "certificate",
    "data",
    "explorer",
    "hierarchy",
    "log_marginal_likelihood",
    "metrics",
    "nu_grid",
    "objective",
    "odds",
    "plots",
    "select",
    "similarity",
    "solve",
    "solve_path",
    "storage",
]

_MODULES = {
    "Certificate": "duality",
    "ConvergenceWarning": "results",
    "ConvexCovariateClustering": "estimator",
    "Fit": "results",
    "Path": "results",
    "Selection": "selection",
    "Standardized": "design",
    "certificate": "duality",
    "log_marginal_likelihood": "selection",
    "nu_grid": "grid",
    "objective": "problem",
    "select": "selection",
    "solve": "path",
    "solve_path": "path",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'ccc' has no attribute {name!r}")
    module = import_module(f"ccc.{_MODULES.get(name, name)}")
    value = getattr(module, name) if name in _MODULES else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
