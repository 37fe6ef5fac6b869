"""Which clusterings of a path are settled: the same when the duality gap is ten times smaller."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.tables.real import CORPUS_NAMES

__all__ = ["settled_frame", "settled_shapes"]


def settled_frame(corpus: str, scores: pd.DataFrame, tighter: Clusterings) -> pd.DataFrame:
    """Every clustering of a path beside that of the tighter one, a row per penalty.

    Parameters
    ----------
    corpus : str
    scores : DataFrame
        ``nu, n_clusters, gap, log_marginal_likelihood, heldout_accuracy, selected, same``, the
        last of them whether the clustering is that of the tighter path.
    tighter : Clusterings
        The same penalties, solved to a smaller gap.

    Returns
    -------
    DataFrame
        ``corpus, nu, n_clusters, n_clusters_tighter, same, worst_gap, worst_gap_tighter,
        log_marginal_likelihood, heldout_accuracy, selected``.
    """
    if not np.array_equal(scores["nu"], tighter.nus):
        raise ValueError(f"{corpus}: the tighter path has other penalties than the scores")
    frame = scores.rename(columns={"gap": "worst_gap"}).assign(
        corpus=corpus, n_clusters_tighter=tighter.n_clusters, worst_gap_tighter=tighter.gap
    )
    return frame[
        [
            *("corpus", "nu", "n_clusters", "n_clusters_tighter", "same"),
            *("worst_gap", "worst_gap_tighter"),
            *("log_marginal_likelihood", "heldout_accuracy", "selected"),
        ]
    ]


def settled_shapes(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Two frames of text: how many clusterings are the same, and those that are not."""
    counts, others = [], []
    for corpus, path in frame.groupby("corpus", sort=False):
        name = CORPUS_NAMES[str(corpus)]
        off = (path["n_clusters"] - path["n_clusters_tighter"]).abs()
        counts.append(
            {
                "corpus": name,
                "ν": len(path),
                "same clustering": int(path["same"].sum()),
                "same number": int((off == 0).sum()),
                "largest difference": int(off.max()),
                "worst gap": f"{path['worst_gap'].max():.1e}",
                "worst gap, tighter": f"{path['worst_gap_tighter'].max():.1e}",
            }
        )
        others += [
            {
                "corpus": name,
                "ν": f"{row.nu:.4g}",
                "clusters": row.n_clusters,
                "clusters, tighter": row.n_clusters_tighter,
                "accuracy": f"{row.heldout_accuracy:.3f}",
                "selected": "yes" if row.selected else "no",
            }
            for row in path[~path["same"]].itertuples()
        ]
    return [pd.DataFrame(rows).astype(str) for rows in (counts, others) if rows]
