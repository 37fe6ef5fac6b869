"""What happens along ν: ANMI and number of clusters, with the selected point."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from ccc.plots.style import LINE, SELECTED, headline, style

__all__ = ["path_figure"]

TRUTH: Any = {"color": "0.3", "linestyle": "--", "linewidth": 0.9, "label": "true number"}


def path_figure(scores: pd.DataFrame, n_true: int, title: str = "") -> Figure:
    """ANMI (above) and number of clusters (below) along ν / n, a column per n.

    Parameters
    ----------
    scores : DataFrame
        ``n, repetition, nu, anmi, n_clusters, selected``, a row per ν and repetition.
    n_true : int
        The true number of clusters, drawn as a dashed line.
    title : str
        Printed above the figure.
    """
    sizes = sorted(scores["n"].unique())
    with style():
        figure = Figure(figsize=(2.3 * len(sizes) + 0.9, 3.8))
        grid = figure.subplots(2, len(sizes), sharex=True, sharey="row", squeeze=False)
        for column, n in enumerate(sizes):
            cell = scores[scores["n"] == n]
            _lines(grid[0, column], cell, "anmi")
            _lines(grid[1, column], cell, "n_clusters")
            grid[0, column].set_title(f"n = {n}")
            grid[0, column].set_ylim(-0.05, 1.05)
            grid[1, column].axhline(n_true, **TRUTH)
            grid[1, column].set_xscale("log", base=2)
            grid[1, column].set_yscale("log")
            grid[1, column].set_xlabel("ν / n")
        grid[0, 0].set_ylabel("ANMI")
        grid[1, 0].set_ylabel("number of clusters")
        _integer_ticks(grid[1, 0], int(scores["n_clusters"].max()), n_true)
        handles, names = grid[1, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=3)
        headline(figure, title)
    return figure


def _lines(axes: Any, cell: pd.DataFrame, column: str) -> None:
    for i, (_, path) in enumerate(cell.groupby("repetition")):
        x = path["nu"] / path["n"]
        chosen = path["selected"].to_numpy(dtype=bool)
        names = ("one repetition", "selected by the evidence") if i == 0 else (None, None)
        axes.plot(x, path[column], color=LINE, alpha=0.5, label=names[0])
        axes.scatter(x[chosen], path[column][chosen], 16, color=SELECTED, zorder=3, label=names[1])


def _integer_ticks(axes: Any, most: int, n_true: int) -> None:
    ticks = sorted({1, n_true, most})
    axes.set_yticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
