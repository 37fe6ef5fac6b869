r"""Block coordinate descent for the quadratic model of the group lasso.

.. math::

    \min_{\Delta} \; \langle G, \Delta \rangle + \tfrac12 \sum_s \delta\eta_s^T W_s \delta\eta_s
    + \lambda \lVert \Delta \rVert_F^2 + \gamma \sum_j \lVert b_j + \Delta_j \rVert_2 , \qquad
    \delta\eta_s = \sum_j x_{sj} \Delta_j + \Delta_0 .

W_s is given by two vectors, :math:`W_s v = a_s \circ v - q_s (q_s^T v)`: for class probabilities
a = q = p. A block is minimised exactly, through the eigenvectors of its curvature

.. math:: H_j = \sum_s x_{sj}^2 W_s + 2 \lambda I ,

and a covariate costs its stored entries times the number of classes k, whatever its centre is: with
:math:`x_{sj} = m_{sj} - \mu_j`, what a step does to all samples alike is kept in one vector t.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["curvatures", "sweep"]

# Sums over classes may be taken in any order, which lets them be vectorised.
ORDER = {"reassoc", "contract"}


@njit(cache=True, fastmath=ORDER)
def curvatures(
    indptr: Index,
    indices: Index,
    data: Array,
    shift: Array,
    columns: Index,
    a: Array,
    q: Array,
    total: Array,
) -> Array:
    """(w, k, k) matrices :math:`\\sum_s x_{sj}^2 W_s` of the given columns; ``total`` is ΣW_s."""
    k = a.shape[1]
    out = np.zeros((len(columns), k, k))
    for position in range(len(columns)):
        j = columns[position]
        mu = shift[j]
        H = out[position]
        for entry in range(indptr[j], indptr[j + 1]):
            s = indices[entry]
            # (m - mu)^2 for a stored entry, less the mu^2 that the total counts for every sample.
            w = data[entry] * (data[entry] - 2.0 * mu)
            for i in range(k):
                H[i, i] += w * a[s, i]
                for h in range(i + 1):
                    H[i, h] -= w * q[s, i] * q[s, h]
        for i in range(k):
            for h in range(i + 1):
                H[i, h] += mu * mu * total[i, h]
                H[h, i] = H[i, h]
    return out


@njit(cache=True, fastmath=ORDER)
def sweep(
    indptr: Index,
    indices: Index,
    data: Array,
    shift: Array,
    columns: Index,
    a: Array,
    q: Array,
    total: Array,
    values: Array,
    vectors: Array,
    gradient: Array,
    gamma: float,
    ridge: float,
    start: Array,
    B: Array,
    D: Array,
    t: Array,
    U: Array,
) -> float:
    """One pass over ``columns``, in place; the sum of squared steps in the metric of H.

    Parameters
    ----------
    values, vectors : (w, k) and (w, k, k) arrays
        Eigenvalues and eigenvectors of the blocks' curvatures, ridge included.
    gradient, start, B : (d, k) arrays
        Gradient of loss and ridge at ``start``, and the point that moves.
    D : (n, k) array
        What the stored entries add to the scores; with t it is δη.
    t : (k,) array
        What is added to the scores of every sample.
    U : (k,) array
        :math:`\\sum_s W_s \\delta\\eta_s`.
    """
    k = a.shape[1]
    g, r, x, step, moved = np.empty(k), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    progress = 0.0
    for position in range(len(columns)):
        j = columns[position]
        mu = shift[j]
        for i in range(k):
            g[i] = gradient[j, i] + 2.0 * ridge * (B[j, i] - start[j, i]) - mu * U[i]
        for entry in range(indptr[j], indptr[j + 1]):
            s, m = indices[entry], data[entry]
            inner = 0.0
            for i in range(k):
                inner += q[s, i] * (D[s, i] + t[i])
            for i in range(k):
                g[i] += m * (a[s, i] * (D[s, i] + t[i]) - q[s, i] * inner)
        V, lam = vectors[position], values[position]
        # In eigenvectors: r = V' (H b - g).
        for i in range(k):
            own, pull = 0.0, 0.0
            for h in range(k):
                own += V[h, i] * B[j, h]
                pull += V[h, i] * g[h]
            r[i] = lam[i] * own - pull
        minimise_block(lam, r, gamma, x)
        change = 0.0
        for h in range(k):
            new = 0.0
            for i in range(k):
                new += V[h, i] * x[i]
            step[h] = new - B[j, h]
            change = max(change, abs(step[h]))
        if change == 0.0:
            continue
        for i in range(k):
            along = 0.0
            for h in range(k):
                along += V[h, i] * step[h]
            progress += lam[i] * along * along
        move(indptr[j], indptr[j + 1], indices, data, mu, a, q, total, step, moved, D, t, U)
        for h in range(k):
            B[j, h] += step[h]
    return progress


@njit(cache=True, fastmath=ORDER)
def move(
    first: int,
    last: int,
    indices: Index,
    data: Array,
    mu: float,
    a: Array,
    q: Array,
    total: Array,
    step: Array,
    moved: Array,
    D: Array,
    t: Array,
    U: Array,
) -> None:
    """Add a column times ``step`` to the scores, and what follows to U; ``moved`` is scratch."""
    k = len(step)
    moved[:] = 0.0
    for entry in range(first, last):
        s, m = indices[entry], data[entry]
        inner = 0.0
        for i in range(k):
            D[s, i] += m * step[i]
            inner += q[s, i] * step[i]
        for i in range(k):
            moved[i] += m * (a[s, i] * step[i] - q[s, i] * inner)
    for i in range(k):
        pull = 0.0
        for h in range(k):
            pull += total[i, h] * step[h]
        U[i] += moved[i] - mu * pull
        t[i] -= mu * step[i]


@njit(cache=True, fastmath=ORDER)
def minimise_block(lam: Array, r: Array, gamma: float, x: Array) -> None:
    r"""Minimise :math:`\tfrac12 x^T \Lambda x - r^T x + \gamma \lVert x \rVert` into ``x``.

    Zero if :math:`\lVert r \rVert \le \gamma`; else :math:`x_i = \rho r_i / (\lambda_i \rho +
    \gamma)`, where the norm ρ is the root of :math:`\varphi(\rho)^{-1/2} = 1` with
    :math:`\varphi(\rho) = \sum_i r_i^2 / (\lambda_i \rho + \gamma)^2`. The left side is concave in
    ρ and increasing, so that Newton's method rises to the root from zero without fail.
    """
    k = len(r)
    norm2 = 0.0
    for i in range(k):
        norm2 += r[i] * r[i]
    if norm2 <= gamma * gamma:
        x[:] = 0.0
        return
    if gamma == 0.0:
        for i in range(k):
            x[i] = r[i] / lam[i]
        return
    rho = 0.0
    for _ in range(100):
        phi, slope = 0.0, 0.0
        for i in range(k):
            weight = lam[i] * rho + gamma
            term = r[i] * r[i] / (weight * weight)
            phi += term
            slope += term * lam[i] / weight
        # Newton on phi^(-1/2) - 1, whose derivative is slope * phi^(-3/2).
        increment = (np.sqrt(phi) - 1.0) * phi / slope
        rho += increment
        if increment <= 1e-14 * rho:
            break
    for i in range(k):
        x[i] = rho * r[i] / (lam[i] * rho + gamma)
