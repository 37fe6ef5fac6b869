"""Convex covariate clustering for classification (Andrade, Fukumizu and Okajima).

What is named here is imported when it is first used: the workflow reads its configuration through
this package dozens of times, and should not wait for compilers and solvers that it does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sklearn.exceptions import ConvergenceWarning

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
    from ccc.results import Fit, Path
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
    "Certificate": "ccc.duality",
    "ConvergenceWarning": "sklearn.exceptions",
    "ConvexCovariateClustering": "ccc.estimator",
    "Fit": "ccc.results",
    "Path": "ccc.results",
    "Selection": "ccc.selection",
    "Standardized": "ccc.design",
    "certificate": "ccc.duality",
    "log_marginal_likelihood": "ccc.selection",
    "nu_grid": "ccc.grid",
    "objective": "ccc.problem",
    "select": "ccc.selection",
    "solve": "ccc.path",
    "solve_path": "ccc.path",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'ccc' has no attribute {name!r}")
    module = import_module(_MODULES.get(name, f"ccc.{name}"))
    value = getattr(module, name) if name in _MODULES else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
