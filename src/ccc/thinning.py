"""Some clusterings of a path, picked by how many clusters they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.clusterings import Clusterings

__all__ = ["nearest", "shown", "spread", "thinned"]


def nearest(counts: Any, wanted: float) -> int:
    """Position of the count nearest to ``wanted``; of two as near the smaller, then the first."""
    counts = np.asarray(counts)
    return int(np.lexsort((counts, np.abs(counts - wanted)))[0])


def shown(selected: Any, counts: Any, evidence: Any, d: int) -> int:
    """Position of the selected one; where that is no clustering, of the best by evidence that is.

    Parameters
    ----------
    selected : (K,) mask
        True at the selected one.
    counts, evidence : (K,) arrays
        Number of clusters and log marginal likelihood of each.
    d : int
        Number of covariates: with as many clusters each is by itself. If nothing on the path has
        fewer, the selected one it is.
    """
    chosen, counts = int(np.argmax(selected)), np.asarray(counts)
    joined = counts < d
    if counts[chosen] < d or not joined.any():
        return chosen
    return int(np.where(joined, evidence, -np.inf).argmax())


def spread(counts: Any, most: int, kept: Sequence[int] = ()) -> NDArray[np.int64]:
    """At most ``most`` positions, ascending, with ``kept`` among them: all if there are so few.

    Else their counts of clusters are spread evenly on a logarithmic scale.
    """
    counts = np.asarray(counts)
    if len(counts) <= most:
        return np.arange(len(counts))
    wanted = np.geomspace(counts.min(), counts.max(), most - len(kept))
    return np.unique([*kept, *(nearest(counts, count) for count in wanted)])


def thinned(path: Clusterings, positions: NDArray[np.int64]) -> Clusterings:
    """Only these clusterings of a path."""
    nus, labels, gap = (getattr(path, name)[positions] for name in ("nus", "labels", "gap"))
    return replace(path, nus=nus, labels=labels, gap=gap)
