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
    samples after each class has been centred; the diagonal, which Eq. (1) never uses, is zero.
    """
    design = check_design(X)
    _, codes = check_labels(y, design.shape[0])
    centred = design.toarray()
    for code in range(codes.max() + 1):
        centred[codes == code] -= centred[codes == code].mean(axis=0)
    S = np.maximum(shrunk_covariance(centred, assume_centered=True)[0], 0.0)
    np.fill_diagonal(S, 0.0)
    return 0.5 * (S + S.T)
