r"""Compiled loops over pairs of nodes.

Coefficients are ``A`` (q, >= m), one column a node, in an orthonormal basis of the centred class
space; a further column (the intercepts) is left alone. *Far* pairs carry the smooth penalty
:math:`\nu W_{ij} \lVert v \rVert`, :math:`v = a_i - a_j`; they are visited row by row with the
inner loop over contiguous columns, which vectorises. *Near* pairs carry the envelope of the
augmented Lagrangian (:mod:`ccc.solvers.exact.pairs`); they are few and stand in a list.
"""

from __future__ import annotations

import numpy as np
from numba import njit

TINY = 1e-300
BLOCK = 64  # rows and columns of a matrix that are visited together when it is transposed


@njit(cache=True, fastmath=True, error_model="numpy")
def far_value_gradient(A, W, nu, radius, gradient):
    r"""Add the gradient of :math:`\nu \sum W_{ij} \lVert v_{ij} \rVert`; return it and a count.

    The count is of pairs with positive weight that are closer than ``radius``.
    """
    q, m = A.shape[0], W.shape[0]
    v = np.empty((q, m))
    r = np.empty(m)
    total = 0.0
    close = 0
    limit = radius * radius
    for i in range(m):
        for j in range(i + 1, m):
            r[j] = TINY
        for k in range(q):
            a = A[k, i]
            for j in range(i + 1, m):
                t = a - A[k, j]
                v[k, j] = t
                r[j] += t * t
        for j in range(i + 1, m):
            w = nu * W[i, j]
            close += 1 if (r[j] < limit and W[i, j] > 0.0) else 0
            norm = np.sqrt(r[j])
            total += w * norm
            r[j] = w / norm
        for k in range(q):
            row = 0.0
            for j in range(i + 1, m):
                t = r[j] * v[k, j]
                row += t
                gradient[k, j] -= t
            gradient[k, i] += row
    return total, close


@njit(cache=True, fastmath=True, error_model="numpy")
def far_curvature(A, W, nu, first, third):
    r"""Fill :math:`\nu W / \lVert v \rVert` and :math:`\nu W / \lVert v \rVert^3`, both (m, m)."""
    q, m = A.shape[0], W.shape[0]
    r = np.empty(m)
    for i in range(m):
        first[i, i] = 0.0
        third[i, i] = 0.0
        for j in range(i + 1, m):
            r[j] = TINY
        for k in range(q):
            a = A[k, i]
            for j in range(i + 1, m):
                t = a - A[k, j]
                r[j] += t * t
        for j in range(i + 1, m):
            b = nu * W[i, j] / np.sqrt(r[j])
            first[i, j] = b
            third[i, j] = b / r[j]
    for i0 in range(0, m, BLOCK):
        for j0 in range(i0, m, BLOCK):
            for i in range(i0, min(i0 + BLOCK, m)):
                for j in range(max(j0, i + 1), min(j0 + BLOCK, m)):
                    first[j, i] = first[i, j]
                    third[j, i] = third[i, j]


@njit(cache=True, fastmath=True, error_model="numpy")
def far_alignment(G, third, aligned):
    r"""Fill ``third`` times :math:`\langle a_i - a_j, V_i - V_j \rangle`, from ``G = A' V``."""
    m = len(G)
    for i0 in range(0, m, BLOCK):
        for j0 in range(i0, m, BLOCK):
            for i in range(i0, min(i0 + BLOCK, m)):
                for j in range(max(j0, i), min(j0 + BLOCK, m)):
                    t = third[i, j] * (G[i, i] + G[j, j] - G[i, j] - G[j, i])
                    aligned[i, j] = t
                    aligned[j, i] = t


@njit(cache=True, fastmath=True, error_model="numpy")
def far_hessian_product(A, W, nu, V, out):
    r"""Add :math:`\sum \nu W (I - \hat v \hat v^T) (V_i - V_j) / \lVert v \rVert` to ``out``."""
    q, m = A.shape[0], W.shape[0]
    v = np.empty((q, m))
    r = np.empty(m)
    dot = np.empty(m)
    for i in range(m):
        for j in range(i + 1, m):
            r[j] = TINY
            dot[j] = 0.0
        for k in range(q):
            a = A[k, i]
            x = V[k, i]
            for j in range(i + 1, m):
                t = a - A[k, j]
                v[k, j] = t
                r[j] += t * t
                dot[j] += t * (x - V[k, j])
        for j in range(i + 1, m):
            dot[j] = dot[j] / r[j]
            r[j] = nu * W[i, j] / np.sqrt(r[j])
        for k in range(q):
            x = V[k, i]
            row = 0.0
            for j in range(i + 1, m):
                t = r[j] * (x - V[k, j] - dot[j] * v[k, j])
                row += t
                out[k, j] -= t
            out[k, i] += row


@njit(cache=True, fastmath=True, error_model="numpy")
def far_hessian(A, W, nu, H, stride):
    """Add the Hessian of the far pairs to ``H``: blocks k <= kk, within a block i <= j.

    Entry ((k, i), (kk, j)) stands at ``H[k * stride + i, kk * stride + j]``.
    """
    q, m = A.shape[0], W.shape[0]
    v = np.empty((q, m))
    r = np.empty(m)
    b = np.empty(m)
    for i in range(m):
        for j in range(i + 1, m):
            r[j] = TINY
        for k in range(q):
            a = A[k, i]
            for j in range(i + 1, m):
                t = a - A[k, j]
                v[k, j] = t
                r[j] += t * t
        for j in range(i + 1, m):
            b[j] = nu * W[i, j] / np.sqrt(r[j])
            r[j] = 1.0 / r[j]
        for k in range(q):
            for kk in range(k, q):
                same = 1.0 if k == kk else 0.0
                row = 0.0
                for j in range(i + 1, m):
                    h = b[j] * (same - r[j] * v[k, j] * v[kk, j])
                    H[k * stride + i, kk * stride + j] -= h
                    H[k * stride + j, kk * stride + j] += h
                    row += h
                H[k * stride + i, kk * stride + i] += row


@njit(cache=True, error_model="numpy")
def mirror_blocks(H, q, stride, m):
    """Complete the off-diagonal blocks k < kk, which are symmetric, from their upper triangles."""
    for k in range(q):
        for kk in range(k + 1, q):
            for i0 in range(0, m, BLOCK):
                for j0 in range(i0, m, BLOCK):
                    for i in range(i0, min(i0 + BLOCK, m)):
                        for j in range(max(j0, i + 1), min(j0 + BLOCK, m)):
                            H[k * stride + j, kk * stride + i] = H[k * stride + i, kk * stride + j]


@njit(cache=True, fastmath=True, error_model="numpy")
def far_laplacian(A, W, nu, L):
    r"""Add the class-averaged far Hessian, weights :math:`\nu W (1 - 1/q) / \lVert v \rVert`."""
    q, m = A.shape[0], W.shape[0]
    factor = nu * (1.0 - 1.0 / q)
    r = np.empty(m)
    for i in range(m):
        for j in range(i + 1, m):
            r[j] = TINY
        for k in range(q):
            a = A[k, i]
            for j in range(i + 1, m):
                t = a - A[k, j]
                r[j] += t * t
        row = 0.0
        for j in range(i + 1, m):
            b = factor * W[i, j] / np.sqrt(r[j])
            L[i, j] -= b
            L[j, j] += b
            row += b
        L[i, i] += row


@njit(cache=True, error_model="numpy")
def close_pairs(A, W, radius, room):
    """Pairs with positive weight and ``||a_i - a_j|| < radius``."""
    q, m = A.shape[0], W.shape[0]
    heads = np.empty(room, np.int64)
    tails = np.empty(room, np.int64)
    r = np.empty(m)
    count = 0
    limit = radius * radius
    for i in range(m):
        for j in range(i + 1, m):
            r[j] = 0.0
        for k in range(q):
            a = A[k, i]
            for j in range(i + 1, m):
                t = a - A[k, j]
                r[j] += t * t
        for j in range(i + 1, m):
            if r[j] < limit and W[i, j] > 0.0:
                heads[count] = i
                tails[count] = j
                count += 1
    return heads[:count], tails[:count]


@njit(cache=True, fastmath=True, error_model="numpy")
def near_value_gradient(A, heads, tails, caps, U, delta, gradient):
    r"""Add the gradient of the envelopes; return their value, the penalty and the slack.

    With :math:`w = \bar u + v/\delta`, :math:`r = \lVert w \rVert`, :math:`p = \min(r, 1)`: the
    envelope is :math:`\nu W \delta (p r - p^2/2 - \lVert \bar u \rVert^2 / 2)`, its gradient
    :math:`\nu W\, w / \max(r, 1)`, and the slack :math:`\nu W (\lVert v \rVert - \langle w, v
    \rangle / \max(r, 1))`.
    """
    n_pairs, q = U.shape
    w = np.empty(q)
    value = 0.0
    penalty = 0.0
    slack = 0.0
    for e in range(n_pairs):
        i, j = heads[e], tails[e]
        r2 = 0.0
        v2 = 0.0
        u2 = 0.0
        wv = 0.0
        for k in range(q):
            v = A[k, i] - A[k, j]
            u = U[e, k]
            t = u + v / delta
            w[k] = t
            r2 += t * t
            v2 += v * v
            u2 += u * u
            wv += t * v
        r = np.sqrt(r2)
        p = min(r, 1.0)
        s = caps[e] / max(r, 1.0)
        value += caps[e] * delta * (p * r - 0.5 * p * p - 0.5 * u2)
        norm = caps[e] * np.sqrt(v2)
        penalty += norm
        slack += norm - s * wv
        for k in range(q):
            gradient[k, i] += s * w[k]
            gradient[k, j] -= s * w[k]
    return value, penalty, slack


@njit(cache=True, fastmath=True, error_model="numpy")
def near_dual_step(A, heads, tails, U, delta):
    r"""The multiplier step :math:`\bar u \leftarrow w / \max(r, 1)`, in place."""
    n_pairs, q = U.shape
    for e in range(n_pairs):
        i, j = heads[e], tails[e]
        r2 = 0.0
        for k in range(q):
            U[e, k] += (A[k, i] - A[k, j]) / delta
            r2 += U[e, k] ** 2
        if r2 > 1.0:
            r = np.sqrt(r2)
            for k in range(q):
                U[e, k] /= r


@njit(cache=True, fastmath=True, error_model="numpy")
def near_curvature(A, heads, tails, caps, U, delta, weights, unit):
    r"""Per pair: :math:`\nu W / (\delta \max(r, 1))` and :math:`w / r` (zero where r <= 1).

    The Hessian in v is ``weights * (I - unit unit')``.
    """
    n_pairs, q = U.shape
    for e in range(n_pairs):
        i, j = heads[e], tails[e]
        r2 = 0.0
        for k in range(q):
            unit[e, k] = U[e, k] + (A[k, i] - A[k, j]) / delta
            r2 += unit[e, k] ** 2
        r = np.sqrt(r2)
        weights[e] = caps[e] / (delta * max(r, 1.0))
        scale = 1.0 / r if r > 1.0 else 0.0
        for k in range(q):
            unit[e, k] *= scale


@njit(cache=True, fastmath=True, error_model="numpy")
def near_hessian_product(heads, tails, weights, unit, V, out):
    """Add the near pairs' Hessian times ``V`` to ``out``."""
    n_pairs, q = unit.shape
    for e in range(n_pairs):
        i, j = heads[e], tails[e]
        dot = 0.0
        for k in range(q):
            dot += unit[e, k] * (V[k, i] - V[k, j])
        for k in range(q):
            t = weights[e] * (V[k, i] - V[k, j] - dot * unit[e, k])
            out[k, i] += t
            out[k, j] -= t


@njit(cache=True, fastmath=True, error_model="numpy")
def near_hessian(heads, tails, weights, unit, H, stride):
    """Add the near pairs' Hessian to ``H`` in the layout of :func:`far_hessian`."""
    n_pairs, q = unit.shape
    for e in range(n_pairs):
        i, j = heads[e], tails[e]
        for k in range(q):
            for kk in range(k, q):
                h = -unit[e, k] * unit[e, kk]
                if k == kk:
                    h += 1.0
                h *= weights[e]
                H[k * stride + i, kk * stride + j] -= h
                H[k * stride + i, kk * stride + i] += h
                H[k * stride + j, kk * stride + j] += h


@njit(cache=True, fastmath=True, error_model="numpy")
def near_laplacian(heads, tails, weights, unit, L):
    """Add the class-averaged near Hessian to ``L`` (upper triangle)."""
    n_pairs, q = unit.shape
    for e in range(n_pairs):
        i, j = heads[e], tails[e]
        norm = 0.0
        for k in range(q):
            norm += unit[e, k] ** 2
        h = weights[e] * (1.0 - norm / q)
        L[i, j] -= h
        L[i, i] += h
        L[j, j] += h


@njit(cache=True, error_model="numpy")
def crossing_pairs(A, B, W):
    r"""Pairs with positive weight that all but meet, or cross, on the way from ``A`` to ``B``.

    That is, :math:`\langle v_A, v_B \rangle < \lVert v_A \rVert^2 / 4`.
    """
    q, m = A.shape[0], W.shape[0]
    heads = []
    tails = []
    dot = np.empty(m)
    for i in range(m):
        for j in range(i + 1, m):
            dot[j] = 0.0
        for k in range(q):
            a = A[k, i]
            b = B[k, i]
            for j in range(i + 1, m):
                t = a - A[k, j]
                dot[j] += t * (b - B[k, j] - 0.25 * t)
        for j in range(i + 1, m):
            if dot[j] < 0.0 and W[i, j] > 0.0:
                heads.append(i)
                tails.append(j)
    return np.array(heads, dtype=np.int64), np.array(tails, dtype=np.int64)


@njit(cache=True, fastmath=True, error_model="numpy")
def absorb(S, w, p, cap, force):
    """w <- clip(w + p_i - p_j) to norm ``cap``; force (q, N) <- sum_j S_ij w_ij; return max norm.

    ``w`` (N, q, N) is used above the diagonal only. The norm returned is that before clipping.
    """
    q, n = p.shape
    r = np.empty(n)
    force[:, :] = 0.0
    largest = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            r[j] = 0.0
        for k in range(q):
            a = p[k, i]
            for j in range(i + 1, n):
                t = w[i, k, j] + a - p[k, j]
                w[i, k, j] = t
                r[j] += t * t
        for j in range(i + 1, n):
            positive = 1.0 if S[i, j] > 0.0 else 0.0
            largest = max(largest, positive * r[j])
            r[j] = min(1.0, cap / np.sqrt(r[j] + 1e-300))
        for k in range(q):
            row = 0.0
            for j in range(i + 1, n):
                t = w[i, k, j] * r[j]
                w[i, k, j] = t
                t *= S[i, j]
                row += t
                force[k, j] -= t
            force[k, i] += row
    return np.sqrt(largest)
