"""What covariates and clusters of a fitted estimator are called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["cluster_titles", "covariate_names"]


def covariate_names(estimator: Any) -> list[str]:
    """Names of the columns of X, or x0, x1, ..."""
    names = getattr(estimator, "feature_names_in_", None)
    return [f"x{j}" for j in range(estimator.n_features_in_)] if names is None else list(names)


def cluster_titles(names: list[str], labels: NDArray[np.int64]) -> list[str]:
    """Of each cluster a title that fits into a legend: its first covariate and how many follow."""
    sizes = np.bincount(labels)
    first = np.unique(labels, return_index=True)[1]
    more = [f" + {size - 1} more" if size > 1 else "" for size in sizes]
    return [names[j] + text for j, text in zip(first, more, strict=True)]
