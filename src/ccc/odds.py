r"""Which class a cluster speaks for, and how strongly (the paper's appendix).

The logistic regression model of a clustering, the MAP on its clusters, gives cluster C the weights
:math:`b_C`. Its class is that of the largest entry, and its odds ratio

.. math:: \exp(b_{C,(1)} - b_{C,(2)}) \ge 1

compares it with the second largest, per unit of one of its covariates. On a tree
(:mod:`ccc.hierarchy`) a root has the values of the clustering at ν0, and a node below it those of
the clustering at the ν where its members come together to stay: they share a cluster there and
hence the weights. On a nested path that cluster is the node itself; else it may hold others that
leave it later. A leaf below a root has the values of the model in which every covariate is a
cluster of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.hierarchy import Tree
from ccc.magnitude import LARGEST
from ccc.progress import Progress
from ccc.selection.along import fit_along
from ccc.selection.clusterings import check_clusterings
from ccc.storage import Stored
from ccc.validation import check_design, check_labels, check_sigma

__all__ = ["ClassOdds", "class_odds", "leading_class", "odds_of_path", "odds_text"]

# Nats of the MAP's objective. It is strongly convex with modulus 1 / σ², so that no weight is off
# by more than σ √(2 tol).
TOL = 1e-8


@dataclass(frozen=True)
class ClassOdds(Stored):
    """Class and odds ratio of the cluster of every covariate, on every level.

    Attributes
    ----------
    classes : (c,) array
    leading : (K + 1, d) array
        Position in ``classes`` of the class of the covariate's cluster: in row 0 for every
        covariate by itself, in row k for row k - 1 of the clusterings.
    log_odds : (K + 1, d) array
        Logarithm of its odds ratio.
    """

    classes: NDArray[Any]
    leading: NDArray[np.int64]
    log_odds: NDArray[np.float64]

    def take(self, rows: Any) -> ClassOdds:
        """Those of some of the clusterings, in the order given, and of single covariates."""
        levels = np.concatenate([[0], np.asarray(rows, dtype=np.int64) + 1])
        return ClassOdds(self.classes, self.leading[levels], self.log_odds[levels])

    def of_nodes(self, tree: Tree) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Class and odds ratio of every node of the tree of these clusterings.

        The last of them is that of the roots.
        """
        if self.leading.shape[1] != tree.d or len(self.leading) <= tree.level.max():
            raise ValueError(
                f"odds must have {tree.d} columns and a row per level up to {tree.level.max()} "
                f"of the tree, got shape {self.leading.shape}"
            )
        level = np.where(tree.parent < 0, len(self.leading) - 1, tree.level)
        member = np.arange(len(tree))
        for node in range(tree.d, len(tree)):
            member[node] = member[tree.children[node][0]]
        place = level, member
        return self.leading[place], np.exp(self.log_odds[place])


def leading_class(B: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Row of the largest entry in each column of ``B`` (c, m), and its lead over the second."""
    first = B.argmax(axis=0)
    second = np.partition(B, -2, axis=0)[-2]
    return first, B.max(axis=0) - second


def class_odds(X: Any, y: Any, clusterings: Any, sigma: float, progress: bool = False) -> ClassOdds:
    """Class and odds ratio of the clusters of every clustering, from a model of each.

    Neighbours in ``clusterings`` should be alike: each fit starts from the one before. Rows that
    are equal to the one before are not fitted again.

    Parameters
    ----------
    X, y : as in :func:`ccc.select`
    clusterings : (K, d) array
        Labels of the covariates, as integers of any kind.
    sigma : float
        Standard deviation of the prior; ``Selection.sigma``.
    progress : bool
        Show a bar on a terminal.
    """
    design = check_design(X, largest=LARGEST)
    classes, codes = check_labels(y, design.shape[0])
    rows = check_clusterings(clusterings, len(clusterings), design.shape[1], "clusterings")
    levels = np.vstack([np.arange(design.shape[1]), rows])
    new = np.append(True, (levels[1:] != levels[:-1]).any(axis=1))
    fits = fit_along(design, codes, len(classes), levels[new], check_sigma(sigma), TOL)
    leading, log_odds = np.empty_like(levels), np.empty(levels.shape)
    which = np.cumsum(new) - 1
    with Progress(int(new.sum()), progress, symbol="clusterings") as bar:
        for i, (_, fit) in enumerate(fits):
            labels = levels[new][i]
            of_clusters = leading_class(fit.B)
            leading[which == i], log_odds[which == i] = (values[labels] for values in of_clusters)
            bar.step(i + 1, int(labels.max()) + 1, fit.gap)
    return ClassOdds(classes, leading, log_odds)


def odds_of_path(path: Any) -> ClassOdds:
    """The same from the coefficients of Eq. (1) that a :class:`ccc.Path` carries, without data.

    They are those of the fused model itself, shrunk by its penalties. Row 0 is that of the
    smallest ν.
    """
    B = np.concatenate([path.B[[np.argmin(path.nus)]], path.B])
    leading, log_odds = zip(*(leading_class(b) for b in B), strict=True)
    return ClassOdds(path.classes, np.stack(leading), np.stack(log_odds))


def odds_text(odds: float) -> str:
    """An odds ratio in three digits: 1.07, 12.3, 456, 1.23e4."""
    if not np.isfinite(odds):
        return "∞"
    text = f"{odds:.2e}"
    digits, exponent = text.split("e")
    if int(exponent) > 2:
        return f"{digits}e{int(exponent)}"
    return f"{float(text):.{2 - int(exponent)}f}"
