r"""The ``similarity`` of the estimator: a name, a function, or a matrix of the user.

``"rbf"`` and ``"knn"`` compare covariates by vectors :math:`w_i` of length one,

.. math:: S_{ij} = e^{-\gamma \lVert w_i - w_j \rVert^2} = e^{-2 \gamma (1 - \rho_{ij})} ,
          \quad \rho_{ij} = \langle w_i, w_j \rangle ,

with the γ = 1/2 of Section 5. Where the user has no such vectors (``vectors``, a row per covariate)
they are the columns of X after each class has been centred, so that ρ is the correlation within
classes. ``"knn"`` keeps of S the pairs of which one is among the ``n_neighbors`` nearest of the
other, and never forms the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.design import Design, Standardized
from ccc.magnitude import scaled
from ccc.similarity import ledoit_wolf
from ccc.validation import check_design, check_positive, check_similarity

__all__ = ["SIMILARITIES", "check_similarity_name", "knn", "rbf", "similarity_of"]

# Rows of S at a time: 4 MB of it at d = 1000.
BLOCK = 512

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def similarity_of(
    similarity: Any,
    params: Mapping[str, Any] | None,
    X: Design,
    y: Codes,
    names: NDArray[Any] | None = None,
) -> Any:
    """The checked (d, d) similarity of the columns of ``X``.

    Parameters
    ----------
    similarity : str, callable, array, sparse matrix or DataFrame
    params : arguments of a named similarity or of the function
    X, y : the covariates as Eq. (1) sees them, and class codes
    names : (d,) array, optional
        Names of the covariates; the rows of a DataFrame are put into their order.
    """
    params = dict(params or {})
    if isinstance(similarity, str):
        S = SIMILARITIES[similarity](X, y, **params)
    elif callable(similarity):
        S = similarity(_readable(X), y, **params)
    else:
        S = _in_order(similarity, names)
    return check_similarity(S, X.shape[1], "similarity")


def check_similarity_name(similarity: Any, params: Any) -> None:
    """A known name, or anything that is not a name; parameters only where they are used."""
    if params is not None and not isinstance(params, Mapping):
        raise ValueError(f"similarity_params must be a dictionary or None, got {params!r}")
    given = set(params or {})
    if isinstance(similarity, str):
        if similarity not in SIMILARITIES:
            raise ValueError(
                f"similarity must be one of {', '.join(map(repr, SIMILARITIES))}, a function or a "
                f"matrix, got {similarity!r}"
            )
        unknown = given - PARAMETERS[similarity]
        if unknown:
            known = ", ".join(sorted(PARAMETERS[similarity])) or "none"
            raise ValueError(
                f"similarity_params has {min(unknown)!r}; similarity {similarity!r} takes {known}"
            )
    elif given and not callable(similarity):
        raise ValueError(f"similarity_params is for a named similarity, got {sorted(given)}")


def shrunk(X: Design, y: Codes) -> Floats:
    """Ledoit–Wolf similarity (:func:`ccc.similarity.ledoit_wolf`).

    A constant column, which that function refuses, is similar to nothing here: users' tables have
    them, and cross-validation makes them.
    """
    dense = X.toarray()
    varies = np.flatnonzero(np.ptp(dense, axis=0) > 0)
    S = np.zeros((X.shape[1], X.shape[1]))
    if len(varies):
        S[np.ix_(varies, varies)] = ledoit_wolf(dense[:, varies], y)
    return S


def rbf(X: Design, y: Codes, *, gamma: float = 0.5, vectors: Any = None) -> Floats:
    """The dense similarity of the module's docstring."""
    check_positive(gamma, "gamma")
    blocks = [_kernel(block, gamma) for _, block in _correlations(X, y, vectors)]
    S = np.concatenate(blocks)
    return 0.5 * (S + S.T)


def knn(
    X: Design, y: Codes, *, n_neighbors: int = 10, gamma: float = 0.5, vectors: Any = None
) -> sp.csr_array:
    """The same for neighbours only: a sparse matrix with at most 2 d ``n_neighbors`` entries."""
    check_positive(gamma, "gamma")
    if not isinstance(n_neighbors, int | np.integer) or n_neighbors < 1:
        raise ValueError(f"n_neighbors must be an integer of at least 1, got {n_neighbors!r}")
    d = X.shape[1]
    k = min(int(n_neighbors), d - 1)
    S = sp.csr_array((d, d))
    if k == 0:
        return S
    rows, columns, values = [], [], []
    for first, block in _correlations(X, y, vectors):
        block[np.arange(len(block)), first + np.arange(len(block))] = -np.inf
        nearest = np.argpartition(-block, k - 1, axis=1)[:, :k]
        rows.append(np.repeat(first + np.arange(len(block)), k))
        columns.append(nearest.ravel())
        values.append(_kernel(np.take_along_axis(block, nearest, axis=1), gamma).ravel())
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    S = sp.csr_array(entries, shape=(d, d))
    S.eliminate_zeros()
    return S.maximum(S.T)


def _kernel(correlations: Floats, gamma: float) -> Floats:
    """exp(-2γ(1 - ρ)), and zero where there is no correlation (nan)."""
    return np.nan_to_num(np.exp(-2.0 * gamma * (1.0 - correlations)), nan=0.0)


def _correlations(X: Design, y: Codes, vectors: Any) -> Iterator[tuple[int, Floats]]:
    r"""Blocks of rows of ρ, each with the number of its first row; nan where :math:`w_i` is zero.

    With class means :math:`\mu_k` of the columns of a sparse M the scalar products are those of
    :math:`M^T M - \sum_k n_k \mu_k \mu_k^T`: nothing is densified.
    """
    if vectors is None:
        matrix, E = X.matrix, np.eye(y.max() + 1)[y]
        means = np.asarray(matrix.T @ E) / np.sqrt(E.sum(axis=0))
    else:
        matrix = scaled(check_design(vectors, "vectors").toarray(), axis=1)[0].T
        means = np.zeros((matrix.shape[1], 1))
        if matrix.shape[1] != X.shape[1]:
            raise ValueError(
                f"vectors must have {X.shape[1]} rows like the columns of X, got {matrix.shape[1]}"
            )
    squares = Design(matrix).weighted_squares(np.ones(matrix.shape[0]))
    left = squares - np.sum(means**2, axis=1)
    # What rounding leaves of a column that is constant within the classes is not a direction.
    length = np.sqrt(np.where(left > 1e-12 * squares, left, np.nan))
    for first in range(0, matrix.shape[1], BLOCK):
        rows = slice(first, first + BLOCK)
        products = matrix[:, rows].T @ matrix
        dense = products.toarray() if sp.issparse(products) else np.asarray(products)
        dense = (dense - means[rows] @ means.T) / np.multiply.outer(length[rows], length)
        yield first, np.clip(dense, -1.0, 1.0)


def _readable(X: Design) -> Any:
    """Covariates for a function of the user: an array, a sparse matrix, or ``ccc.Standardized``."""
    if X.shift is None:
        return X.matrix
    return Standardized(X.matrix, X.shift, np.ones(X.shape[1]))


def _in_order(S: Any, names: NDArray[Any] | None) -> Any:
    """The rows and columns of a DataFrame in the order of the covariates; else S itself."""
    if not isinstance(S, pd.DataFrame):
        return S
    if names is None or not len(S.index.intersection(list(names))):
        return S.to_numpy()
    missing = [name for name in names if name not in S.index or name not in S.columns]
    if missing:
        raise ValueError(f"similarity has no row and column for the covariate {missing[0]!r}")
    return S.loc[names, names].to_numpy()


SIMILARITIES: dict[str, Callable[..., Any]] = {"ledoit-wolf": shrunk, "rbf": rbf, "knn": knn}
PARAMETERS: dict[str, set[str]] = {
    "ledoit-wolf": set(),
    "rbf": {"gamma", "vectors"},
    "knn": {"gamma", "n_neighbors", "vectors"},
}
