r"""Convex clustering of covariates (Chi and Lange, 2015), certified, for a whole grid of γ.

.. math:: \min_U \tfrac12 \sum_i \lVert a_i - u_i \rVert^2
          + \gamma \sum_{i<j} w_{ij} \lVert u_i - u_j \rVert,
          \qquad w_{ij} = e^{-\phi \lVert a_i - a_j \rVert^2}

Covariates i and j are in one cluster iff u_i = u_j.

Weights of a Gaussian kernel span sixty orders of magnitude. Those that cannot matter are left out,
and what they are worth at most goes into the gap:

.. math:: \gamma \sum_{\text{left out}} w_{ij} \lVert u_i - u_j \rVert \le \gamma
          \sum_{\text{left out}} w_{ij} (\lVert u_i - a_i \rVert + \lVert a_i - a_j \rVert
          + \lVert a_j - u_j \rVert) .

Then the points fall into connected components, each a problem of its own
(:class:`ccc.baselines.fusion.ConnectedPoints`) that is over once it is one cluster.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform
from threadpoolctl import threadpool_limits

from ccc.baselines.fusion import ConnectedPoints, induced
from ccc.baselines.pairs import groups_of
from ccc.clusterings import Clusterings
from ccc.graph import canonical_labels
from ccc.grid import gamma_grid
from ccc.magnitude import LARGEST, SMALLEST
from ccc.progress import Progress
from ccc.results import target_of, warn_of_gaps
from ccc.validation import check_design, check_nu, check_nus, check_positive

Array = NDArray[np.float64]

__all__ = ["convex_clustering_path", "convex_clustering_weights"]

WEIGHTS = ("dense", "knn")
LEFT_OUT = 1e-12  # what weights may be worth, relative to the objective, to be left out
FAR, STRIDE = 1e12, 1e3  # ratio of γ at which others lead from one to the next, and theirs
THREADED_SIZE = 2000  # points from which BLAS threads pay


def convex_clustering_weights(
    points: Any, weights: str = "dense", phi: float = 0.5, neighbours: int = 5
) -> Any:
    r"""(d, d) weights :math:`w_{ij} = e^{-\phi \lVert a_i - a_j \rVert^2}`, without diagonal.

    Parameters
    ----------
    points : (d, p) array
        One row per covariate.
    weights : {"dense", "knn"}
        ``"knn"`` keeps only pairs of which one is among the ``neighbours`` nearest of the other,
        as a sparse matrix; of equally near ones the first.
    phi : float
    neighbours : int
    """
    return _weights(squareform(pdist(_check_points(points))), weights, phi, neighbours)


def _check_points(points: Any) -> Array:
    """Points whose distances have squares; the weights do not depend on differences alone."""
    A = check_design(points, "points", LARGEST).toarray()
    spread = float(np.ptp(A, axis=0).max())
    if 0 < spread < SMALLEST:
        raise ValueError(
            f"points differ by {spread:.2g} at most, too little to be squared: change their unit"
        )
    return A


def _weights(distances: Array, weights: str, phi: float, neighbours: int) -> Any:
    """The same from the distances."""
    if weights not in WEIGHTS:
        raise ValueError(f"weights must be one of {', '.join(map(repr, WEIGHTS))}, got {weights!r}")
    phi, d = check_nu(phi, "phi"), len(distances)
    W = np.exp(-phi * distances**2)
    np.fill_diagonal(W, 0.0)
    if weights == "dense":
        return W
    if not (isinstance(neighbours, int | np.integer) and neighbours >= 1):
        raise ValueError(f"neighbours must be a positive integer, got {neighbours!r}")
    others = distances.copy()
    np.fill_diagonal(others, np.inf)
    nearest = np.argsort(others, axis=1, kind="stable")[:, : min(int(neighbours), d - 1)]
    rows = np.repeat(np.arange(d), nearest.shape[1])
    near = sp.csr_array((np.ones(nearest.size), (rows, nearest.ravel())), shape=(d, d))
    return sp.csr_array(((near + near.T) > 0) * W)


def convex_clustering_path(
    points: Any,
    gammas: Any = None,
    *,
    weights: str = "dense",
    phi: float = 0.5,
    neighbours: int = 5,
    tol: float = 1e-6,
    progress: bool = False,
) -> Clusterings:
    r"""Clusterings of the rows of ``points`` for every γ.

    The gap is relative to the objective or, where that is larger, to its value with all points in
    one cluster, :math:`\tfrac12 \sum_i \lVert a_i - \bar a \rVert^2`.

    Parameters
    ----------
    points : (d, p) array
        One row per covariate; the paper takes the rows of S.
    gammas : (K,) array, optional
        Any order; by default the paper's 0, 1/300, ..., 5.
    weights, phi, neighbours
        See :func:`convex_clustering_weights`.
    tol : float
        Promised gap; a ``ConvergenceWarning`` tells where it is missed.
    progress : bool
        Show a bar on a terminal.

    Examples
    --------
    >>> import ccc
    >>> points = [[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [5.0, 5.1]]
    >>> path = ccc.baselines.convex_clustering_path(points, [0.0, 0.1])
    >>> path.labels
    array([[0, 1, 2, 3],
           [0, 0, 1, 1]])
    """
    start = time.perf_counter()
    A = _check_points(points)
    grid = gamma_grid() if gammas is None else check_nus(gammas, "gammas")
    tol = check_positive(tol, "tol")
    distances = squareform(pdist(A))
    W = _weights(distances, weights, phi, neighbours)
    d = len(A)
    size = 0.5 * float(np.sum((A - A.mean(axis=0)) ** 2))
    W, worth, share = _leave_out(W, distances, LEFT_OUT * size / max(float(grid.max()), 1e-300))
    labels = np.empty((len(grid), d), dtype=np.int64)
    gap = np.zeros(len(grid))
    limits = None if d > THREADED_SIZE else 1
    bar = Progress(len(grid), progress, symbol="γ")
    with threadpool_limits(limits, user_api="blas"), bar:
        parts = _components(A, W, target_of(tol) * size / d)
        for index in np.argsort(grid, kind="stable"):
            gamma = float(grid[index])
            total = primal = 0.0
            top, moved = 0, np.empty(d)
            for members, part in parts:
                if gamma > 0:
                    _approach(part, gamma)
                labels[index, members] = top + part.labels
                moved[members] = part.moved
                total, primal, top = total + part.gap, primal + part.primal, top + part.m
            total += gamma * (worth + float(share @ moved))
            gap[index] = total / max(primal, size) if total > 0 else 0.0
            if gamma == 0:
                # Nothing pulls: covariates are together iff their points are the same.
                labels[index] = np.unique(A, axis=0, return_inverse=True)[1].reshape(-1)
            labels[index] = canonical_labels(labels[index])
            bar.step(gamma, int(labels[index].max()) + 1, float(gap[index]))
    warn_of_gaps("convex clustering", "gamma", grid, gap, tol)
    return Clusterings("gamma", grid.copy(), labels, gap, time.perf_counter() - start)


def _approach(part: ConnectedPoints, gamma: float) -> None:
    """Move to ``gamma``, through others where the points would be lost in rounding beside it."""
    if not part.final:
        start = max(part.gamma, part.spread / float(part.W.max()))
        if gamma > FAR * start:
            count = int((np.log(gamma) - np.log(start)) / np.log(STRIDE)) + 2
            for on_the_way in np.geomspace(start, gamma, count)[:-1]:
                part.solve(float(on_the_way))
    part.solve(gamma)


def _leave_out(W: Any, distances: Array, allowed: float) -> tuple[Any, float, Array]:
    r"""Weights without the smallest, for which :math:`\sum w_{ij} \lVert a_i - a_j \rVert` is at
    most ``allowed``; that sum, and of each point the sum of its weights left out."""
    dense = W.toarray() if sp.issparse(W) else W
    # Equal points are never parted: their weight is worth nothing, but it keeps them together.
    heads, tails = np.nonzero(np.triu((dense > 0) & (distances > 0), 1))
    values = dense[heads, tails]
    order = np.argsort(values)
    worth = np.cumsum((values * distances[heads, tails])[order])
    count = int(np.searchsorted(worth, allowed, side="right"))
    out = order[:count]
    ends = np.concatenate([heads[out], tails[out]])
    share = np.bincount(ends, np.tile(values[out], 2), len(dense)).astype(np.float64)
    kept = dense.copy()
    kept[heads[out], tails[out]] = kept[tails[out], heads[out]] = 0.0
    if sp.issparse(W):
        kept = sp.csr_array(kept)
    return kept, float(worth[count - 1]) if count else 0.0, share


def _components(A: Array, W: Any, target: float) -> list[tuple[NDArray[np.int64], ConnectedPoints]]:
    """Members and problem of each connected component of the weights."""
    labels = connected_components(sp.csr_array(W), directed=False)[1]
    return [
        (group, ConnectedPoints(A[group], induced(W, group), target)) for group in groups_of(labels)
    ]
