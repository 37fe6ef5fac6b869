"""Figure of simulated runs: time and use of the cores against their number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ccc.plots.style import CLASS_COLOURS, LINE, SELECTED, headline, style

__all__ = ["scale_figure"]

BOUND = CLASS_COLOURS[2]
HELD = "0.8"


def scale_figure(frame: pd.DataFrame, title: str = "") -> Figure:
    """Makespan (left) and utilisation (right) over the number of cores.

    On the left with what no order of the jobs can go below: the work shared evenly, and the
    critical path; a second line where the jobs that are timed hold some cores each and not the
    machine. On the right bars, without that line: what computes, and what is held by jobs that are
    timed.

    Parameters
    ----------
    frame : DataFrame
        What :func:`ccc.tables.scale_frame` returns.
    title : str
        Printed above the figure.
    """
    main = frame["timed"] == frame["timed"].iloc[0]
    frame, other = frame[main], frame[~main]
    cores = frame["cores"].to_numpy()
    with style():
        figure = Figure(figsize=(6.2, 2.7))
        time, use = figure.subplots(1, 2)
        _time_panel(time, frame, cores)
        for timed, rows in other.groupby("timed"):
            minutes = rows["makespan_seconds"] / 60
            time.plot(rows["cores"], minutes, "s--", color=LINE, ms=3, label=f"timed: {timed}")
            _values(time, rows["cores"], minutes, below=True)
        places = np.arange(len(cores))
        use.bar(places, 100 * frame["held"], color=HELD, label="held by what runs alone")
        use.bar(places, 100 * frame["utilisation"], color=LINE, label="computing")
        use.set_xticks(places, [str(count) for count in cores])
        use.set_xlabel("cores")
        use.set_ylabel("% of the cores' time")
        use.set_ylim(0, 100)
        use.grid(visible=False, axis="x")
        time.legend(loc="upper right")
        use.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
        headline(figure, title)
    return figure


def _time_panel(axes: Any, frame: pd.DataFrame, cores: Any) -> None:
    minutes = frame["makespan_seconds"] / 60
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.plot(cores, minutes, "o-", color=LINE, ms=4, label="simulated run", zorder=3)
    work, longest = frame["work_seconds"] / 60, frame["critical_path_seconds"] / 60
    axes.plot(cores, work / cores, "--", color=BOUND, label="work / cores")
    axes.plot(cores, longest, ":", color=SELECTED, label="critical path")
    _values(axes, cores, minutes)
    axes.set_xticks(cores, [str(count) for count in cores])
    axes.minorticks_off()
    axes.set_xlabel("cores")
    axes.set_ylabel("minutes")


def _values(axes: Any, cores: Any, minutes: Any, below: bool = False) -> None:
    """Minutes beside their points."""
    for count, value in zip(cores, minutes, strict=True):
        axes.annotate(
            f"{value:.0f}" if value >= 10 else f"{value:.1f}",
            (count, value),
            xytext=(4, -9 if below else 4),
            textcoords="offset points",
            fontsize=7,
            color=LINE,
        )
