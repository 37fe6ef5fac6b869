"""From samples to a path of clusterings: what cross-validation repeats in every fold."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.design import Design
from ccc.estimator.grid import approach, fusion_grid
from ccc.estimator.similarity import similarity_of
from ccc.path import solve_path
from ccc.results import Path

__all__ = ["Recipe"]

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Recipe:
    """Parameters of the estimator that decide a path, given covariates as Eq. (1) sees them.

    Attributes
    ----------
    similarity, similarity_params : as in the estimator
    names : (d,) array or None
        Names of the covariates, which put a DataFrame of similarities into order.
    ridge, sparsity, tol : float
    """

    similarity: Any
    similarity_params: Mapping[str, Any] | None
    names: NDArray[Any] | None
    ridge: float
    sparsity: float
    tol: float

    def graph(self, X: Design, y: Codes) -> Any:
        """S, checked."""
        return similarity_of(self.similarity, self.similarity_params, X, y, self.names)

    def path(self, X: Design, y: Codes, S: Any, nus: Any, progress: bool = False) -> Path:
        """The solutions at the given ν."""
        return solve_path(
            X,
            y,
            S,
            nus,
            ridge=self.ridge,
            sparsity=self.sparsity,
            tol=self.tol,
            progress=progress,
        )

    def search(
        self, X: Design, y: Codes, S: Any, nus: Any, n_clusters: int | None, progress: bool
    ) -> Path:
        """The path of descending ν: given values, or a number of them where clusters change.

        ``n_clusters`` is a number of clusters that some ν should come near to.
        """

        def solve(values: NDArray[np.float64]) -> Path:
            return self.path(X, y, S, values, progress)

        if isinstance(nus, numbers.Integral):
            grid = fusion_grid(solve, X.shape[0], float(S.max()), int(nus))
        else:
            grid = np.unique(np.asarray(nus, dtype=np.float64))[::-1]
        path = solve(grid)
        return path if n_clusters is None else approach(path, n_clusters, solve)

    def clusterings(
        self, X: Design, y: Codes, nus_per_sample: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """Labels (k, d) from some of the samples: S from them alone, ν in proportion to them."""
        S = self.graph(X, y)
        return self.path(X, y, S, nus_per_sample * X.shape[0]).labels
