"""Trees of clusters, as in the paper's appendix, laid out for the width of a column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from ccc.excerpt import NO_CLASS, Branch, excerpt
from ccc.hierarchy import Tree
from ccc.odds import ClassOdds
from ccc.plots.boxes import INCH, Box, Style, draw, flow, page, wrapped
from ccc.plots.outline import BETWEEN, GAP, Block, Looks, outline, shelves
from ccc.plots.style import style

__all__ = ["legend_figure", "plot_tree"]

COLUMN, TEXT, PAGE = 3.4, 7.0, 9.0  # inches: a column of print, two of them, the height of a page
MARGIN = 4.0
TITLE = 7.5
RAIL: Any = {"colors": "0.55", "linewidths": 0.7, "capstyle": "round", "zorder": 1}
NOTHING = "no cluster to show"


def plot_tree(
    tree: Tree,
    names: Sequence[str],
    odds: ClassOdds | None = None,
    roots: Iterable[int] | None = None,
    *,
    min_odds: float = 0.0,
    least: int = 0,
    most: int | None = None,
    always: Iterable[int] = (),
    levels: int | None = 6,
    width: float | None = None,
    title: str = "",
) -> Figure:
    """Clusters that come together as ν grows: nodes with their size, leaves with their name.

    Below is the odds ratio of the class that the node speaks for, which its colour shows, and
    beyond seven classes a number too; ``+n`` counts covariates that are not drawn.

    Parameters
    ----------
    tree : Tree
        :func:`ccc.hierarchy.path_tree` or :func:`ccc.hierarchy.cluster_tree`.
    names : (d,) sequence of str
        What to call the covariates.
    odds : ClassOdds, optional
        Its rows are the levels of the tree; without it nodes have no class.
    roots, min_odds, least, most, always, levels
        What to draw, see :func:`ccc.excerpt.excerpt`; all roots by default, and at most six
        levels between a root and its leaves.
    width : float, optional
        Inches. By default that of a column (3.4), or of two (7) if that were longer than a page.
    title : str
        Printed above.
    """
    branches = excerpt(
        tree,
        names,
        odds,
        roots,
        min_odds=min_odds,
        least=least,
        most=most,
        always=always,
        levels=levels,
    )
    classes = [] if odds is None else [str(label) for label in odds.classes]
    with style():
        sheet = _sheet(branches, classes, (width or COLUMN) * INCH, title)
        if width is None and sheet.height > PAGE * INCH:
            sheet = _sheet(branches, classes, TEXT * INCH, title)
        return sheet.figure()


def legend_figure(classes: Sequence[Any], width: float = COLUMN, title: str = "") -> Figure:
    """What colours, and beyond seven classes numbers, mean.

    Parameters
    ----------
    classes : sequence
        In the order of :attr:`ccc.odds.ClassOdds.classes`.
    width : float
        Inches.
    title : str
        Printed above.
    """
    with style():
        sheet = _Sheet(width * INCH, title)
        texts = [str(label) for label in classes]
        sheet.add(Looks(len(texts)).legend(texts, range(len(texts))))
        return sheet.figure()


class _Sheet:
    """What is placed, from the top downwards."""

    def __init__(self, width: float, title: str) -> None:
        self.width = width
        self.title = wrapped(title, width - 2 * MARGIN, TITLE)
        self.y = MARGIN + len(self.title) * 1.3 * TITLE + (GAP if self.title else 0.0)
        self.boxes: list[Box] = []
        self.rails: list[list[tuple[float, float]]] = []

    @property
    def height(self) -> float:
        return self.y + MARGIN

    def add(self, boxes: list[Box]) -> None:
        """Boxes like words of a text."""
        for line in flow(boxes, MARGIN, self.width - MARGIN, self.y, GAP):
            self.boxes += line
        if boxes:
            self.y = self.boxes[-1].y + self.boxes[-1].height

    def add_blocks(self, rows: list[list[tuple[float, Block]]]) -> None:
        """Clusters side by side, row below row."""
        for row in rows:
            for x, block in row:
                placed = block.at(MARGIN + x, self.y)
                self.boxes += placed.boxes
                self.rails += placed.rails
            self.y += max(block.height for _, block in row) + BETWEEN

    def figure(self) -> Figure:
        figure, axes = page(self.width, self.height)
        for number, line in enumerate(self.title):
            y = MARGIN + (number + 0.5) * 1.3 * TITLE
            look = {"fontsize": TITLE, "va": "center_baseline", "parse_math": False}
            axes.text(MARGIN, y, line, **look)
        axes.add_collection(LineCollection(self.rails, **RAIL), autolim=False)
        draw(axes, self.boxes)
        return figure


def _sheet(branches: list[Branch], classes: list[str], width: float, title: str) -> _Sheet:
    """Clusters, then single covariates, then the classes that occur."""
    looks, sheet = Looks(len(classes)), _Sheet(width, title)
    inside = width - 2 * MARGIN
    clusters = [outline(root, looks, inside) for root in branches if not root.is_leaf]
    sheet.add_blocks(shelves(clusters, inside))
    sheet.add([looks.leaf(branch) for branch in branches if branch.is_leaf])
    sheet.add([] if branches else [Box(NOTHING, "", Style())])
    occurring = {node.leading for root in branches for node in _nodes(root)} - {NO_CLASS}
    if occurring:
        sheet.y += BETWEEN
        sheet.add(looks.legend(classes, sorted(occurring)))
    return sheet


def _nodes(root: Branch) -> list[Branch]:
    """A branch and all that is below it."""
    found = [root]
    for branch in found:
        found += [*branch.leaves, *branch.inner]
    return found
