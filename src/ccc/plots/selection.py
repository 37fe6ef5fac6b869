"""Why this clustering: the score of each over its number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.ticker import LogLocator, NullLocator

from ccc.plots.panels import panels
from ccc.plots.style import LINE, SELECTED, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ccc.estimator import ConvexCovariateClustering

__all__ = ["plot_selection"]

NAMES = {
    "log_marginal_likelihood": "log evidence, nats",
    "accuracy": "cross-validated accuracy",
    "log_probability": "cross-validated log-probability",
}
WIDE = 20  # numbers of clusters from which the axis is logarithmic


def plot_selection(estimator: ConvexCovariateClustering, ax: Any = None) -> Axes:
    """Scores of the clusterings along the path over their numbers of clusters; the ring is chosen.

    The line joins the best of each number. For cross-validation the bars are one standard
    deviation over the folds; the dotted line is what was good enough, and the fewest clusters
    above it win. With ``n_clusters`` the ring is where the user put it.

    Parameters
    ----------
    estimator : fitted ConvexCovariateClustering
        With a ``nu`` that is not a number.
    ax : matplotlib Axes, optional
        Where to draw; by default in a new figure.
    """
    selection = estimator.selection_
    if selection is None:
        raise ValueError(
            f"plot_selection needs scores along a path, got nu = {estimator.nu_:g} alone: fit "
            "with nu='evidence' or nu='cv'"
        )
    column, scores = selection.column, selection.scores
    best = scores.loc[scores.groupby("n_clusters")[column].idxmax()]
    with style():
        axes = panels(ax, 1)[0]
        axes.plot(best["n_clusters"], best[column], color=LINE, linewidth=0.8, alpha=0.6)
        if f"{column}_sd" in scores:
            axes.errorbar(
                best["n_clusters"],
                best[column],
                best[f"{column}_sd"],
                fmt="none",
                ecolor=LINE,
                elinewidth=0.7,
                alpha=0.35,
            )
            axes.axhline(selection.threshold, color="0.4", linestyle=":", linewidth=0.9)
        dots = scores.drop_duplicates(["n_clusters", column])
        axes.scatter(dots["n_clusters"], dots[column], 9, color=LINE, lw=0, label="clustering")
        axes.scatter(
            [selection.n_clusters],
            [selection.score],
            s=55,
            facecolor="none",
            edgecolor=SELECTED,
            linewidth=1.4,
            zorder=3,
            label=f"chosen: {_clusters(selection.n_clusters)}, ν = {selection.nu:.3g}",
        )
        _scale(axes, scores)
        axes.set_xlabel("number of clusters")
        axes.set_ylabel(NAMES[column])
        axes.legend(loc="lower right")
    return axes


def _clusters(count: int) -> str:
    return "1 cluster" if count == 1 else f"{count} clusters"


def _scale(axes: Any, scores: pd.DataFrame) -> None:
    """A logarithmic axis of plain numbers where there are many."""
    if scores["n_clusters"].max() > WIDE:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.xaxis.set_minor_locator(NullLocator())
