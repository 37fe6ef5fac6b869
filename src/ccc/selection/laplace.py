r"""Laplace approximation of the marginal likelihood of a clustering (Section 3).

.. math::

    \log p(y \mid X, \mathscr C, \hat\beta_0) \approx \frac{cm}{2} \log 2\pi
    - \tfrac12 \log \lvert -S(\hat B) \rvert + \log \pi(\hat B)
    + \sum_s \log f(y_s \mid x_s^{\mathscr C}, \hat B, \hat\beta_0)
    = -f(\hat B, \hat\beta_0) - \tfrac12 \log \lvert I + \sigma^2 L \rvert ,

where f is the objective of the MAP and L the Hessian of its loss in B: the powers of 2π cancel and
those of σ move into the determinant. ``"diagonal"`` keeps of L its diagonal
:math:`\sum_s p_{is} (1 - p_{is}) x_{sz}^2`, as the paper does; ``"full"`` keeps all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from ccc.basis import class_basis
from ccc.design import Design
from ccc.graph import canonical_labels
from ccc.selection.coordinates import Floats
from ccc.selection.map import TOL, MapFit, fit_map, gram_side
from ccc.selection.newton import class_weights, loss_hessian
from ccc.validation import check_design, check_labels, check_positive

__all__ = ["HESSIANS", "Evidence", "check_hessian", "evidence", "log_marginal_likelihood"]

HESSIANS = ("diagonal", "full")


@dataclass(frozen=True)
class Evidence:
    """The approximate log marginal likelihood and the MAP estimate it was taken at."""

    value: float
    fit: MapFit


def log_marginal_likelihood(
    X: Any, y: Any, labels: Any, sigma: float, hessian: str = "diagonal"
) -> float:
    r"""Approximate :math:`\log p(y \mid X, \mathscr C, \hat\beta_0)` of the clustering ``labels``.

    Parameters
    ----------
    X : (n, d) array, scipy sparse matrix, or Standardized
        Covariates; those of one cluster are summed, :math:`x^{\mathscr C} = T x`.
    y : (n,) array
        Class labels of any kind.
    labels : (d,) array
        Cluster of each covariate, as integers of any kind.
    sigma : float
        Standard deviation of the prior on each entry of B.
    hessian : {"diagonal", "full"}
        ``"full"`` takes the memory of a square matrix of (c - 1) min(m, n) rows.

    Returns
    -------
    float
        In nats.
    """
    design = check_design(X)
    classes, codes = check_labels(y, design.shape[0])
    sigma = check_positive(sigma, "sigma")
    check_hessian(hessian)
    clusters = check_clustering(labels, design.shape[1])
    return evidence(design.project(clusters), codes, len(classes), sigma, hessian).value


def check_hessian(hessian: str) -> None:
    if hessian not in HESSIANS:
        raise ValueError(
            f"hessian must be one of {', '.join(map(repr, HESSIANS))}, got {hessian!r}"
        )


def check_clustering(labels: Any, d: int, name: str = "labels") -> NDArray[np.int64]:
    """A clustering of d covariates, with clusters 0..m-1 in order of first appearance."""
    values = np.asarray(labels)
    if values.shape != (d,):
        raise ValueError(f"{name} must have shape ({d},) like the columns of X, got {values.shape}")
    if values.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {values.dtype}")
    return canonical_labels(values)


def evidence(
    X: Design,
    y: NDArray[np.int64],
    c: int,
    sigma: float,
    hessian: str = "diagonal",
    start: tuple[Floats, Floats] | None = None,
    tol: float = TOL,
    gram: Floats | None = None,
) -> Evidence:
    """The approximation for a design that is already projected on the clusters.

    ``start``, ``tol`` and ``gram`` are those of :func:`ccc.selection.map.fit_map`.
    """
    fit = fit_map(X, y, c, sigma, start, tol, gram)
    if hessian == "diagonal":
        squares = X.weighted_squares(np.ascontiguousarray(fit.likelihood.variances().T))
        log_det = float(np.sum(np.log1p(sigma**2 * np.maximum(squares, 0.0))))
    else:
        log_det = _full_log_det(X, fit.likelihood.P, sigma)
    return Evidence(-fit.objective - 0.5 * log_det, fit)


def _full_log_det(X: Design, P: Floats, sigma: float) -> float:
    r""":math:`\log \lvert I + \sigma^2 L \rvert` by Cholesky.

    L vanishes on vectors that are equal across classes, so the c - 1 Helmert coordinates carry the
    whole determinant. A factor of X with the same Gram matrix has the same determinant, which
    replaces m by n where n is smaller.
    """
    small = gram_side(X) if X.shape[0] < X.shape[1] else X
    H = sigma**2 * loss_hessian(small, class_weights(class_basis(len(P)), P), intercepts=False)
    H[np.diag_indices_from(H)] += 1.0
    factor = scipy.linalg.cholesky(H, lower=True, overwrite_a=True, check_finite=False)
    return 2.0 * float(np.sum(np.log(np.diagonal(factor))))
