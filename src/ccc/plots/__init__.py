"""Figures. Each function returns a matplotlib figure and writes nothing."""

from ccc.plots.design import design_figure
from ccc.plots.evidence import evidence_figure
from ccc.plots.path import path_figure
from ccc.plots.real import compactness_figure, trust_figure
from ccc.plots.runtime import accuracy_figure, scaling_figure
from ccc.plots.scale import scale_figure
from ccc.plots.style import save_figure

__all__ = [
    "accuracy_figure",
    "compactness_figure",
    "design_figure",
    "evidence_figure",
    "path_figure",
    "save_figure",
    "scale_figure",
    "scaling_figure",
    "trust_figure",
]
