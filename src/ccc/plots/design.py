"""The paper's figure of a synthetic design."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from ccc.plots.style import CLASS_COLOURS, style

__all__ = ["design_figure"]


def design_figure(
    labels: NDArray[Any], classes: NDArray[Any], S: NDArray[np.float64], count: int = 20
) -> Figure:
    """Cluster, class and similarity of the first covariates.

    Parameters
    ----------
    labels : (d,) array
        True cluster of each covariate, 0..m-1.
    classes : (d,) array
        The class that each covariate is associated with, 0..c-1.
    S : (d, d) array
        Similarity; covariates with a positive entry share a grey bar.
    count : int
        How many covariates are shown.
    """
    shown = min(count, len(labels))
    with style(axes_grid=False):
        figure = Figure(figsize=(6.3, 2.4))
        axes = figure.subplots()
        _row(axes, 1.0, labels[:shown] + 1, ["0.97"] * shown)
        _row(axes, 0.0, classes[:shown] + 1, [CLASS_COLOURS[k] for k in classes[:shown]])
        bars = _bars(S[:shown, :shown])
        for height, (first, last) in enumerate(bars):
            place = (first + 0.55, -0.75 - 0.5 * height)
            axes.add_patch(Rectangle(place, last - first + 0.9, 0.3, color="0.65"))
        lowest = -0.75 - 0.5 * (len(bars) - 1)
        axes.set_xlim(0.4, shown + 0.6)
        axes.set_ylim(lowest - 0.2, 2.0)
        axes.set_xticks(range(1, shown + 1))
        axes.set_yticks([1.4, 0.4, (lowest - 0.45) / 2], ["cluster", "class", "similarity"])
        axes.set_xlabel("covariate")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    return figure


def _row(axes: Any, bottom: float, numbers: NDArray[Any], colours: list[str]) -> None:
    """One line of boxes, a number in each."""
    for i, (number, colour) in enumerate(zip(numbers, colours, strict=True), start=1):
        axes.add_patch(Rectangle((i - 0.45, bottom), 0.9, 0.8, facecolor=colour, edgecolor="0.5"))
        axes.text(i, bottom + 0.38, str(number), ha="center", va="center")


def _bars(S: NDArray[np.float64]) -> list[tuple[int, int]]:
    """First and last covariate of each block of similar ones."""
    _, block = connected_components(S > 0, directed=False)
    places = (np.flatnonzero(block == b) for b in range(block.max() + 1))
    return [(int(place[0]), int(place[-1])) for place in places]
