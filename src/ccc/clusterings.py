"""What a method makes of its grid: one clustering for every value of its parameter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.storage import Stored

__all__ = ["Clusterings"]


@dataclass(frozen=True)
class Clusterings(Stored):
    """Clusterings along a grid; :func:`ccc.select` takes them like a :class:`ccc.Path`.

    Attributes
    ----------
    parameter : {"k", "gamma", "nu"}
        What ``nus`` are values of.
    nus : (K,) array
    labels : (K, d) array
        Cluster of each covariate, 0..m-1 in order of first appearance.
    gap : (K,) array
        Relative duality gap; nan where the method has none.
    seconds : float
        For all of them.
    """

    parameter: str
    nus: NDArray[np.float64]
    labels: NDArray[np.int64]
    gap: NDArray[np.float64]
    seconds: float

    def __len__(self) -> int:
        return len(self.nus)

    @property
    def n_clusters(self) -> NDArray[np.int64]:
        """(K,) number of clusters."""
        return self.labels.max(axis=1) + 1

    @classmethod
    def join(cls, parts: Sequence[Clusterings]) -> Clusterings:
        """Stretches of one grid, one after the other."""
        return cls(
            parameter=parts[0].parameter,
            nus=np.concatenate([part.nus for part in parts]),
            labels=np.concatenate([part.labels for part in parts]),
            gap=np.concatenate([part.gap for part in parts]),
            seconds=sum(part.seconds for part in parts),
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per value of the parameter: the value, clusters, gap."""
        columns = {self.parameter: self.nus, "n_clusters": self.n_clusters, "gap": self.gap}
        return pd.DataFrame(columns)
