"""Agreement between clusterings."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccc.validation import check_classes

__all__ = ["anmi"]

AVERAGES = ("max", "arithmetic", "geometric", "min")


def anmi(labels_true: Any, labels: Any, average: str = "max") -> float:
    r"""Adjusted normalised mutual information.

    .. math::

        \frac{I(U, V) - \mathbb E[I(U, V)]}
             {\mathrm{avg}(H(U), H(V)) - \mathbb E[I(U, V)]}

    1 for equal partitions, about 0 for independent ones. The published tables match
    ``average="max"``; ``"arithmetic"`` is scikit-learn's default.

    Parameters
    ----------
    labels_true, labels : (d,) arrays
    average : {"max", "arithmetic", "geometric", "min"}

    Examples
    --------
    >>> import ccc
    >>> ccc.metrics.anmi([0, 0, 1, 1], [5, 5, 2, 2])
    1.0
    >>> ccc.metrics.anmi([0, 0, 1, 1], [0, 0, 0, 0])
    0.0
    """
    # Imported here: see ccc.results.
    from sklearn.metrics import adjusted_mutual_info_score

    if average not in AVERAGES:
        raise ValueError(
            f"average must be one of {', '.join(map(repr, AVERAGES))}, got {average!r}"
        )
    truth, found = np.asarray(labels_true), np.asarray(labels)
    if truth.ndim != 1 or not len(truth):
        raise ValueError(f"labels_true must be a non-empty vector, got shape {truth.shape}")
    if found.shape != truth.shape:
        raise ValueError(
            f"labels must have shape {truth.shape} like labels_true, got {found.shape}"
        )
    codes = check_classes(truth, "labels_true")[1], check_classes(found, "labels")[1]
    return float(adjusted_mutual_info_score(*codes, average_method=average))
