"""Convex covariate clustering for classification (Andrade, Fukumizu and Okajima)."""

from ccc import baselines, data, metrics, similarity, storage
from ccc.design import Standardized
from ccc.duality import Certificate, certificate
from ccc.grid import nu_grid
from ccc.path import solve, solve_path
from ccc.problem import objective
from ccc.results import ConvergenceWarning, Fit, Path
from ccc.selection import Selection, log_marginal_likelihood, select

__all__ = [
    "Certificate",
    "ConvergenceWarning",
    "Fit",
    "Path",
    "Selection",
    "Standardized",
    "baselines",
    "certificate",
    "data",
    "log_marginal_likelihood",
    "metrics",
    "nu_grid",
    "objective",
    "select",
    "similarity",
    "solve",
    "solve_path",
    "storage",
]
