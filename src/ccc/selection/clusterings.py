"""Clusterings of covariates as vectors of integers: checked, in canonical names, each once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.graph import canonical_labels

__all__ = ["check_clustering", "check_clusterings", "distinct_rows"]


def check_clustering(labels: Any, d: int, name: str = "labels") -> NDArray[np.int64]:
    """A clustering of d covariates, with clusters 0..m-1 in order of first appearance."""
    values = np.asarray(labels)
    if values.shape != (d,):
        raise ValueError(f"{name} must have shape ({d},) like the columns of X, got {values.shape}")
    if values.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {values.dtype}")
    return canonical_labels(values)


def check_clusterings(labels: Any, k: int, d: int, name: str) -> NDArray[np.int64]:
    """As many clusterings of d covariates as there are positions on a path, in rows; maybe none."""
    values = np.asarray(labels)
    if values.shape != (k, d):
        raise ValueError(
            f"{name} must have shape ({k}, {d}), a row per nu and a column per column of X; "
            f"got {values.shape}"
        )
    rows = [check_clustering(row, d, name) for row in values]
    return np.array(rows, dtype=np.int64).reshape(k, d)


def distinct_rows(labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct rows in order of first appearance, and for each row its place among them."""
    _, inverse = np.unique(labels, axis=0, return_inverse=True)
    from_first = np.unique(inverse.reshape(-1), return_index=True)[1]
    order = np.argsort(from_first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return labels[from_first[order]], rank[inverse.reshape(-1)]
