"""What of a tree is shown: some of its roots, the covariates that matter, a few levels.

A tree of thousands of covariates fits no page. An excerpt has the roots that somebody asks for;
below them the covariates with an odds ratio above a threshold and the strongest of a root; and
inner nodes on a few levels only. What is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.hierarchy import Tree
from ccc.odds import ClassOdds

__all__ = ["NO_CLASS", "Branch", "choose_roots", "excerpt"]

# Class of a node where no odds are known.
NO_CLASS = -1


@dataclass(frozen=True)
class Branch:
    """A node and what is shown below it.

    Attributes
    ----------
    text : str
        Name of a covariate, size of a cluster.
    leading : int
        Position of its class, -1 if unknown.
    odds : float
        Odds ratio, nan if unknown.
    size : int
        Number of covariates, shown or not.
    leaves : tuple of Branch
        Covariates that hang directly here: those of its own class first, the strongest first.
    inner : tuple of Branch
        Clusters below, the largest first.
    hidden : int
        How many covariates are not shown that would hang directly here.
    """

    text: str
    leading: int = NO_CLASS
    odds: float = np.nan
    size: int = 1
    leaves: tuple[Branch, ...] = ()
    inner: tuple[Branch, ...] = ()
    hidden: int = 0

    @property
    def is_leaf(self) -> bool:
        """Whether it is a single covariate."""
        return self.size == 1


def choose_roots(
    tree: Tree,
    odds: ClassOdds | None = None,
    covariates: Iterable[int] = (),
    label: Any = None,
    count: int = 0,
) -> list[int]:
    """Roots that hold one of the covariates, and ``count`` more of a class.

    Parameters
    ----------
    tree : Tree
    odds : ClassOdds, optional
        Needed with ``label``.
    covariates : positions
    label : a class
        Of its roots those with the highest odds ratio are taken, clusters of more than one
        covariate first.
    count : int
    """
    found = list(dict.fromkeys(tree.root_of[list(covariates)].tolist()))
    if label is None:
        return found
    if odds is None or label not in odds.classes.tolist():
        known = "no odds" if odds is None else ", ".join(map(str, odds.classes))
        raise ValueError(f"label must be a class of odds, got {label!r} ({known})")
    leading, ratios = odds.of_nodes(tree)
    code = odds.classes.tolist().index(label)
    roots = [r for r in tree.roots.tolist() if leading[r] == code and r not in found]
    roots.sort(key=lambda root: (tree.size[root] == 1, -ratios[root]))
    return found + roots[:count]


def excerpt(
    tree: Tree,
    names: Sequence[str],
    odds: ClassOdds | None = None,
    roots: Iterable[int] | None = None,
    *,
    min_odds: float = 0.0,
    least: int = 0,
    most: int | None = None,
    always: Iterable[int] = (),
    levels: int | None = None,
) -> list[Branch]:
    """The roots as branches, the strongest first.

    Parameters
    ----------
    tree : Tree
    names : (d,) sequence of str
    odds : ClassOdds, optional
        Its rows are the levels of the tree.
    roots : nodes, optional
        All by default.
    min_odds : float
        Covariates are shown whose odds ratio is above this.
    least : int
        Of a root so many covariates at least, whatever their odds ratios; the highest.
    most : int, optional
        Of a root so many covariates at most, those with the highest odds ratios.
    always : positions
        Covariates that are shown nevertheless.
    levels : int, optional
        Inner nodes of so many levels at most, chosen so that about as many covariates join
        between one and the next. Other inner nodes pass what they hold to the next one above.
    """
    if len(names) != tree.d:
        raise ValueError(f"names must have {tree.d} entries like the tree, got {len(names)}")
    wanted = tree.roots.tolist() if roots is None else list(roots)
    strength = np.full(tree.d, np.inf) if odds is None else odds.of_nodes(tree)[1][: tree.d]
    shown = _shown(tree, wanted, strength, min_odds, (least, most), list(always))
    if levels is not None:
        members = [int(tree.members(root)[0]) for root in wanted]
        tree = tree.at_levels(_levels(tree, wanted, shown, levels))
        wanted = tree.root_of[members].tolist()
    leading, ratios = _classes(tree, odds)
    count = _count(tree, shown)
    made: dict[int, Branch] = {}
    passed: dict[int, tuple[list[Branch], int]] = {}
    for node in _below(tree, wanted):
        if node < tree.d:
            made[node] = Branch(str(names[node]), int(leading[node]), float(ratios[node]))
            continue
        parts, hidden = [], 0
        for child in tree.children[node]:
            if not count[child]:
                hidden += int(tree.size[child])
            elif child in passed:
                parts += passed[child][0]
                hidden += passed[child][1]
            else:
                parts.append(made[child])
        if len(parts) < 2 and tree.parent[node] >= 0:
            passed[node] = parts, hidden
            continue
        made[node] = _branch(node, tree, leading, ratios, parts, hidden)
    return sorted((made[root] for root in wanted), key=lambda b: (b.is_leaf, -b.odds, b.text))


def _branch(
    node: int,
    tree: Tree,
    leading: NDArray[np.int64],
    ratios: NDArray[np.float64],
    parts: list[Branch],
    hidden: int,
) -> Branch:
    own = int(leading[node])
    size = int(tree.size[node])
    leaves = [part for part in parts if part.is_leaf]
    inner = [part for part in parts if not part.is_leaf]
    return Branch(
        text=str(size),
        leading=own,
        odds=float(ratios[node]),
        size=size,
        leaves=tuple(sorted(leaves, key=lambda b: (b.leading != own, b.leading, -b.odds, b.text))),
        inner=tuple(sorted(inner, key=lambda b: -b.size)),
        hidden=hidden,
    )


def _classes(tree: Tree, odds: ClassOdds | None) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    if odds is None:
        return np.full(len(tree), NO_CLASS), np.full(len(tree), np.nan)
    return odds.of_nodes(tree)


def _shown(
    tree: Tree,
    roots: list[int],
    strength: NDArray[np.float64],
    min_odds: float,
    number: tuple[int, int | None],
    always: list[int],
) -> NDArray[np.bool_]:
    """Which covariates are shown. A root that is a single covariate always is."""
    least, most = number
    wanted = strength > min_odds
    asked = np.zeros(tree.d, dtype=bool)
    asked[always] = True
    shown = np.zeros(tree.d, dtype=bool)
    for root in roots:
        members = tree.members(root)
        members = members[np.lexsort((-strength[members], ~asked[members]))]
        enough = np.arange(len(members)) < max(least, int(len(members) == 1))
        members = members[wanted[members] | asked[members] | enough]
        shown[members[:most]] = True
    return shown


def _count(tree: Tree, shown: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number of shown covariates below each node."""
    count = np.zeros(len(tree), dtype=np.int64)
    count[: tree.d] = shown
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            count[above] += count[node]
    return count


def _below(tree: Tree, roots: list[int]) -> list[int]:
    """The nodes of these roots, children before parents."""
    return np.flatnonzero(np.isin(tree.root_of, roots)).tolist()


def _levels(tree: Tree, roots: list[int], shown: NDArray[np.bool_], most: int) -> list[int]:
    """At most so many of the levels on which shown covariates join."""
    count = _count(tree, shown)
    joins = []
    for node in _below(tree, roots):
        parts = sum(count[child] > 0 for child in tree.children[node])
        if tree.parent[node] >= 0:
            joins += [int(tree.level[node])] * (parts - 1)
    joins.sort()
    if len(set(joins)) <= most:
        return joins
    return [joins[round((i + 0.5) / most * (len(joins) - 1))] for i in range(most)]
