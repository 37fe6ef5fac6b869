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

from typing import Any

import numpy as np
import scipy.linalg

from ccc.basis import class_basis
from ccc.design import Design
from ccc.magnitude import LARGEST
from ccc.selection.clusterings import check_clustering
from ccc.selection.coordinates import Floats
from ccc.selection.map import MapFit, fit_map, gram_side
from ccc.selection.newton import class_weights, loss_hessian
from ccc.validation import check_design, check_labels, check_sigma

__all__ = ["HESSIANS", "check_hessian", "evidence", "log_marginal_likelihood"]

HESSIANS = ("diagonal", "full")
LOST = 1e-4  # share of a pivot, and so nats of the evidence, that rounding may take


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

    Examples
    --------
    >>> import ccc
    >>> data = ccc.data.make_synthetic("contradicting", d=40, n=400)
    >>> true = ccc.log_marginal_likelihood(data.X, data.y, data.labels, sigma=0.1)
    >>> single = ccc.log_marginal_likelihood(data.X, data.y, range(40), sigma=0.1)
    >>> true > single
    True
    """
    design = check_design(X, largest=LARGEST)
    classes, codes = check_labels(y, design.shape[0])
    sigma = check_sigma(sigma)
    check_hessian(hessian)
    clusters = check_clustering(labels, design.shape[1])
    projected = design.project(clusters)
    return evidence(projected, fit_map(projected, codes, len(classes), sigma), sigma, hessian)


def check_hessian(hessian: str) -> None:
    if hessian not in HESSIANS:
        raise ValueError(
            f"hessian must be one of {', '.join(map(repr, HESSIANS))}, got {hessian!r}"
        )


def evidence(X: Design, fit: MapFit, sigma: float, hessian: str = "diagonal") -> float:
    """The approximation at the MAP ``fit`` of the design ``X``."""
    if hessian == "diagonal":
        squares = X.weighted_squares(np.ascontiguousarray(fit.likelihood.variances().T))
        log_det = float(np.sum(np.log1p(sigma**2 * np.maximum(squares, 0.0))))
    else:
        log_det = _full_log_det(X, fit.likelihood.P, sigma)
    return -fit.objective - 0.5 * log_det


def _full_log_det(X: Design, P: Floats, sigma: float) -> float:
    r""":math:`\log \lvert I + \sigma^2 L \rvert` by Cholesky.

    L vanishes on vectors that are equal across classes, so the c - 1 Helmert coordinates carry the
    whole determinant. A factor of X with the same Gram matrix has the same determinant, which
    replaces m by n where n is smaller.
    """
    small = gram_side(X) if X.shape[0] < X.shape[1] else X
    H = sigma**2 * loss_hessian(small, class_weights(class_basis(len(P)), P), intercepts=False)
    H[np.diag_indices_from(H)] += 1.0
    rounding = np.finfo(float).eps * float(np.diagonal(H).max(initial=0.0))
    try:
        factor = scipy.linalg.cholesky(H, lower=True, overwrite_a=True, check_finite=False)
        least = float(np.diagonal(factor).min(initial=np.inf)) ** 2
    except scipy.linalg.LinAlgError:
        least = 0.0
    if rounding > LOST * least:
        raise ValueError(
            f"sigma = {sigma:g} is too large beside X for hessian = 'full': its determinant is "
            "lost in rounding"
        )
    return 2.0 * float(np.sum(np.log(np.diagonal(factor))))
