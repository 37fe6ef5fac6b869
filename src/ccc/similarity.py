"""Similarity matrices: from data, or from embeddings of the covariates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform

from ccc.magnitude import scaled
from ccc.validation import check_design, check_labels

__all__ = ["embedding_similarity", "ledoit_wolf"]


def ledoit_wolf(X: Any, y: Any) -> NDArray[np.float64]:
    r"""Within-class covariance by Ledoit–Wolf shrinkage, negative entries set to zero (Section 4).

    :math:`S_{ij} = \max(\hat\Sigma_{ij}, 0)`, where :math:`\hat\Sigma` is estimated from the pooled
    samples after each class has been centred. Eq. (1) never uses the diagonal, which holds the
    variances; methods that compare rows of S do.

    A constant column of X, which would be similar to nothing, is a ``ValueError`` that names it.
    """
    # Imported here: see ccc.results.
    from sklearn.covariance import ledoit_wolf as shrunk_covariance

    design = check_design(X)
    _, codes = check_labels(y, design.shape[0])
    dense = design.toarray()
    constant = (dense == dense[0]).all(axis=0)
    if constant.any():
        j = int(np.argmax(constant))
        raise ValueError(f"column {j} of X is constant, {dense[0, j]} in every row")
    centred, exponent = scaled(dense)
    for code in range(codes.max() + 1):
        centred[codes == code] -= centred[codes == code].mean(axis=0)
    # The shrinkage needs fourth powers: what is left may be much smaller than X.
    centred, further = scaled(centred)
    S = np.maximum(shrunk_covariance(centred, assume_centered=True)[0], 0.0)
    with np.errstate(over="ignore"):
        S = np.ldexp(0.5 * (S + S.T), 2 * (exponent + further))
    if not (S.max() < np.inf and (S.max() > np.finfo(float).tiny or not centred.any())):
        raise ValueError(
            f"X has entries up to {np.abs(dense).max():.2g}, whose covariances are no numbers: "
            "change its unit"
        )
    return S


def embedding_similarity(vectors: Any, normalise: bool = True) -> NDArray[np.float64]:
    r"""Similarity of covariates with embeddings w (Section 5).

    .. math:: S_{ij} = \exp\bigl(-\tfrac12 \lVert w_i - w_j \rVert_2^2\bigr)

    Parameters
    ----------
    vectors : (d, p) array
        One row per covariate.
    normalise : bool
        Scale every vector to length 1 first, so that S is between :math:`e^{-2}` and 1. The paper's
        text does not say so, but the authors' code does, and without it similarities of word
        vectors are as good as zero.

    Examples
    --------
    >>> import ccc
    >>> ccc.similarity.embedding_similarity([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]).round(3)
    array([[1.   , 1.   , 0.368],
           [1.   , 1.   , 0.368],
           [0.368, 0.368, 1.   ]])
    """
    W = check_design(vectors, "vectors").toarray()
    if normalise:
        W = scaled(W, axis=1)[0]
        norms = np.linalg.norm(W, axis=1)
        if (norms == 0).any():
            row = int(np.argmin(norms))
            raise ValueError(f"vectors has zeros only in row {row}, which has no direction")
        W = W / norms[:, None]
    # A distance beyond all numbers is a similarity of zero.
    return np.asarray(np.exp(-0.5 * squareform(pdist(W, "sqeuclidean"))))
