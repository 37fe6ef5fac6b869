r"""The classifier on clusters: what is left of a fit when it is used.

.. math:: z_k = \sum_{i \in C_k} \frac{x_i - \mu_i}{\sigma_i}, \qquad
          \log f(y \mid x) = \beta_{0y} + \langle r_y, z \rangle + \text{const}

With two classes only the difference :math:`r_1 - r_0` is kept: its score is the log-odds of the
second class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.special import log_softmax

from ccc.design import Design, Standardized, as_design
from ccc.magnitude import LARGEST
from ccc.selection.map import fit_map
from ccc.validation import check_design

__all__ = ["ClusterModel", "refit_on_clusters"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClusterModel:
    """Standardisation, clusters, and a linear model of the sums over clusters.

    Attributes
    ----------
    centre, scale : (d,) arrays
    labels : (d,) array
        Cluster of each covariate, 0..m-1.
    used : (m,) array of bool
        Clusters that the model looks at.
    coef, intercept : (c, k) and (c,) arrays, or (1, k) and (1,) for two classes
        k is the number of clusters that are used.
    """

    centre: Floats
    scale: Floats
    labels: NDArray[np.int64]
    used: NDArray[np.bool_]
    coef: Floats
    intercept: Floats

    @classmethod
    def of(
        cls,
        centre: Floats,
        scale: Floats,
        labels: NDArray[np.int64],
        used: NDArray[np.bool_],
        B: Floats,
        b0: Floats,
    ) -> ClusterModel:
        """From coefficients (c, k) and intercepts (c,) as in the paper, a row per class."""
        if len(b0) == 2:
            B, b0 = B[1:] - B[:1], b0[1:] - b0[:1]
        return cls(centre, scale, labels, used, B, b0)

    def transform(self, X: Any) -> Any:
        """Sums over the clusters that are used, (n, k); sparse if X is and nothing is centred."""
        design = check_design(X, largest=LARGEST)
        if self.centre.any() or (self.scale != 1).any():
            design = as_design(Standardized(X, self.centre, self.scale))
        z = design.project(self.labels).columns(np.flatnonzero(self.used))
        if z.shift is not None:
            return z.toarray()
        return sp.csr_array(z.matrix) if design.is_sparse else z.matrix

    def scores(self, X: Any) -> Floats:
        """(n,) log-odds of the second class, or (n, c) scores of the classes."""
        Z = np.asarray(self.transform(X) @ self.coef.T) + self.intercept
        return Z[:, 0] if len(self.intercept) == 1 else Z

    def log_probabilities(self, X: Any) -> Floats:
        """(n, c)."""
        Z = self.scores(X)
        return log_softmax(np.stack([np.zeros(len(Z)), Z], 1) if Z.ndim == 1 else Z, axis=1)

    def in_units_of_x(self) -> tuple[Floats, Floats]:
        """Coefficients (c, d) and intercepts (c,) for covariates that are not standardised."""
        of_cluster = np.zeros((len(self.coef), len(self.used)))
        of_cluster[:, self.used] = self.coef
        coef = of_cluster[:, self.labels] / self.scale
        return coef, self.intercept - coef @ self.centre


def refit_on_clusters(
    X: Design,
    y: NDArray[np.int64],
    labels: NDArray[np.int64],
    used: NDArray[np.bool_],
    sigma: float,
) -> tuple[Floats, Floats]:
    """The paper's second step: MAP coefficients (c, k) and intercepts (c,) of the used clusters."""
    c = int(y.max()) + 1
    if not used.any():
        return np.zeros((c, 0)), np.log(np.bincount(y) / len(y))
    fit = fit_map(X.project(labels).columns(np.flatnonzero(used)), y, c, sigma)
    return fit.B, fit.b0
