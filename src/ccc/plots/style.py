"""One look for all figures, and files that are the same from run to run."""

from __future__ import annotations

import os
import textwrap
from contextlib import AbstractContextManager
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from ccc.palette import OKABE_ITO
from ccc.storage import new_file

__all__ = ["CLASS_COLOURS", "LINE", "SELECTED", "headline", "save_figure", "style"]

CLASS_COLOURS = OKABE_ITO
LINE, SELECTED = "#0072B2", "#D55E00"

STYLE: Any = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "0.92",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.0,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 200,
    "pdf.fonttype": 42,
}


def style(**changes: Any) -> AbstractContextManager[None]:
    """The house style while a figure is drawn; ``axes_grid=False`` changes ``axes.grid``."""
    return matplotlib.rc_context(
        STYLE | {name.replace("_", ".", 1): value for name, value in changes.items()}
    )


def headline(figure: Figure, text: str) -> None:
    """A line above all panels, broken where the figure is narrower than the text."""
    if text:
        letters_per_inch = 12
        width = int(letters_per_inch * figure.get_figwidth())
        figure.suptitle(textwrap.fill(text, width), fontsize=9)


def save_figure(
    figure: Figure, pdf: str | os.PathLike[str], png: str | os.PathLike[str] | None = None
) -> None:
    """Write a figure as PDF and, if wanted, as PNG, without time stamps."""
    with style():
        with new_file(pdf) as file:
            figure.savefig(file, format="pdf", metadata={"CreationDate": None})
        if png is not None:
            with new_file(png) as file:
                figure.savefig(file, format="png", metadata={"Software": None})
