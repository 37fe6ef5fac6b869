"""Does the evidence know good clusterings? Evidence against ANMI along the paths."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from ccc.plots.style import LINE, SELECTED, headline, style

__all__ = ["evidence_figure"]

WIDTH, HEIGHT = 1.9, 1.45
LINEAR = 1e-3


def evidence_figure(scores: pd.DataFrame, title: str = "") -> Figure:
    """ANMI over the evidence of each distinct clustering, a row per d, a column per n.

    The evidence is shown as its distance from the best of its path, so that panels compare; the
    axis is logarithmic but for the last thousandth of a nat.

    Parameters
    ----------
    scores : DataFrame
        ``d, n, repetition, anmi, n_clusters, log_marginal_likelihood, selected``, a row per ν and
        repetition.
    title : str
        Printed above the figure.
    """
    rows, columns = sorted(scores["d"].unique()), sorted(scores["n"].unique())
    path = scores.groupby(["d", "n", "repetition"])["log_marginal_likelihood"]
    scores = scores.assign(below=path.transform("max") - scores["log_marginal_likelihood"])
    with style():
        size = (WIDTH * len(columns) + 0.8, HEIGHT * len(rows) + 1.0)
        figure = Figure(figsize=size)
        grid = figure.subplots(len(rows), len(columns), sharex=True, sharey=True, squeeze=False)
        for panels, d in zip(grid, rows, strict=True):
            for axes, n in zip(panels, columns, strict=True):
                _panel(axes, scores[(scores["d"] == d) & (scores["n"] == n)])
            panels[0].set_ylabel(f"d = {d}\nANMI")
        for axes, n in zip(grid[0], columns, strict=True):
            axes.set_title(f"n = {n}")
        _scale(grid[0, 0], float(scores["below"].max()))
        for axes in grid[-1]:
            axes.set_xlabel("nats below the best")
        handles, names = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
        headline(figure, title)
    return figure


def _panel(axes: Any, cell: pd.DataFrame) -> None:
    """Every clustering once per repetition, the selected ones ringed."""
    seen = ["repetition", "n_clusters", "anmi", "below"]
    # The selected row first, lest one that looks the same takes its place.
    ordered = cell.sort_values("selected", ascending=False, kind="stable")
    dots = ordered.drop_duplicates(seen)
    chosen = dots[dots["selected"]]
    axes.scatter(dots["below"], dots["anmi"], 7, color=LINE, alpha=0.5, lw=0, label="clustering")
    axes.scatter(
        chosen["below"],
        chosen["anmi"],
        s=26,
        facecolor="none",
        edgecolor=SELECTED,
        linewidth=1.1,
        zorder=3,
        clip_on=False,
        label="selected by the evidence",
    )
    axes.set_ylim(-0.08, 1.08)


def _scale(axes: Any, largest: float) -> None:
    """The best on the right; ticks at 0 and every other power of ten."""
    powers = [k for k in range(-2, 9, 2) if 10.0**k <= largest]
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.5)
    axes.set_xlim(3 * max(largest, LINEAR), -0.5 * LINEAR)
    axes.set_xticks([0, *(10.0**k for k in powers)], ["0", *(f"$10^{{{k}}}$" for k in powers)])
    axes.xaxis.set_minor_locator(NullLocator())
