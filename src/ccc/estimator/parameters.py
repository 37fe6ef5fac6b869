"""Checks of the estimator's parameters: a ``ValueError`` that names the parameter and the value."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ccc.estimator.similarity import check_similarity_name
from ccc.selection.sigma import RULES
from ccc.validation import (
    RIDGE_REASON,
    check_nu,
    check_nus,
    check_positive,
    check_sigma,
    check_whole,
)

__all__ = ["check_parameters", "seed_from"]

CRITERIA = ("evidence", "cv")


def check_parameters(estimator: Any) -> None:
    """All parameters that can be judged without data."""
    check_similarity_name(estimator.similarity, estimator.similarity_params)
    _number_or_name(estimator.nu, "nu", CRITERIA, check_nu)
    _number_or_name(estimator.sigma, "sigma", RULES, check_sigma)
    check_positive(estimator.ridge, "ridge", RIDGE_REASON)
    check_nu(estimator.sparsity, "sparsity")
    check_positive(estimator.tol, "tol")
    check_whole(estimator.cv, "cv", 2)
    for name in ("standardize", "refit", "verbose"):
        value = getattr(estimator, name)
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"{name} must be True or False, got {value!r}")
    if estimator.n_jobs is not None:
        check_whole(estimator.n_jobs, "n_jobs")
    if isinstance(estimator.nus, numbers.Number):
        check_whole(estimator.nus, "nus", 2)
    else:
        check_nus(estimator.nus)
    if estimator.n_clusters is not None:
        check_whole(estimator.n_clusters, "n_clusters", 1)
        if not isinstance(estimator.nu, str):
            # No error: scikit-learn's own checks set n_clusters wherever there is one.
            warnings.warn(
                f"n_clusters = {estimator.n_clusters} has no say where nu is a number, as "
                f"{estimator.nu}",
                UserWarning,
                stacklevel=3,
            )


def seed_from(random_state: Any) -> int:
    """A seed that can be used twice, whatever the user gave."""
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _number_or_name(
    value: Any, name: str, allowed: tuple[str, ...], check: Callable[[Any, str], float]
) -> None:
    if isinstance(value, str):
        if value not in allowed:
            names = ", ".join(map(repr, allowed))
            raise ValueError(f"{name} must be a number or one of {names}, got {value!r}")
    else:
        check(value, name)
