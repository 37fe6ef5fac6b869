"""Figures of the workflow, which are returned and not written, and plots of an estimator."""

from ccc.plots.coefficients import plot_path
from ccc.plots.design import design_figure
from ccc.plots.evidence import evidence_figure
from ccc.plots.path import path_figure
from ccc.plots.real import compactness_figure, trust_figure
from ccc.plots.runtime import accuracy_figure, scaling_figure
from ccc.plots.scale import scale_figure
from ccc.plots.selection import plot_selection
from ccc.plots.style import save_figure
from ccc.plots.tree import legend_figure, plot_tree

__all__ = [
    "accuracy_figure",
    "compactness_figure",
    "design_figure",
    "evidence_figure",
    "legend_figure",
    "path_figure",
    "plot_path",
    "plot_selection",
    "plot_tree",
    "save_figure",
    "scale_figure",
    "scaling_figure",
    "trust_figure",
]
