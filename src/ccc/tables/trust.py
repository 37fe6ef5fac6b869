"""How far the evidence can be trusted: what it knows of held-out accuracy, method by method."""

from __future__ import annotations

import pandas as pd

from ccc.tables.layout import MISSING
from ccc.tables.real import CORPUS_NAMES, WORD_METHOD_NAMES, paths_of

__all__ = ["trust_frame", "trust_shape"]


def trust_frame(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank correlation of evidence and held-out accuracy, and what the selection costs.

    Parameters
    ----------
    scores : DataFrame
        ``corpus, method, clustering, n_clusters, log_marginal_likelihood, heldout_accuracy,
        selected``, a row per penalty or k; those with the same ``clustering`` count once.

    Returns
    -------
    DataFrame
        A row per corpus and method: number of distinct clusterings, Spearman's rank correlation
        (empty where a score is the same for all), clusters and accuracy of the selected one and of
        the most accurate one.
    """
    rows = []
    for (corpus, method), path in paths_of(scores):
        distinct = path.drop_duplicates("clustering")
        ranks = distinct[["log_marginal_likelihood", "heldout_accuracy"]].rank()
        chosen = path[path["selected"]].iloc[0]
        best = path.iloc[int(path["heldout_accuracy"].argmax())]
        rows.append(
            {
                "corpus": corpus,
                "method": method,
                "clusterings": len(distinct),
                "rank_correlation": ranks.corr().iloc[0, 1],
                "selected_clusters": int(chosen["n_clusters"]),
                "selected_accuracy": float(chosen["heldout_accuracy"]),
                "best_clusters": int(best["n_clusters"]),
                "best_accuracy": float(best["heldout_accuracy"]),
            }
        )
    return pd.DataFrame(rows)


def trust_shape(frame: pd.DataFrame) -> pd.DataFrame:
    """The same as text, with names and rounded numbers."""
    forms = {"rank_correlation": "{:.2f}", "selected_accuracy": "{:.3f}", "best_accuracy": "{:.3f}"}
    text = frame.astype(object)
    for column in frame.columns:
        form = forms.get(column, "{}")
        text[column] = [MISSING if pd.isna(v) else form.format(v) for v in frame[column]]
    text["corpus"] = frame["corpus"].map(CORPUS_NAMES)
    text["method"] = frame["method"].map(WORD_METHOD_NAMES)
    return text.rename(columns=lambda name: name.replace("_", " "))
