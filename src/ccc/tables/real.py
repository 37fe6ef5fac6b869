"""The tables of Section 5: the selected clusterings, and those with about so many clusters.

Starts from a list of clusterings, a row per corpus, method and position on its path, with the
columns ``corpus, method, nu, n_clusters, gap, log_marginal_likelihood, heldout_accuracy,
selected``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ccc.tables.layout import MISSING
from ccc.tables.paper import COLUMNS
from ccc.thinning import nearest

__all__ = [
    "ABOUT",
    "CORPUS_NAMES",
    "WORD_METHOD_NAMES",
    "at_clusters_frame",
    "at_clusters_shapes",
    "paths_of",
    "selected_frame",
    "selected_shapes",
]

# A clustering with at most so many times as many clusters has about as many.
ABOUT = 1.5
CORPUS_NAMES = {"newsgroup20": "Newsgroup20", "imdb": "IMDB"}
WORD_METHOD_NAMES = {
    "proposed": "Proposed",
    "convex": "Convex",
    "kmeans": "k-means",
    "none": "No Clustering",
}
MEASURES = {
    "log_marginal_likelihood": "log_marginal_likelihood",
    "clusters": "n_clusters",
    "heldout_accuracy": "heldout_accuracy",
}


def selected_frame(
    scores: pd.DataFrame,
    published: pd.DataFrame,
    sizes: Mapping[str, tuple[int, int]],
    table: str,
    note: str = "",
) -> pd.DataFrame:
    """Evidence, clusters and held-out accuracy of what the evidence selects.

    Parameters
    ----------
    scores : DataFrame
        See the module.
    published : DataFrame
        The paper's numbers.
    sizes : mapping
        Corpus to numbers of covariates and of documents to learn from.
    table, note : str
        Name of the table; what must be said of every row.

    Returns
    -------
    DataFrame
        The columns of the paper's tables.
    """
    rows = []
    for (corpus, method), path in paths_of(scores):
        chosen = path[path["selected"]].iloc[0]
        for measure, column in MEASURES.items():
            rows.append(
                _row(corpus, method, sizes, measure, "marginal_likelihood", float(chosen[column]))
                | {"worst_gap": path["gap"].max(), "remark": ""}
            )
    return _beside_published(rows, published, table, note)


def at_clusters_frame(
    scores: pd.DataFrame,
    published: pd.DataFrame,
    sizes: Mapping[str, tuple[int, int]],
    clusters: Sequence[int],
    table: str,
    note: str = "",
) -> pd.DataFrame:
    """Held-out accuracy of the clusterings with about as many clusters as in ``clusters``.

    The parameters are those of :func:`selected_frame`; the note of a row says how many the nearest
    clustering has. If that is not within a factor of :data:`ABOUT`, there is no accuracy.
    """
    rows = []
    for (corpus, method), path in paths_of(scores[scores["method"] != "none"]):
        for wanted in clusters:
            found = path.iloc[nearest(path["n_clusters"].to_numpy(), wanted)]
            measure = f"heldout_accuracy_at_{wanted}_clusters"
            near = wanted / ABOUT <= found["n_clusters"] <= wanted * ABOUT
            accuracy = float(found["heldout_accuracy"]) if near else np.nan
            rows.append(
                _row(corpus, method, sizes, measure, "", accuracy)
                | {"worst_gap": path["gap"].max(), "remark": f"{found['n_clusters']} clusters"}
            )
    return _beside_published(rows, published, table, note)


def paths_of(scores: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """Each corpus and method, in the paper's order."""
    for corpus in CORPUS_NAMES:
        for method in WORD_METHOD_NAMES:
            path = scores[(scores["corpus"] == corpus) & (scores["method"] == method)]
            if len(path):
                yield (corpus, method), path


def _row(
    corpus: str,
    method: str,
    sizes: Mapping[str, tuple[int, int]],
    measure: str,
    selection: str,
    value: float,
) -> dict[str, object]:
    d, n = sizes[corpus]
    return {
        "design": corpus,
        "method": method,
        "d": d,
        "n": n,
        "measure": measure,
        "selection": selection,
        "mean": value,
    }


def _beside_published(
    rows: list[dict[str, object]], published: pd.DataFrame, table: str, note: str
) -> pd.DataFrame:
    """Our rows with the published values, whatever their number of covariates was."""
    key = ["table", "design", "method", "measure", "selection"]
    theirs = (
        published[published["table"] == table]
        .fillna({"selection": ""})
        .rename(columns={"mean": "published_mean", "sd": "published_sd", "d": "published_d"})
    )
    ours = pd.DataFrame(rows).assign(table=table, sd=np.nan, repetitions=1)
    wanted = [*key, "published_mean", "published_sd", "published_d"]
    both = ours.merge(theirs[wanted], on=key, how="left", validate="one_to_one")
    both["note"] = [
        "; ".join(
            filter(
                None,
                [
                    note,
                    remark,
                    "" if pd.isna(d) else f"published value for {d:.0f} covariates",
                ],
            )
        )
        for remark, d in zip(both["remark"], both["published_d"], strict=True)
    ]
    return both[COLUMNS]


def selected_shapes(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """A frame of text per corpus: a row per method, ours and the published side by side.

    The gap is the worst of the whole path.
    """
    texts = {
        "log_marginal_likelihood": ("marginal likelihood", "{:.1f}"),
        "clusters": ("clusters", "{:.0f}"),
        "heldout_accuracy": ("accuracy", "{:.2f}"),
    }
    shapes = []
    for corpus, block in frame.groupby("design", sort=False):
        lines = []
        for method, rows in block.groupby("method", sort=False):
            values = rows.set_index("measure")
            line = [WORD_METHOD_NAMES[str(method)]]
            for measure, (_, form) in texts.items():
                for side in ("mean", "published_mean"):
                    line.append(_text(values[side][measure], form))
            lines.append([*line, _text(values["worst_gap"].max(), "{:.1e}")])
        names = [name for heading, _ in texts.values() for name in (heading, "paper")]
        names.append("worst gap")
        shapes.append(pd.DataFrame(lines, columns=[CORPUS_NAMES[str(corpus)], *names]))
    return shapes


def at_clusters_shapes(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """A frame of text per corpus: a row per number of clusters, columns by method."""
    shapes = []
    for corpus, block in frame.groupby("design", sort=False):
        methods = list(block["method"].unique())
        lines = []
        for measure, rows in block.groupby("measure", sort=False):
            values = rows.set_index("method")
            line = [str(measure).split("_")[-2]]
            for method in methods:
                has = next(p for p in values.loc[method, "note"].split("; ") if "clusters" in p)
                ours = _text(values.loc[method, "mean"], "{:.2f}")
                line += [f"{ours} ({has.split()[0]})"]
                line += [_text(values.loc[method, "published_mean"], "{:.2f}")]
            lines.append(line)
        names = [name for method in methods for name in (WORD_METHOD_NAMES[method], "paper")]
        shapes.append(
            pd.DataFrame(lines, columns=[f"{CORPUS_NAMES[str(corpus)]}: clusters", *names])
        )
    return shapes


def _text(value: Any, form: str) -> str:
    return MISSING if pd.isna(value) else form.format(value)
