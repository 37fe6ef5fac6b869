r"""k-means clustering of covariates for every k, from one Gram matrix.

.. math:: \min_{\mathscr C} \sum_{c} \sum_{i \in c} \lVert a_i - \bar a_c \rVert^2,
          \qquad \lVert a_i - \bar a_c \rVert^2 = K_{ii} - \frac{2}{n_c} \sum_{j \in c} K_{ij}
          + \frac{1}{n_c^2} \sum_{j, l \in c} K_{jl}, \quad K = A A^T

Lloyd's iterations from k-means++ seeds (Arthur and Vassilvitskii, 2007), the greedy kind of
scikit-learn: each new centre is the best of 2 + log k draws. In terms of K an iteration costs d²
whatever k and p are, and distances for seeding are computed once for all k; that is why this is not
scikit-learn's ``KMeans``, which needs minutes for what takes seconds here
(``benchmarks/baselines.py``). Equal points are kept as one point with a weight.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ccc.clusterings import Clusterings
from ccc.graph import canonical_labels
from ccc.magnitude import scaled
from ccc.progress import Progress
from ccc.validation import check_design, check_whole

Array = NDArray[np.float64]
Index = NDArray[np.int64]

__all__ = ["kmeans_path"]

ITERATIONS = 300


def kmeans_path(
    points: Any,
    ks: Any = None,
    *,
    n_init: int = 1,
    random_state: int = 0,
    progress: bool = False,
) -> Clusterings:
    """Clusterings of the rows of ``points`` into k clusters, for every k.

    Where fewer than k points are distinct there are fewer clusters.

    Parameters
    ----------
    points : (d, p) array
        One row per covariate; the paper takes the rows of S.
    ks : sequence of int, optional
        By default 1..d.
    n_init : int
        Seedings per k, of which the one with the smallest sum of squares counts. One, as in
        scikit-learn for k-means++: over a grid of all k every k is a new start already.
    random_state : int
        The clustering for a k depends on it and on k, not on which other k are asked for.
    progress : bool
        Show a bar on a terminal.

    Examples
    --------
    >>> import ccc
    >>> data = ccc.data.make_synthetic("agreeing", d=40, n=400)
    >>> S = ccc.similarity.ledoit_wolf(data.X, data.y)
    >>> ccc.baselines.kmeans_path(S, [1, 10, 40]).n_clusters
    array([ 1, 10, 40])
    """
    start = time.perf_counter()
    A = check_design(points, "points").toarray()
    d = len(A)
    grid = np.arange(1, d + 1) if ks is None else _check_ks(ks, d)
    if not (isinstance(n_init, int | np.integer) and n_init >= 1):
        raise ValueError(f"n_init must be a positive integer, got {n_init!r}")
    check_whole(random_state, "random_state", 0)
    distinct, inverse, counts = np.unique(A, axis=0, return_inverse=True, return_counts=True)
    K, D2 = gram(distinct)
    weights = counts.astype(np.float64)
    labels = np.empty((len(grid), d), dtype=np.int64)
    with Progress(len(grid), progress, symbol="k") as bar:
        for row, k in enumerate(grid):
            rng = np.random.default_rng([random_state, int(k)])
            found = best_of(K, D2, weights, int(k), n_init, rng)
            labels[row] = canonical_labels(found[inverse.reshape(-1)])
            bar.step(float(k), int(labels[row].max()) + 1, float("nan"))
    gap = np.full(len(grid), np.nan)
    seconds = time.perf_counter() - start
    return Clusterings("k", grid.astype(np.float64), labels, gap, seconds)


def _check_ks(ks: Any, d: int) -> Index:
    values = np.asarray(ks)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"ks must be a non-empty vector, got shape {values.shape}")
    if values.dtype.kind not in "iu":
        raise ValueError(f"ks must hold integers, got {values.dtype}")
    for k in values:
        if not 1 <= k <= d:
            raise ValueError(f"ks must be between 1 and the number of points {d}, got {k}")
    return values.astype(np.int64)


def gram(A: Array) -> tuple[Array, Array]:
    """K of the centred points, which loses fewest digits, and their squared distances.

    Of points whose squares are no numbers it is that of points in another unit.
    """
    A = scaled(A)[0]
    centred = scaled(A - A.mean(axis=0))[0]
    K = centred @ centred.T
    own = np.einsum("ii->i", K)
    D2 = np.maximum(own[:, None] + own - 2 * K, 0.0)
    np.fill_diagonal(D2, 0.0)
    return K, D2


def best_of(
    K: Array, D2: Array, weights: Array, k: int, n_init: int, rng: np.random.Generator
) -> Index:
    """Labels of the best of ``n_init`` runs."""
    best, labels = np.inf, np.empty(0, dtype=np.int64)
    for _ in range(n_init):
        draws = rng.random((k, 2 + int(np.log(k))))
        seeds = plus_plus(D2, weights, k, draws)
        found, inertia = lloyd(K, D2, weights, seeds, ITERATIONS)
        if inertia < best:
            best, labels = inertia, found
    return labels


@njit(cache=True)
def plus_plus(D2: Array, weights: Array, k: int, draws: Array) -> Index:
    """Greedy k-means++: positions of at most k distinct points, from uniform ``draws``.

    Row c of the draws, (k, trials), gives the candidates for centre c.
    """
    m = len(weights)
    seeds = np.empty(min(k, m), np.int64)
    cumulated = np.cumsum(weights)
    seeds[0] = min(np.searchsorted(cumulated, draws[0, 0] * cumulated[-1], side="right"), m - 1)
    nearest = D2[seeds[0]].copy()
    for c in range(1, len(seeds)):
        cumulated = np.cumsum(weights * nearest)
        if not cumulated[-1] > 0.0:
            return seeds[:c]
        best = -1
        least = np.inf
        for t in range(draws.shape[1]):
            x = np.searchsorted(cumulated, draws[c, t] * cumulated[-1], side="right")
            # Rounding may put a draw on, or past, points that are already chosen.
            x = min(x, m - 1)
            while nearest[x] == 0.0:
                x = (x + 1) % m
            total = 0.0
            for i in range(m):
                total += weights[i] * min(nearest[i], D2[x, i])
            if total < least:
                least = total
                best = x
        seeds[c] = best
        for i in range(m):
            nearest[i] = min(nearest[i], D2[best, i])
    return seeds


@njit(cache=True)
def lloyd(K: Array, D2: Array, weights: Array, seeds: Index, limit: int) -> tuple[Index, float]:
    """Lloyd's iterations from centres at the points ``seeds``: labels and sum of squares.

    An empty cluster is moved to the point farthest from its centre, as in scikit-learn, unless that
    point is a cluster of its own.
    """
    m, k = len(weights), len(seeds)
    labels = np.zeros(m, np.int64)
    distance = D2[seeds[0]].copy()
    for c in range(1, k):
        for i in range(m):
            if D2[seeds[c], i] < distance[i]:
                distance[i] = D2[seeds[c], i]
                labels[i] = c
    sums = np.empty((k, m))
    for _ in range(limit):
        relocate(labels, distance, k)
        new = assign(K, weights, labels, sums, distance)
        same = True
        for i in range(m):
            same = same and new[i] == labels[i]
        labels = new
        if same:
            break
    inertia = 0.0
    for i in range(m):
        inertia += weights[i] * distance[i]
    return labels, inertia


@njit(cache=True)
def relocate(labels: Index, distance: Array, k: int) -> None:
    """Give every empty cluster the farthest point that is not alone, in place."""
    count = np.zeros(k, np.int64)
    for c in labels:
        count[c] += 1
    empty = 0
    for c in range(k):
        empty += count[c] == 0
    if empty == 0:
        return
    order = np.argsort(-distance)
    position = 0
    for c in range(k):
        if count[c] > 0:
            continue
        while position < len(order) and count[labels[order[position]]] < 2:
            position += 1
        if position == len(order) or distance[order[position]] <= 0.0:
            return
        i = order[position]
        count[labels[i]] -= 1
        labels[i] = c
        count[c] = 1
        position += 1


@njit(cache=True)
def assign(K: Array, weights: Array, labels: Index, sums: Array, distance: Array) -> Index:
    """The nearest centre of the clusters ``labels`` for every point; distances to it, squared."""
    k, m = sums.shape
    size = np.zeros(k)
    sums[:, :] = 0.0
    for j in range(m):
        c, w = labels[j], weights[j]
        size[c] += w
        for i in range(m):
            sums[c, i] += w * K[j, i]
    own = np.zeros(k)
    for j in range(m):
        own[labels[j]] += weights[j] * sums[labels[j], j]
    new = np.zeros(m, np.int64)
    distance[:] = np.inf
    for c in range(k):
        if size[c] == 0.0:
            continue
        shift = own[c] / size[c] ** 2
        factor = 2.0 / size[c]
        for i in range(m):
            # Without K_ii, which does not matter for the choice.
            t = shift - factor * sums[c, i]
            if t < distance[i]:
                distance[i] = t
                new[i] = c
    for i in range(m):
        distance[i] = max(distance[i] + K[i, i], 0.0)
    return new
