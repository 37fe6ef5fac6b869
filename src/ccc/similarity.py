"""Similarity matrices estimated from data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.covariance import ledoit_wolf as shrunk_covariance

from ccc.validation import check_design, check_labels

__all__ = ["ledoit_wolf"]


def ledoit_wolf(X: Any, y: Any) -> NDArray[np.float64]:
    r"""Within-class covariance by Ledoit–Wolf shrinkage, negative entries set to zero (Section 4).

    :math:`S_{ij} = \max(\hat\Sigma_{ij}, 0)`, where :math:`\hat\Sigma` is estimated from the pooled
    samples after each class has been centred. Eq. (1) never uses the diagonal, which holds the
    variances; methods that compare rows of S do.

    A constant column of X, which would be similar to nothing, is a ``ValueError`` that names it.
    """
    design = check_design(X)
    _, codes = check_labels(y, design.shape[0])
    centred = design.toarray()
    constant = np.ptp(centred, axis=0) == 0
    if constant.any():
        j = int(np.argmax(constant))
        raise ValueError(f"column {j} of X is constant, {centred[0, j]} in every row")
    for code in range(codes.max() + 1):
        centred[codes == code] -= centred[codes == code].mean(axis=0)
    S = np.maximum(shrunk_covariance(centred, assume_centered=True)[0], 0.0)
    return 0.5 * (S + S.T)
