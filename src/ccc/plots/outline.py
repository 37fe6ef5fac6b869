"""Where the nodes of a tree stand: an outline with leaves that run like words of a text.

An inner node stands at the left end of a line and the covariates that hang directly on it run to
its right. The inner nodes below it follow underneath, a step further in, side by side where they
fit. So any tree has a given width, and what it holds decides its height.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ccc.excerpt import Branch
from ccc.odds import odds_text
from ccc.palette import class_colours, numbered
from ccc.plots.boxes import Box, Style, flow, printable

__all__ = ["BETWEEN", "GAP", "Block", "Looks", "outline", "shelves"]

GAP = 3.0  # between boxes
BETWEEN = 9.0  # between clusters
STEP = 11.0  # from a node to those below it
HANG = 4.0  # from a rail to the clusters that hang on it side by side
UNKNOWN = "#999999"

Point = tuple[float, float]


class Looks:
    """Boxes in the colours of classes, with numbers where there are too many colours."""

    def __init__(self, c: int) -> None:
        self._colours, self._numbered = class_colours(c), numbered(c)

    def _style(self, leading: int, **more: Any) -> Style:
        if leading < 0:
            return Style(UNKNOWN, **more)
        return Style(self._colours[leading], str(leading + 1) if self._numbered else "", **more)

    def leaf(self, branch: Branch) -> Box:
        return Box(printable(branch.text), _ratio(branch), self._style(branch.leading))

    def inner(self, branch: Branch, root: bool) -> Box:
        look = self._style(branch.leading, bold=root, round=True)
        return Box(branch.text, _ratio(branch), look)

    def legend(self, classes: Sequence[str], codes: Iterable[int]) -> list[Box]:
        return [Box(printable(classes[code]), "", self._style(code)) for code in codes]


def _ratio(branch: Branch) -> str:
    return "" if branch.leading < 0 else odds_text(branch.odds)


@dataclass(frozen=True)
class Block:
    """Boxes that belong together, and the lines between them, from (0, 0) on.

    The first box is the node that all others are below.
    """

    boxes: list[Box]
    rails: list[list[Point]]

    @property
    def width(self) -> float:
        return max(box.x + box.width for box in self.boxes)

    @property
    def height(self) -> float:
        return max(box.y + box.height for box in self.boxes)

    def at(self, x: float, y: float) -> Block:
        """The same, elsewhere."""
        return Block(
            [box.at(box.x + x, box.y + y) for box in self.boxes],
            [[(px + x, py + y) for px, py in points] for points in self.rails],
        )


def shelves(blocks: Sequence[Block], width: float) -> list[list[tuple[float, Block]]]:
    """Blocks side by side as long as they fit, each with its x."""
    rows: list[list[tuple[float, Block]]] = []
    x = width
    for block in blocks:
        wide = block.width
        if x + wide > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, block))
        x += wide + BETWEEN
    return rows


def outline(root: Branch, looks: Looks, width: float) -> Block:
    """A root and all that is below it, no wider than ``width``."""
    nodes, depth = [root], {id(root): 0}
    for branch in nodes:
        nodes += branch.inner
        depth |= dict.fromkeys(map(id, branch.inner), depth[id(branch)] + 1)
    step = min(STEP, 0.4 * width / max(1, *depth.values()))
    blocks: dict[int, Block] = {}
    for branch in reversed(nodes):
        below = [blocks.pop(id(part)) for part in branch.inner]
        node = looks.inner(branch, root=branch is root)
        block = _with_leaves(node, branch, looks, width - depth[id(branch)] * step)
        _hang(block, below, step, width - (depth[id(branch)] + 1) * step)
        blocks[id(branch)] = block
    return blocks[id(root)]


def _with_leaves(node: Box, branch: Branch, looks: Looks, width: float) -> Block:
    """A node and the covariates that hang directly on it."""
    block = Block([node], [])
    leaves = [looks.leaf(leaf) for leaf in branch.leaves]
    if branch.hidden:
        leaves.append(Box(f"+{branch.hidden}", "", Style()))
    for line in flow(leaves, node.width + 2 * GAP, width, 0.0, GAP):
        # "+n" is lower than a box with two lines.
        middle = line[0].y + node.height / 2
        block.boxes.extend(box.at(box.x, middle - box.height / 2) for box in line)
        bend = node.width + GAP
        corners = [(bend, node.middle), (bend, middle)]
        block.rails.append([(node.width, node.middle), *corners, (line[-1].x, middle)])
    return block


def _hang(block: Block, below: list[Block], step: float, width: float) -> None:
    """Put blocks underneath one, and join their nodes to its own."""
    node = block.boxes[0]
    trunk, y = step / 2, max(block.height, node.height)
    for row in shelves(below, width):
        y += GAP
        if len(row) == 1:
            rail = y + row[0][1].boxes[0].middle
            block.rails.append([(trunk, node.height), (trunk, rail), (step, rail)])
        else:
            last = step + row[-1][0] + HANG
            block.rails.append([(trunk, node.height), (trunk, y), (last, y)])
            y += HANG
        for x, part in row:
            placed = part.at(step + x, y)
            block.boxes.extend(placed.boxes)
            block.rails.extend(placed.rails)
            if len(row) > 1:
                end = step + x + HANG
                block.rails.append([(end, y - HANG), (end, y)])
        y += max(part.height for _, part in row)
