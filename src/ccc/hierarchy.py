r"""The tree of a path: which covariates come together as ν grows to ν0, and stay together.

Let :math:`\mathscr C_1, \dots, \mathscr C_K` be the clusterings at
:math:`\nu_1 < \dots < \nu_K = \nu_0`. On an exact path clusters may separate again as ν grows, so
they are not nested and make no tree. The rule here: covariates are together on level k iff they
share a cluster at :math:`\nu_k` and at every larger ν up to ν0,

.. math:: \mathscr P_k = \mathscr C_k \wedge \mathscr C_{k+1} \wedge \dots \wedge \mathscr C_K ,
    \qquad \mathscr P_0 = \{\{1\}, \dots, \{d\}\} ,

where :math:`\wedge` is the common refinement. So a covariate joins others at the smallest ν ≤ ν0
from which on it stays with them. :math:`\mathscr P_k` refines :math:`\mathscr P_{k+1}` whatever the
path does, hence the blocks of all levels are a tree: its roots are the clusters at ν0, its leaves
the covariates. On a nested path :math:`\mathscr P_k = \mathscr C_k`. A single clustering, as that
of k-means, gives a flat tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.graph import canonical_labels
from ccc.selection.clusterings import check_clusterings
from ccc.validation import check_nus

__all__ = ["Tree", "cluster_tree", "lasting", "path_tree", "tree_rows", "up_to"]

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Tree:
    """Blocks of covariates that come together and stay together.

    Attributes
    ----------
    parent : (m,) array
        Nodes 0..d-1 are the leaves, one per covariate; the others follow, children before their
        parent. -1 for a root.
    level : (m,) array
        0 for a leaf, else k: the members are together from row k - 1 of the clusterings on.
    size : (m,) array
        Number of covariates below.
    d : int
        Number of covariates.
    """

    parent: Integers
    level: Integers
    size: Integers
    d: int

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def roots(self) -> Integers:
        """Nodes without a parent, in the order of their first covariate."""
        return np.array(list(dict.fromkeys(self.root_of.tolist())), dtype=np.int64)

    @cached_property
    def root_of(self) -> Integers:
        """(m,) the root above each node."""
        top = np.arange(len(self))
        for node in range(len(self) - 1, -1, -1):
            if self.parent[node] >= 0:
                top[node] = top[self.parent[node]]
        return top

    @cached_property
    def children(self) -> list[list[int]]:
        """Nodes below each node, in ascending order; none for leaves."""
        below: list[list[int]] = [[] for _ in range(len(self))]
        for node, above in enumerate(self.parent.tolist()):
            if above >= 0:
                below[above].append(node)
        return below

    def members(self, node: int) -> Integers:
        """The covariates below a node, ascending."""
        found, waiting = [], [node]
        while waiting:
            at = waiting.pop()
            if at < self.d:
                found.append(at)
            waiting += self.children[at]
        return np.array(sorted(found), dtype=np.int64)

    def at_levels(self, kept: Iterable[int]) -> Tree:
        """The tree of some levels only.

        An inner node stays iff its members are a block on one of the levels ``kept``: it is one
        from its own level on until the level of its parent. Roots always stay.
        """
        levels = np.unique(np.fromiter(kept, dtype=np.int64))
        ends = np.where(self.parent >= 0, self.level[self.parent], np.iinfo(np.int64).max)
        first = np.searchsorted(levels, self.level)
        next_kept = np.append(levels, np.iinfo(np.int64).max)[first]
        stays = (next_kept < ends) | (self.parent < 0)
        stays[: self.d] = True
        above = self.parent.copy()
        for node in range(len(self) - 1, -1, -1):
            # A parent is numbered later, so it points at one that stays by now.
            if above[node] >= 0 and not stays[above[node]]:
                above[node] = above[above[node]]
        number = np.cumsum(stays) - 1
        parent = np.where(above >= 0, number[above], -1)[stays]
        return Tree(parent, self.level[stays], self.size[stays], self.d)


def lasting(labels: Any) -> Integers:
    r"""(K, d) labels of the blocks :math:`\mathscr P_1, \dots, \mathscr P_K`.

    Parameters
    ----------
    labels : (K, d) array of integers
        Clusterings in the order of ascending ν; the last is that of ν0. O(K d log d) time.
    """
    rows = _check_rows(labels)
    blocks = np.empty_like(rows)
    together = np.zeros(rows.shape[1], dtype=np.int64)
    for k in range(len(rows) - 1, -1, -1):
        # Pairs (block above, cluster) as one number; fewer than d² of them.
        together = canonical_labels(together * rows.shape[1] + rows[k])
        blocks[k] = together
    return blocks


def cluster_tree(labels: Any) -> Tree:
    """The tree of clusterings by the rule of this module.

    Parameters
    ----------
    labels : (K, d) array of integers
        Clusterings in the order of ascending ν; the last is that of ν0, and its clusters are the
        roots. With one row the tree is flat.
    """
    blocks = lasting(labels)
    d = blocks.shape[1]
    # Each inner node has two children or more, so there are fewer than 2 d nodes.
    parent = np.full(2 * d, -1)
    level, size = np.zeros(2 * d, dtype=np.int64), np.ones(2 * d, dtype=np.int64)
    top, count = np.arange(d), d
    for k, row in enumerate(blocks, start=1):
        tops, first = np.unique(top, return_index=True)
        block = row[first]
        joined = np.flatnonzero(np.bincount(block) > 1)
        new = slice(count, count + len(joined))
        number = np.full(row.max() + 1, -1)
        number[joined] = np.arange(count, new.stop)
        goes = number[block] >= 0
        parent[tops[goes]] = number[block[goes]]
        level[new], size[new] = k, np.bincount(row)[joined]
        top = np.where(number[row] >= 0, number[row], top)
        count = new.stop
    return Tree(parent[:count], level[:count], size[:count], d)


def up_to(nus: Any, index: int) -> Integers:
    """Positions of all ν ≤ ``nus[index]``, ascending in ν, ``index`` itself last."""
    values = check_nus(nus)
    if not 0 <= index < len(values):
        raise ValueError(f"index must be a position in nus, 0 to {len(values) - 1}, got {index}")
    below = np.flatnonzero(values <= values[index])
    below = below[below != index]
    return np.append(below[np.argsort(values[below], kind="stable")], index)


def path_tree(path: Any, index: int) -> Tree:
    """The tree of a path for all ν up to that at position ``index``, usually the selected one.

    Parameters
    ----------
    path : anything with ``nus`` (K,) and ``labels`` (K, d)
        A :class:`ccc.Path` or the clusterings of a baseline. If its ``parameter`` is ``"k"``, as
        for k-means, neighbours have nothing to do with each other and the tree is flat.
    index : int
        Position in ``path.nus``; ``Selection.index``.
    """
    return cluster_tree(np.asarray(path.labels)[tree_rows(path, index)])


def tree_rows(path: Any, index: int) -> Integers:
    """Positions on the path of the clusterings that :func:`path_tree` uses, level by level."""
    rows = up_to(path.nus, index)
    return rows[-1:] if getattr(path, "parameter", "nu") == "k" else rows


def _check_rows(labels: Any) -> Integers:
    shape = np.shape(labels)
    if len(shape) != 2 or 0 in shape:
        raise ValueError(f"labels must have a row per nu and a column per covariate, got {shape}")
    return check_clusterings(labels, shape[0], shape[1], "labels")
