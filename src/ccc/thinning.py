"""Some clusterings of a path, picked by how many clusters they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.clusterings import Clusterings

__all__ = ["nearest", "spread", "thinned"]


def nearest(counts: Any, wanted: float) -> int:
    """Position of the count nearest to ``wanted``; of two as near the smaller, then the first."""
    counts = np.asarray(counts)
    return int(np.lexsort((counts, np.abs(counts - wanted)))[0])


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
