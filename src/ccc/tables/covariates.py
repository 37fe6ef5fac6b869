"""How the covariates of a corpus came about: what was left out, the path of the group lasso."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ccc.tables.real import CORPUS_NAMES

__all__ = ["covariates_frame", "covariates_shape", "left_out"]

COLUMNS = [
    *("corpus", "gamma", "log2_n_over_gamma", "n_covariates", "n_embedded"),
    *("log_marginal_likelihood", "sigma", "worst_gap", "selected"),
]


def covariates_frame(corpus: str, scores: pd.DataFrame, n: int) -> pd.DataFrame:
    """A row per γ of the group lasso: covariates, those with a vector, evidence, gap.

    Parameters
    ----------
    corpus : str
    scores : DataFrame
        ``gamma, n_covariates, n_embedded, log_marginal_likelihood, path_gap, sigma, selected``.
    n : int
        Number of documents to learn from; γ is n 2^-a.
    """
    exponents = np.log2(n / scores["gamma"])
    frame = scores.rename(columns={"path_gap": "worst_gap"})
    return frame.assign(corpus=corpus, log2_n_over_gamma=exponents.round(6))[COLUMNS]


def covariates_shape(frame: pd.DataFrame) -> pd.DataFrame:
    """The same as text."""
    return pd.DataFrame(
        {
            "corpus": frame["corpus"].map(CORPUS_NAMES),
            "γ": frame["log2_n_over_gamma"].map("n / 2^{:g}".format),
            "covariates": frame["n_covariates"].astype(str),
            "with a vector": frame["n_embedded"].astype(str),
            "marginal likelihood": frame["log_marginal_likelihood"].map("{:.1f}".format),
            "selected": np.where(frame["selected"], "yes", ""),
        }
    )


def left_out(corpus: str, documents: Mapping[str, Any], problem: Any, scores: pd.DataFrame) -> str:
    """What of a corpus is no part of its problem, as a sentence.

    Parameters
    ----------
    corpus : str
    documents : mapping
        ``duplicates`` and ``undecodable``, numbers of documents.
    problem : TextFeatures
    scores : DataFrame
        See :func:`covariates_frame`.
    """
    chosen = scores[scores["selected"]].iloc[0]
    counts = [
        (int(documents["duplicates"]), "duplicates"),
        (int(problem.without_words), "documents without any of the words"),
        (
            int(problem.constant_words),
            "words that are in no document to learn from or alike in all",
        ),
        (int(chosen["n_covariates"] - chosen["n_embedded"]), "covariates without a vector"),
    ]
    text = f"{corpus}: left out {', '.join(f'{count} {what}' for count, what in counts)}"
    undecodable = int(documents["undecodable"])
    return f"{text}; {undecodable} documents with undecodable bytes, which were replaced."
