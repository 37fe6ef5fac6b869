"""Convex covariate clustering for classification (Andrade, Fukumizu and Okajima)."""

from ccc import data, similarity
from ccc.design import Standardized
from ccc.duality import Certificate, certificate
from ccc.path import nu_grid, solve, solve_path
from ccc.problem import objective
from ccc.results import ConvergenceWarning, Fit, Path

__all__ = [
    "Certificate",
    "ConvergenceWarning",
    "Fit",
    "Path",
    "Standardized",
    "certificate",
    "data",
    "nu_grid",
    "objective",
    "similarity",
    "solve",
    "solve_path",
]
