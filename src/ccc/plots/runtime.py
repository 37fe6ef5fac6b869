"""Figures of the runtime experiments: how time grows with the problem, and what it buys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ccc.plots.style import CLASS_COLOURS, headline, style
from ccc.tables.runtime import SOLVER_NAMES

__all__ = ["accuracy_figure", "growth", "scaling_figure"]

WIDTH, HEIGHT = 2.3, 2.1
ORDER = list(SOLVER_NAMES)
COLOURS = dict(zip(ORDER, np.array(CLASS_COLOURS)[[5, 4, 2, 0, 3]], strict=True))
MARKERS = dict(zip(ORDER, "*osD^", strict=True))
APART = 0.085  # least distance of two labels, as a share of the axis
LEGEND = 1.45  # inches that an entry of the legend takes


def growth(sizes: Any, seconds: Any) -> float:
    """The p of the least-squares fit time ~ size^p; nan for fewer than two sizes."""
    sizes, seconds = np.asarray(sizes, dtype=float), np.asarray(seconds, dtype=float)
    known = np.isfinite(seconds) & (seconds > 0)
    if known.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(sizes[known]), np.log(seconds[known]), 1)[0])


def scaling_figure(frame: pd.DataFrame, title: str = "") -> Figure:
    """Seconds per path over d (above) and over n (below), a line per solver, with exponents.

    Filled marks are measured, hollow ones extrapolated, arrows say "at least". At the end of a line
    stands p of the fit time ~ size^p, lower bounds left out.

    Parameters
    ----------
    frame : DataFrame
        What :func:`ccc.tables.runtime_frame` returns.
    title : str
        Printed above the figure.
    """
    panels = max(frame["n"].nunique(), frame["d"].nunique())
    with style():
        figure = Figure(figsize=(WIDTH * panels + 0.6, 2 * HEIGHT + 0.8))
        grid = figure.subplots(2, panels, sharey=True, squeeze=False)
        ends = []
        for row, (over, fixed) in zip(grid, [("d", "n"), ("n", "d")], strict=True):
            values = sorted(frame[fixed].unique())
            for axes, value in zip(row, values, strict=False):
                labels = _scaling_panel(axes, frame[frame[fixed] == value], over)
                ends.append((axes, labels))
                axes.set_title(f"{fixed} = {value}")
                axes.set_xlabel(over)
            for axes in row[len(values) :]:
                axes.remove()
            row[0].set_ylabel("seconds per path")
        # All panels share their vertical axis, so that its limits are known only now. Marks must
        # not touch the lower end, and above the highest line there must be room for the labels.
        low, high = grid[0, 0].get_ylim()
        grid[0, 0].set_ylim(low / 2, 30 * high)
        for axes, labels in ends:
            _write_apart(axes, labels)
        _legend(figure)
        headline(figure, title)
    return figure


def _scaling_panel(axes: Any, cells: pd.DataFrame, over: str) -> list[tuple[float, str, str]]:
    """Lines and marks; of each line its end, its exponent as text and its colour."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = []
    for method in [name for name in ORDER if name in set(cells["method"])]:
        line = cells[cells["method"] == method].sort_values(over)
        seconds, bounds = 60 * line["mean"], 60 * line["at_least"]
        colour, marker = COLOURS[method], MARKERS[method]
        axes.plot(line[over], seconds, color=colour, zorder=2)
        # For the legend: the marks themselves differ in their filling.
        axes.plot([], [], marker, color=colour, label=SOLVER_NAMES[method])
        for size, value, bound, basis in zip(
            line[over], seconds, bounds, line["basis"], strict=True
        ):
            fill = colour if basis == "path" else "white"
            height = bound if np.isnan(value) else value
            axes.plot([size], [height], marker, mec=colour, mfc=fill, ms=5, zorder=3)
            if np.isnan(value) and not np.isnan(bound):
                arrow = {"arrowstyle": "->", "color": colour}
                place = {"xytext": (size, bound), "annotation_clip": False}
                axes.annotate("", (size, 12 * bound), arrowprops=arrow, **place)
        power = growth(line[over], seconds)
        if np.isfinite(power):
            labels.append((float(seconds.dropna().iloc[-1]), f"{power:.1f}", colour))
    sizes = sorted(cells[over].unique())
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.set_xlim(sizes[0] / 1.5, sizes[-1] * 3)
    return labels


def _write_apart(axes: Any, labels: list[tuple[float, str, str]]) -> None:
    """Labels near the right edge, at their heights, moved up where they would meet."""
    low, high = np.log10(axes.get_ylim())
    lowest = -np.inf
    for value, text, colour in sorted(labels):
        height = max(np.log10(value), lowest)
        axes.text(axes.get_xlim()[1] / 1.9, 10**height, text, color=colour, va="center", fontsize=7)
        lowest = height + APART * (high - low)


def _legend(figure: Figure) -> None:
    """One legend below all panels, with every solver that any of them shows."""
    handles: dict[str, Any] = {}
    for axes in figure.axes:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    names = [name for name in SOLVER_NAMES.values() if name in handles]
    columns = min(len(names), max(2, int(figure.get_figwidth() / LEGEND)))
    figure.legend(
        [handles[name] for name in names], names, loc="outside lower center", ncols=columns
    )


def accuracy_figure(points: pd.DataFrame, title: str = "") -> Figure:
    """Certified relative gap over seconds at some ν, a panel each, a line per solver.

    Parameters
    ----------
    points : DataFrame
        ``solver, nu, setting, seconds, gap``, a row per run, in the order in which they are
        joined; those without a gap are left out.
    title : str
        Printed above the figure.
    """
    points = points[points["gap"].notna()]
    values = sorted(points["nu"].unique(), reverse=True)
    with style():
        figure = Figure(figsize=((WIDTH + 0.2) * len(values) + 0.6, 2.9))
        grid = figure.subplots(1, len(values), sharex=True, sharey=True, squeeze=False)[0]
        for axes, nu in zip(grid, values, strict=True):
            axes.set_xscale("log")
            axes.set_yscale("log")
            here = points[points["nu"] == nu]
            for method in [name for name in ORDER if name in set(here["solver"])]:
                runs = here[here["solver"] == method]
                axes.plot(
                    runs["seconds"],
                    np.maximum(runs["gap"], 1e-17),
                    f"{MARKERS[method]}-",
                    ms=10 if method == "exact" else 4,
                    color=COLOURS[method],
                    label=SOLVER_NAMES[method],
                )
            axes.set_title(f"ν = {nu:.3g}")
            axes.set_xlabel("seconds, from cold")
        grid[0].set_ylabel("certified relative gap")
        _legend(figure)
        headline(figure, title)
    return figure
