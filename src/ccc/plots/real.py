"""Words and their clusters: accuracy against compactness, and what the evidence knows of it."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ccc.plots.style import CLASS_COLOURS, SELECTED, headline, style
from ccc.tables.real import CORPUS_NAMES, WORD_METHOD_NAMES

__all__ = ["compactness_figure", "trust_figure"]

COLOURS = dict(zip(("proposed", "convex", "kmeans"), CLASS_COLOURS[4::-2], strict=True))
MARKERS = {"proposed": "o", "convex": "s", "kmeans": "^"}


def compactness_figure(scores: pd.DataFrame, published: pd.DataFrame, title: str = "") -> Figure:
    """Held-out accuracy over the number of clusters, a panel per corpus.

    Parameters
    ----------
    scores : DataFrame
        ``corpus, method, n_clusters, heldout_accuracy, selected``, a row per clustering.
    published : DataFrame
        The paper's numbers; its three points per method are drawn hollow.
    title : str
        Printed above the figure.
    """
    corpora = [corpus for corpus in CORPUS_NAMES if (scores["corpus"] == corpus).any()]
    with style():
        figure = Figure(figsize=(3.4 * len(corpora) + 0.6, 3.4))
        panels = figure.subplots(1, len(corpora), squeeze=False)[0]
        for axes, corpus in zip(panels, corpora, strict=True):
            _compactness(axes, scores[scores["corpus"] == corpus], published)
            axes.set_title(CORPUS_NAMES[corpus])
            axes.set_xscale("log")
            axes.set_xlabel("number of clusters")
        panels[0].set_ylabel("held-out accuracy")
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=3)
        headline(figure, title)
    return figure


def _compactness(axes: Any, scores: pd.DataFrame, published: pd.DataFrame) -> None:
    full = scores[scores["method"] == "none"]
    if len(full):
        accuracy = full["heldout_accuracy"].iloc[0]
        axes.axhline(accuracy, color="0.3", linestyle="--", linewidth=0.9, label="no clustering")
    for method, colour in COLOURS.items():
        path = scores[scores["method"] == method]
        best = path.sort_values("nu").drop_duplicates(["n_clusters", "heldout_accuracy"])
        axes.plot(
            best["n_clusters"],
            best["heldout_accuracy"],
            MARKERS[method],
            markersize=2,
            alpha=0.5,
            color=colour,
            label=WORD_METHOD_NAMES[method],
        )
        chosen = path[path["selected"]]
        axes.plot(
            chosen["n_clusters"],
            chosen["heldout_accuracy"],
            MARKERS[method],
            markersize=8,
            markerfacecolor=colour,
            markeredgecolor="black",
            zorder=4,
        )
        theirs = published[
            (published["table"] == "real_at_clusters")
            & (published["design"] == scores["corpus"].iloc[0])
            & (published["method"] == method)
        ]
        axes.plot(
            theirs["measure"].str.extract(r"_at_(\d+)_")[0].astype(float),
            theirs["mean"],
            MARKERS[method],
            markersize=6,
            markerfacecolor="none",
            markeredgecolor=colour,
            zorder=3,
        )


def trust_figure(scores: pd.DataFrame, title: str = "") -> Figure:
    """Held-out accuracy over evidence of every clustering: a row per corpus, a column per method.

    Parameters
    ----------
    scores : DataFrame
        ``corpus, method, n_clusters, log_marginal_likelihood, heldout_accuracy, selected``.
    title : str
        Printed above the figure.
    """
    corpora = [corpus for corpus in CORPUS_NAMES if (scores["corpus"] == corpus).any()]
    with style():
        figure = Figure(figsize=(8.0, 2.5 * len(corpora) + 0.6))
        grid = figure.subplots(
            len(corpora), len(COLOURS), sharex="row", sharey="row", squeeze=False
        )
        for panels, corpus in zip(grid, corpora, strict=True):
            for axes, method in zip(panels, COLOURS, strict=True):
                _trust(axes, scores[(scores["corpus"] == corpus) & (scores["method"] == method)])
            panels[0].set_ylabel(f"{CORPUS_NAMES[corpus]}\nheld-out accuracy")
        for axes, method in zip(grid[0], COLOURS, strict=True):
            axes.set_title(WORD_METHOD_NAMES[method])
        for axes in grid[-1]:
            axes.set_xlabel("log marginal likelihood, nats")
        handles, names = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
        headline(figure, title)
    return figure


def _trust(axes: Any, path: pd.DataFrame) -> None:
    dots = path.drop_duplicates(["log_marginal_likelihood", "heldout_accuracy"])
    x, y = "log_marginal_likelihood", "heldout_accuracy"
    axes.scatter(dots[x], dots[y], 7, color="0.5", alpha=0.6, lw=0, label="clustering")
    chosen = path[path["selected"]]
    axes.scatter(
        chosen[x], chosen[y], 30, facecolor="none", edgecolor=SELECTED, label="selected", zorder=3
    )
    best = path.loc[[path[y].idxmax()]] if len(path) else path
    for rows, text in ((chosen, "selected"), (best, "best")):
        for _, row in rows.iterrows():
            axes.annotate(
                f"{row['n_clusters']}",
                (row[x], row[y]),
                xytext=(3, -9 if text == "selected" else 3),
                textcoords="offset points",
                fontsize=7,
            )
    axes.margins(0.12)
    axes.xaxis.set_major_locator(MaxNLocator(4))
