r"""The multinomial logistic model in Helmert coordinates.

.. math:: B = Q A, \quad \beta_0 = Q a_0, \quad Q^T Q = I_{c-1}, \quad Q^T \mathbf 1 = 0 .

Adding the same vector to all rows of B changes no probability but costs prior density, so the rows
of the MAP sum to zero and c - 1 coordinates per covariate suffice. Q is orthonormal:
:math:`\lVert A \rVert_F = \lVert B \rVert_F`, and the ridge keeps its form.

Arrays are class-major, (c, n) or (c - 1, n): a thin matrix on the left of a product with the design
is up to twice as fast as one on its right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.design import Design

__all__ = [
    "Floats",
    "Likelihood",
    "likelihood",
    "scores",
    "stored",
    "tscores",
    "weighted_gram",
]

Floats = NDArray[np.float64]


def stored(X: Design) -> int:
    """Number of stored entries: what a product with X costs."""
    return int(X.matrix.nnz if X.is_sparse else X.matrix.size)


def scores(X: Design, A: Floats) -> Floats:
    r"""The (k, n) products :math:`A \tilde X^T` of a (k, m) matrix ``A``."""
    out = np.asarray((X.matrix @ A.T).T) if X.is_sparse else A @ X.matrix.T
    return out if X.shift is None else out - (A @ X.shift)[:, None]


def tscores(X: Design, U: Floats) -> Floats:
    r"""The (k, m) products :math:`U \tilde X` of a (k, n) matrix ``U``."""
    out = np.asarray((X.matrix.T @ U.T).T) if X.is_sparse else U @ X.matrix
    return out if X.shift is None else out - np.multiply.outer(U.sum(axis=1), X.shift)


def weighted_gram(X: Design, w: Floats) -> Floats:
    r"""The dense (m, m) matrix :math:`\sum_s w_s \tilde x_s \tilde x_s^T`."""
    if X.is_sparse:
        G = (X.matrix.T @ (sp.diags_array(w) @ X.matrix)).toarray()
    else:
        G = (X.matrix * w[:, None]).T @ X.matrix
    if X.shift is None:
        return np.asarray(G)
    cross = np.multiply.outer(X.shift, np.asarray(X.matrix.T @ w))
    return np.asarray(G - cross - cross.T + w.sum() * np.multiply.outer(X.shift, X.shift))


@dataclass(frozen=True)
class Likelihood:
    """The loss at one set of scores.

    Attributes
    ----------
    loss : float
        :math:`-\\sum_s \\log p_{y_s s}`.
    P : (c, n) array
        Class probabilities.
    log_P : (c, n) array
        Their logarithms, finite also where ``P`` underflows.
    R : (c, n) array
        Residuals ``P - Y``; the own class holds minus the sum of the others, which keeps its
        relative precision where the probability of the own class rounds to one.
    """

    loss: float
    P: Floats
    log_P: Floats
    R: Floats

    def variances(self) -> Floats:
        """:math:`p (1 - p)`, (c, n): |R| is 1 - p for the own class and p for the others."""
        size = np.abs(self.R)
        return size * (1.0 - size)


def likelihood(Q: Floats, Z: Floats, y: NDArray[np.int64]) -> Likelihood:
    """Loss, probabilities and residuals at Helmert scores ``Z`` (c - 1, n)."""
    log_P = Q @ Z
    log_P -= log_P.max(axis=0)
    P = np.exp(log_P)
    total = P.sum(axis=0)
    P /= total
    log_P -= np.log(total)
    rows = np.arange(len(y))
    R = P.copy()
    R[y, rows] = 0.0
    R[y, rows] = -R.sum(axis=0)
    return Likelihood(-float(log_P[y, rows].sum()), P, log_P, R)
