"""Coefficients of the covariates along ν: they run together where clusters form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from ccc.names import cluster_titles, covariate_names
from ccc.plots.panels import panels
from ccc.plots.style import CLASS_COLOURS, style

if TYPE_CHECKING:
    from ccc.estimator import ConvexCovariateClustering

__all__ = ["plot_path"]

ALONE = "0.7"
COUNTS = 6  # numbers of clusters that are written above


def plot_path(estimator: ConvexCovariateClustering, ax: Any = None) -> Any:
    """Coefficients of Eq. (1) over ν, a line per covariate; the dashed line is the chosen ν.

    The largest clusters there have colours, smaller ones and single covariates are grey. The
    numbers above count clusters. Covariates are standardised where the estimator standardises
    them, and its ``coef_`` come from the second step unless ``refit=False``.

    Parameters
    ----------
    estimator : fitted ConvexCovariateClustering
        With a path, that is with a ``nu`` that is not a number.
    ax : matplotlib Axes, or an array of them, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    Axes, or array of Axes
        For two classes one with the log-odds of ``classes_[1]``; else one for every class.
    """
    path = estimator.path_
    if len(path) < 2:
        raise ValueError(
            f"plot_path needs a path, got the solution at nu = {estimator.nu_:g} alone: fit with "
            "nu='evidence' or nu='cv'"
        )
    two = len(path.classes) == 2
    order = np.argsort(path.nus)
    nus, counts = path.nus[order], path.n_clusters[order]
    lines = (path.B[:, 1:] - path.B[:, :1] if two else path.B)[order]
    titles = cluster_titles(covariate_names(estimator), estimator.labels_)
    coloured = _coloured(estimator.labels_)
    colours = [coloured.get(int(k), ALONE) for k in estimator.labels_]
    with style():
        axes = panels(ax, lines.shape[1])
        for k, panel in enumerate(axes):
            segments = [np.column_stack([nus, line]) for line in lines[:, k].T]
            panel.add_collection(LineCollection(segments, colors=colours, linewidths=0.9))
            panel.set_xscale("log")
            panel.autoscale_view()
            panel.set_xlim(nus[0], nus[-1])
            panel.axvline(estimator.nu_, color="0.2", linestyle="--", linewidth=0.9)
            panel.set_xlabel("ν")
            _count_clusters(panel, nus, counts)
            if not two:
                panel.set_title(f"class {path.classes[k]}")
        axes[0].set_ylabel(f"log-odds of {path.classes[1]}" if two else "coefficient")
        handles = [Line2D([], [], color=colour) for colour in coloured.values()]
        if handles:
            # The lines meet towards the right.
            names = [titles[k] for k in coloured]
            box = {"frameon": True, "framealpha": 0.8, "edgecolor": "none"}
            axes[0].legend(handles, names, loc="upper right", fontsize=7, **box)
    return axes[0] if two else axes


def _coloured(labels: NDArray[np.int64]) -> dict[int, str]:
    """Colours of the largest clusters, the largest first."""
    sizes = np.bincount(labels)
    largest = [int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] > 1]
    return dict(zip(largest, CLASS_COLOURS, strict=False))


def _count_clusters(panel: Any, nus: NDArray[np.float64], counts: NDArray[np.int64]) -> None:
    """Numbers of clusters at some ν, on an axis above."""
    above = panel.secondary_xaxis("top")
    shown = np.unique(np.linspace(0, len(nus) - 1, COUNTS).round().astype(int))
    above.set_xticks(nus[shown], [str(count) for count in counts[shown]])
    above.xaxis.set_minor_locator(NullLocator())
    above.spines["top"].set_visible(False)
    above.tick_params(length=0, labelcolor="0.4", labelsize=7)
    above.set_xlabel("clusters", color="0.4", fontsize=7)
