"""Where to draw: in axes of the user, or in a new figure that a notebook shows."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

__all__ = ["panels"]

WIDTH, HEIGHT = 4.2, 3.2
MANY, NARROW = 3, 2.6  # panels in a row, and how wide they are then


def panels(ax: Any, count: int) -> NDArray[Any]:
    """``count`` axes: those in ``ax`` if it is not None."""
    if ax is None:
        columns = min(count, MANY if count <= 2 * MANY else 5)
        rows = -(-count // columns)
        wide = WIDTH if columns == 1 else NARROW
        _, grid = plt.subplots(
            rows,
            columns,
            figsize=(wide * columns + 0.6, HEIGHT if rows == 1 else 2.4 * rows),
            sharey=True,
            squeeze=False,
            layout="constrained",
        )
        for panel in grid.flat[count:]:
            panel.remove()
        return grid.flat[:count]
    axes = np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
    if len(axes) != count:
        raise ValueError(f"ax must hold {count} axes, got {len(axes)}")
    return axes
