r"""Newton directions for the MAP: :math:`H \delta = -g` in Helmert coordinates.

.. math::

    H = \sum_s W_s \otimes \begin{pmatrix} x_s \\ 1 \end{pmatrix} \begin{pmatrix} x_s \\ 1
    \end{pmatrix}^T + \frac{1}{\sigma^2} I_{c-1} \otimes \begin{pmatrix} I_m & \\ & 0 \end{pmatrix},
    \quad W_s = Q^T (\mathrm{diag}(p_s) - p_s p_s^T) Q .

Few unknowns: H is formed and factorised. Many: conjugate gradients with products by X only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from ccc.design import Design
from ccc.selection.coordinates import Floats, scores, tscores, weighted_gram

__all__ = [
    "EXPLICIT_UNKNOWNS",
    "cg_direction",
    "class_weights",
    "explicit_direction",
    "loss_hessian",
]

# Forming H costs O(n m^2 c^2), a conjugate gradient step O(n m c): about even here.
EXPLICIT_UNKNOWNS = 300


def class_weights(Q: Floats, P: Floats) -> Floats:
    """The matrices W_s as a (c - 1, c - 1, n) array."""
    k = Q.shape[1]
    M = Q.T @ P
    pairs = (Q[:, :, None] * Q[:, None, :]).reshape(len(Q), k * k)
    return (pairs.T @ P).reshape(k, k, -1) - M[:, None, :] * M[None, :, :]


def loss_hessian(X: Design, W: Floats, intercepts: bool) -> Floats:
    r"""The Hessian of the loss, without the prior: (k p, k p) with p = m + 1, or p = m.

    Unknown (a, j) sits at position a p + j; the intercept, if any, is the last j of its class.
    """
    k, (_, m) = len(W), X.shape
    p = m + intercepts
    H = np.empty((k, p, k, p))
    for a in range(k):
        for b in range(a + 1):
            block = np.empty((p, p))
            block[:m, :m] = weighted_gram(X, W[a, b])
            if intercepts:
                block[m, :m] = block[:m, m] = tscores(X, W[a, b][None])[0]
                block[m, m] = W[a, b].sum()
            H[a, :, b], H[b, :, a] = block, block.T
    return H.reshape(k * p, k * p)


def explicit_direction(
    X: Design, W: Floats, gA: Floats, g0: Floats, sigma: float
) -> tuple[Floats, Floats, Floats]:
    """Direction (dA, d0) by Cholesky, with the change dZ of the scores."""
    k, m = gA.shape
    H = loss_hessian(X, W, intercepts=True)
    ridge = np.full((k, m + 1), sigma**-2)
    # The intercepts carry no prior; where all weights vanish this keeps the factor finite.
    ridge[:, m] = 1e-14 * sigma**-2
    H[np.diag_indices_from(H)] += ridge.ravel()
    step = cho_solve(cho_factor(H, lower=True), -np.hstack([gA, g0[:, None]]).ravel())
    dA, d0 = step.reshape(k, m + 1)[:, :m], step.reshape(k, m + 1)[:, m]
    return dA, d0, scores(X, np.ascontiguousarray(dA)) + d0[:, None]


def cg_direction(
    X: Design,
    Q: Floats,
    P: Floats,
    squares: NDArray[np.float64],
    gA: Floats,
    g0: Floats,
    sigma: float,
    rtol: float,
    max_iter: int,
) -> tuple[Floats, Floats, Floats]:
    """Direction (dA, d0) by conjugate gradients with the diagonal of H as preconditioner.

    ``squares`` holds the diagonal of the loss part, (c - 1, m + 1). The change dZ of the scores is
    summed up on the way: no product is spent on it. Stops at a preconditioned residual of ``rtol``
    times the first one.
    """
    k, m = gA.shape
    inverse = 1.0 / np.maximum(squares + np.append(np.full(m, sigma**-2), 0.0), 1e-300)
    x, r = np.zeros((k, m + 1)), -np.hstack([gA, g0[:, None]])
    dZ = np.zeros((k, X.shape[0]))
    s = inverse * r
    p = s.copy()
    rs = first = float(np.vdot(r, s))
    for _ in range(max_iter):
        pZ = scores(X, np.ascontiguousarray(p[:, :m])) + p[:, m:]
        V = Q @ pZ
        V -= np.einsum("kn,kn->n", P, V)
        V *= P
        U = Q.T @ V
        Hp = np.hstack([tscores(X, U) + p[:, :m] / sigma**2, U.sum(axis=1, keepdims=True)])
        curvature = float(np.vdot(p, Hp))
        if curvature <= 0:  # only by rounding: H is positive semi-definite
            break
        alpha = rs / curvature
        x += alpha * p
        dZ += alpha * pZ
        r -= alpha * Hp
        s = inverse * r
        rs, previous = float(np.vdot(r, s)), rs
        if rs <= rtol**2 * first:
            break
        p = s + (rs / previous) * p
    return x[:, :m], x[:, m], dZ
