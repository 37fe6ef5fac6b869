"""Boxes with text, measured before they are placed, so that none covers another.

All lengths are points (1/72 inch); y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.textpath import TextToPath

from ccc.palette import dark, tinted

__all__ = ["INCH", "Box", "Style", "draw", "fitted", "flow", "page", "printable", "wrapped"]

INCH = 72.0
PADDING = 2.2  # between text and edge
LEADING = 1.22  # height of a line over the size of its letters
WORD, SMALL = 7.0, 6.0  # sizes of letters

_METRICS = TextToPath()


@dataclass(frozen=True)
class Style:
    """How a box looks: its colour, None for no box; a number on a patch of that colour."""

    colour: str | None = None
    number: str = ""
    bold: bool = False
    round: bool = False


@dataclass(frozen=True)
class Box:
    """One or two centred lines of text, the second smaller, in a box of a style."""

    text: str
    below: str
    style: Style
    x: float = 0.0
    y: float = 0.0

    @property
    def badge(self) -> float:
        """Width of the patch with the number."""
        number = self.style.number
        return text_width(number, SMALL, bold=True) + 2 * PADDING if number else 0.0

    @property
    def width(self) -> float:
        """With its badge and its edges."""
        text = text_width(self.text, WORD, self.style.bold)
        padding = PADDING + 1.5 if self.style.round else PADDING
        return max(text, text_width(self.below, SMALL)) + 2 * padding + self.badge

    @property
    def height(self) -> float:
        """With its edges."""
        return LEADING * (WORD + (SMALL if self.below else 0.0)) + 0.8 * PADDING

    @property
    def middle(self) -> float:
        """Where a line meets it from the side."""
        return self.y + self.height / 2

    def at(self, x: float, y: float) -> Box:
        """The same, elsewhere."""
        return replace(self, x=x, y=y)


@lru_cache(maxsize=20_000)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text in points."""
    if not text:
        return 0.0
    font = FontProperties(size=size, weight="bold" if bold else "normal")
    return float(_METRICS.get_text_width_height_descent(text, font, ismath=False)[0])


def printable(text: str) -> str:
    """Without what would break a line or leave no mark."""
    return "".join(letter if letter.isprintable() else "·" for letter in str(text)) or "·"


def fitted(box: Box, width: float) -> Box:
    """A box no wider than ``width``: what is too much of its text becomes an ellipsis."""
    if box.width <= width:
        return box
    lower, upper = 0, len(box.text)
    while lower < upper:
        middle = (lower + upper + 1) // 2
        if replace(box, text=f"{box.text[:middle]}…").width <= width:
            lower = middle
        else:
            upper = middle - 1
    return replace(box, text=f"{box.text[:lower]}…")


def flow(
    boxes: Iterable[Box], left: float, right: float, top: float, gap: float
) -> Iterator[list[Box]]:
    """Place boxes side by side from ``left`` to ``right``, line below line, from ``top`` on."""
    line: list[Box] = []
    x, y = left, top
    for box in boxes:
        box = fitted(box, right - left)
        if line and x + box.width > right:
            yield line
            x, y = left, y + max(b.height for b in line) + gap
            line = []
        line.append(box.at(x, y))
        x += box.width + gap
    if line:
        yield line


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines of text no wider than ``width``; a word that is longer has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def page(width: float, height: float) -> tuple[Figure, Any]:
    """A figure and its axes, which cover it and are measured in points from its upper left."""
    figure = Figure(figsize=(width / INCH, height / INCH))
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    return figure, axes


def draw(axes: Any, boxes: Sequence[Box]) -> None:
    """Draw boxes where they were placed."""
    for box in boxes:
        style, badge = box.style, box.badge
        if style.colour is not None:
            _edge(axes, box, style.colour)
        if style.number and style.colour is not None:
            ink = "white" if dark(style.colour) else "black"
            _write(axes, box.x + badge / 2, box.middle, style.number, SMALL, ink, bold=True)
        centre = box.x + badge + (box.width - badge) / 2
        if box.below:
            upper = box.y + 0.4 * PADDING + LEADING * WORD / 2
            lower = upper + LEADING * (WORD + SMALL) / 2
            _write(axes, centre, lower, box.below, SMALL, "0.25")
        else:
            upper = box.middle
        ink = "0.4" if style.colour is None else "black"
        _write(axes, centre, upper, box.text, WORD, ink, bold=style.bold)


def _edge(axes: Any, box: Box, colour: str) -> None:
    radius = box.height / 2.6 if box.style.round else 2.0
    corner = box.x, box.y
    outline = FancyBboxPatch(
        corner,
        box.width,
        box.height,
        boxstyle=f"round,pad=0,rounding_size={radius}",
        facecolor=tinted(colour, 0.22),
        edgecolor=colour,
        linewidth=1.4 if box.style.bold else 0.8,
        zorder=2,
    )
    axes.add_artist(outline)
    if box.style.number:
        patch = Rectangle(corner, box.badge, box.height, facecolor=colour, linewidth=0, zorder=3)
        axes.add_artist(patch)
        patch.set_clip_path(outline)


def _write(
    axes: Any, x: float, y: float, text: str, size: float, ink: str, bold: bool = False
) -> None:
    axes.text(
        x,
        y,
        text,
        fontsize=size,
        fontweight="bold" if bold else "normal",
        color=ink,
        ha="center",
        va="center_baseline",
        parse_math=False,
        zorder=5,
    )
