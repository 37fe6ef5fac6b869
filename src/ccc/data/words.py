r"""Clusters of words for readers: which class each speaks for, and how strongly.

The model of a clustering gives cluster C the weights :math:`b_C`; its class is that of the largest
entry, and its odds ratio :math:`\exp(b_{C,(1)} - b_{C,(2)})` compares it with the second largest
(the paper's appendix), per standard deviation of one of its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.magnitude import LARGEST
from ccc.odds import leading_class
from ccc.selection.clusterings import check_clustering
from ccc.selection.map import fit_map
from ccc.validation import check_design, check_labels, check_sigma

__all__ = ["cluster_words", "mixes_good_and_bad", "rating_groups", "word_groups"]

RATING = re.compile(r"(\d+(?:\.\d+)?)/10|(\*+)\d/")
# Out of ten; what lies between says neither.
GOOD, BAD = 7.0, 4.0


def cluster_words(
    X: Any, y: Any, labels: Any, sigma: float, words: NDArray[np.str_], strength: Any
) -> pd.DataFrame:
    """A row per cluster, the strongest first: cluster, size, class, odds_ratio, words.

    Parameters
    ----------
    X, y : as in :func:`ccc.select`
    labels : (d,) array
        Cluster of each covariate.
    sigma : float
        Standard deviation of the prior.
    words : (d,) array of str
        What to call the covariates.
    strength : (d,) array
        By which those of a cluster are listed, the largest first; of equal ones in the order of the
        alphabet.
    """
    design = check_design(X, largest=LARGEST)
    classes, codes = check_labels(y, design.shape[0])
    clusters = check_clustering(labels, design.shape[1])
    fit = fit_map(design.project(clusters), codes, len(classes), check_sigma(sigma))
    first, log_odds = leading_class(fit.B)
    columns = np.arange(fit.B.shape[1])
    order = np.lexsort((words, -np.asarray(strength)))
    frame = pd.DataFrame(
        {
            "cluster": columns,
            "size": np.bincount(clusters),
            "class": classes[first],
            "odds_ratio": np.exp(log_odds),
            "words": [" ".join(words[order[clusters[order] == cluster]]) for cluster in columns],
        }
    )
    return frame.sort_values("odds_ratio", ascending=False, kind="stable", ignore_index=True)


def rating_groups(labels: NDArray[np.int64], words: NDArray[np.str_]) -> list[list[str]]:
    """Ratings among the words (``7/10``, ``*1/``) by cluster, from the worst to the best."""
    found = sorted((value, word) for word in words.tolist() if (value := _rating(word)) is not None)
    return word_groups(labels, words, [word for _, word in found])


def word_groups(
    labels: NDArray[np.int64], words: NDArray[np.str_], wanted: Sequence[str]
) -> list[list[str]]:
    """Those of the wanted words that there are, by cluster, in the order of ``wanted``."""
    cluster = dict(zip(words.tolist(), labels.tolist(), strict=True))
    groups: dict[int, list[str]] = {}
    for word in wanted:
        if word in cluster:
            groups.setdefault(cluster[word], []).append(word)
    return list(groups.values())


def mixes_good_and_bad(group: list[str]) -> bool:
    """Whether ratings of at least 7 and of at most 4 out of ten stand together."""
    values = [value for word in group if (value := _rating(word)) is not None]
    return max(values) >= GOOD and min(values) <= BAD


def _rating(word: str) -> float | None:
    """Out of ten; of stars there are four, as reviewers write, and "1/" is half a star."""
    match = RATING.fullmatch(word)
    if match is None:
        return None
    if match[1] is not None:
        return float(match[1])
    return 2.5 * (len(match[2]) + 0.5)
