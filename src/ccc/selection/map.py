r"""The maximum a-posteriori estimate of the multinomial logistic model, with a certificate.

.. math::

    \min_{B, \beta_0} \; f(B, \beta_0) = -\sum_s \log f(y_s \mid x_s, B, \beta_0)
    + \frac{1}{2 \sigma^2} \lVert B \rVert_F^2

(up to a constant, minus the log joint density under the prior :math:`N(0, \sigma^2)` on every entry
of B; the intercepts are free). A damped Newton method in Helmert coordinates; the gap it reports is

.. math::

    f - f^* \le \sum_s \mathrm{KL}(p'_s \Vert p_s)
    + \frac{\sigma^2}{2} \Bigl\lVert \frac{1}{\sigma^2} B + (P' - Y)^T X \Bigr\rVert_F^2 ,

the distance to the dual value at probabilities P' whose column sums are the class counts: the
bound :math:`\sigma^2 \lVert \nabla f \rVert^2 / 2` of strong convexity, made valid for free
intercepts.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.special import xlogy

from ccc.basis import class_basis
from ccc.design import Design
from ccc.selection.coordinates import Floats, Likelihood, likelihood, scores, stored, tscores
from ccc.selection.newton import Newton

__all__ = ["MapFit", "fit_map", "gram_side"]

# Nats. The evidence feels an error of the MAP to first order, through the determinant, which is of
# the order of the root of the gap: 1e-6 nats of evidence need 1e-13 nats of objective. (Measured at
# 1e-10: errors up to 3e-4 nats, for 10 to 50% fewer conjugate gradient steps.) On separable data
# the p (1 - p) in the determinant are as small as the loss and their relative errors count: at
# n = 40 errors of 1e-5 nats were seen. Where H is factorised one more step, hence the factor of the
# loss in the goal, is nearly free. With conjugate gradients it would cost a quarter more time (at
# n = 4000, σ = 31.6), and errors up to 2e-5 nats stay (n = 400, σ = 31.6).
TOL = 1e-13
MAX_NEWTON = 200
MAX_HALVINGS = 40
SLOW = 0.1  # a Newton step that leaves more of the gap may suffer from single precision


@dataclass(frozen=True)
class MapFit:
    """A MAP estimate.

    Attributes
    ----------
    B, b0 : (c, m) and (c,) arrays
    objective : float
        :math:`f(B, b_0)`.
    gap : float
        Upper bound on ``objective`` minus the minimum, from a dual feasible point.
    n_iter : int
        Newton steps.
    likelihood : Likelihood
        Loss, probabilities (c, n) and residuals at the estimate.
    """

    B: Floats
    b0: Floats
    objective: float
    gap: float
    n_iter: int
    likelihood: Likelihood


def fit_map(
    X: Design,
    y: NDArray[np.int64],
    c: int,
    sigma: float,
    start: tuple[Floats, Floats] | None = None,
    tol: float = TOL,
    gram: Floats | None = None,
) -> MapFit:
    """Minimise f for checked data: ``X`` a design, ``y`` codes 0..c-1, each class present.

    Parameters
    ----------
    start : (B, b0), optional
        Where to begin; B = 0 and the log class frequencies if absent.
    tol : float
        Iterate until the gap is at most ``tol`` nats, or no step improves f. Where H is factorised
        the gap goes on to ``tol`` times the loss if that is less and rounding allows it.
    gram : (m + 1, m + 1) array, optional
        :func:`ccc.selection.newton.gram_of` of ``X``, where many fits share it.
    """
    if gram_side_pays(X):
        return _fit_on_gram_side(X, y, c, sigma, start, tol)
    Q = class_basis(c)
    counts = np.bincount(y, minlength=c).astype(np.float64)
    class_sums = tscores(X, (y == np.arange(c)[:, None]).astype(np.float64))
    if start is None:
        A, a0 = np.zeros((c - 1, X.shape[1])), Q.T @ np.log(counts)
    else:
        A, a0 = Q.T @ start[0], Q.T @ start[1]
    Z = scores(X, A) + a0[:, None]
    at = likelihood(Q, Z, y)
    objective = at.loss + _ridge(A, sigma)
    newton = Newton(X, Q, sigma, gram)
    previous = np.inf
    for n_iter in range(MAX_NEWTON + 1):
        U = Q.T @ at.R
        loss_gradient, g0 = tscores(X, U), U.sum(axis=1)
        gap = _gap(Q, at, A, loss_gradient, counts, class_sums, sigma)
        goal = tol * min(1.0, at.loss) if newton.explicit else tol
        at_rounding = 0.5 * previous < gap <= tol
        if gap <= goal or at_rounding or n_iter == MAX_NEWTON:
            break
        if gap > SLOW * previous:
            newton.be_precise()
        previous = gap
        gA = loss_gradient + A / sigma**2
        # A step gains four digits of the gap, and no more than the last one needs.
        rtol = max(0.01, min(0.1, 0.3 * np.sqrt(goal / gap)))
        dA, d0, dZ = newton.direction(at.P, gA, g0, rtol)
        step = _line_search(Q, y, Z, dZ, A, dA, sigma, objective, np.vdot(gA, dA) + g0 @ d0)
        if step is None:
            break
        t, at, objective = step
        A, a0, Z = A + t * dA, a0 + t * d0, Z + t * dZ
    if gap > tol:
        # Imported here: see ccc.results.
        from sklearn.exceptions import ConvergenceWarning

        warnings.warn(
            f"MAP at sigma = {sigma:g}: gap {gap:.2g} above the tolerance {tol:.2g} "
            f"after {n_iter} Newton steps",
            ConvergenceWarning,
            stacklevel=2,
        )
    return MapFit(Q @ A, Q @ a0, objective, gap, n_iter, at)


def _ridge(A: Floats, sigma: float) -> float:
    return float(np.vdot(A, A)) / (2 * sigma**2)


def _gap(
    Q: Floats,
    at: Likelihood,
    A: Floats,
    loss_gradient: Floats,
    counts: Floats,
    class_sums: Floats,
    sigma: float,
) -> float:
    """The bound of the module's docstring at P' = (1 - t) P + t 1 w'.

    t is the smallest weight for which some distribution w makes the column sums of P' equal the
    class counts, that is P' - Y dual feasible.
    """
    excess = at.R.sum(axis=1)
    t = max(0.0, float(np.max(excess / (counts + excess))))
    n = counts.sum()
    w = np.maximum(t * counts - (1 - t) * excess, 0.0)
    w = w / w.sum() if w.sum() > 0 else counts / n
    divergence = _divergence(at, t * (w[:, None] - at.P)) if t > 0 else 0.0
    mixed = (1 - t) * loss_gradient + t * Q.T @ (np.outer(w, class_sums.sum(axis=0)) - class_sums)
    residual = A / sigma**2 + mixed
    return divergence + 0.5 * sigma**2 * float(np.vdot(residual, residual))


def _divergence(at: Likelihood, change: Floats) -> float:
    r""":math:`\sum_s \mathrm{KL}(p_s + \delta_s \Vert p_s)` for changes δ that sum to zero.

    Small relative changes go through log1p: the plain formula would leave n times the rounding
    error of a float, more than the gap to be shown.
    """
    P = at.P + change
    terms = xlogy(P, P) - P * at.log_P - change
    small = np.abs(change) < 1e-3 * at.P
    p, r = at.P[small], change[small] / at.P[small]
    terms[small] = p * ((1 + r) * np.log1p(r) - r)
    return float(terms.sum())


def _line_search(
    Q: Floats,
    y: NDArray[np.int64],
    Z: Floats,
    dZ: Floats,
    A: Floats,
    dA: Floats,
    sigma: float,
    objective: float,
    slope: float,
) -> tuple[float, Likelihood, float] | None:
    """The first of 1, 1/2, 1/4, ... with a sufficient decrease; None if rounding hides any.

    The scores are linear in the step, so a trial costs O(n c) and no product with X.
    """
    slack = 1e-13 * max(1.0, objective)
    t = 1.0
    for _ in range(MAX_HALVINGS):
        at = likelihood(Q, Z + t * dZ, y)
        value = at.loss + _ridge(A + t * dA, sigma)
        if value <= objective + 1e-4 * t * slope + slack:
            return t, at, value
        t /= 2
    return None


def gram_side_pays(X: Design) -> bool:
    """Whether an (n, n) factor costs less per product than X itself."""
    return X.shape[0] ** 2 < stored(X)


def gram_side(X: Design) -> Design:
    r"""An (n, r) design :math:`\hat X` with :math:`\hat X \hat X^T = X X^T`.

    By the representer theorem the optimal B lies in the row space of X, where X and its factor
    differ by a rotation: same scores, same prior density, at most n unknowns per class. Any subset
    of rows of the factor stands for the same rows of X.
    """
    M = X.matrix
    K = (M @ M.T).toarray() if X.is_sparse else M @ M.T
    if X.shift is not None:
        cross = np.asarray(M @ X.shift)
        K = K - cross[:, None] - cross[None, :] + X.shift @ X.shift
    values, vectors = scipy.linalg.eigh(K, driver="evd")
    keep = values > 1e-15 * values[-1]
    return Design(np.ascontiguousarray(vectors[:, keep] * np.sqrt(values[keep])))


def _fit_on_gram_side(
    X: Design,
    y: NDArray[np.int64],
    c: int,
    sigma: float,
    start: tuple[Floats, Floats] | None,
    tol: float,
) -> MapFit:
    r"""The MAP through the factor :math:`\hat X = X V`, V orthonormal: :math:`B = \hat B V^T`.

    The columns of the factor are orthogonal, so :math:`V = X^T \hat X \Lambda^{-1}` with their
    squared norms Λ.
    """
    factor = gram_side(X)
    F = factor.matrix
    V = F / np.einsum("nr,nr->r", F, F)
    if start is not None:
        start = scores(X, start[0]) @ V, start[1]
    fit = fit_map(factor, y, c, sigma, start, tol)
    return replace(fit, B=tscores(X, np.ascontiguousarray(fit.B @ V.T)))
