r"""Every clustering of a path on data that neither it nor its model has seen (Section 5).

For a clustering 𝒞 the MAP of :mod:`ccc.selection.map` is estimated once: its evidence is that of
the samples it was estimated from, its accuracy

.. math:: \frac1{n'} \sum_{s'} \bigl[ y_{s'} = \arg\max_y f(y \mid x_{s'}^{\mathscr C}, \hat B,
          \hat\beta_0) \bigr]

that of the held-out ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.magnitude import LARGEST
from ccc.selection.clusterings import check_clusterings
from ccc.selection.laplace import check_hessian
from ccc.selection.scoring import score_clusterings
from ccc.validation import check_design, check_labels, check_sigma

__all__ = ["score_held_out"]


def score_held_out(
    clusterings: Any,
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    sigma: float,
    hessian: str = "diagonal",
    progress: bool = False,
) -> pd.DataFrame:
    """Evidence and held-out accuracy of each clustering.

    Neighbours in ``clusterings`` should be alike: each fit starts from the one before.

    Parameters
    ----------
    clusterings : (k, d) array
        Labels of the covariates, as integers of any kind.
    X, y : training samples, as in :func:`ccc.select`
    X_test, y_test : held-out samples
        Their classes must occur in ``y``.
    sigma : float
        Standard deviation of the prior.
    hessian : {"diagonal", "full"}
    progress : bool
        Show a bar on a terminal.

    Returns
    -------
    DataFrame
        A row per clustering: n_clusters, log_marginal_likelihood, gap (nats, of the MAP),
        heldout_accuracy, heldout_log_probability (mean).
    """
    design = check_design(X, largest=LARGEST)
    test = check_design(X_test, "X_test", LARGEST)
    if test.shape[1] != design.shape[1]:
        raise ValueError(f"X_test has {test.shape[1]} columns, X has {design.shape[1]}")
    classes, codes = check_labels(y, design.shape[0])
    codes_test = _codes(y_test, classes, test.shape[0])
    sigma = check_sigma(sigma)
    check_hessian(hessian)
    labels = check_clusterings(clusterings, len(clusterings), design.shape[1], "clusterings")
    held_out = test, codes_test
    found = score_clusterings(
        design, codes, len(classes), labels, sigma, hessian, held_out, progress
    )
    return pd.DataFrame(
        {
            "n_clusters": labels.max(axis=1) + 1,
            "log_marginal_likelihood": found.evidence,
            "gap": found.gap,
            "heldout_accuracy": found.right / len(codes_test),
            "heldout_log_probability": found.log_probability / len(codes_test),
        }
    )


def _codes(y: Any, classes: NDArray[Any], n: int) -> NDArray[np.int64]:
    """Positions among ``classes`` of the held-out labels."""
    values = np.asarray(y)
    if values.shape != (n,):
        raise ValueError(f"y_test must have shape ({n},), got {values.shape}")
    unknown = ~np.isin(values, classes)
    if unknown.any():
        raise ValueError(f"y_test has the class {values[unknown].tolist()[0]!r}, which y has not")
    return np.searchsorted(classes, values).astype(np.int64)
