"""Words and their clusters: accuracy against compactness, and what the evidence knows of it."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ccc.palette import tinted
from ccc.plots.style import CLASS_COLOURS, LINE, SELECTED, headline, style
from ccc.tables.real import CORPUS_NAMES, WORD_METHOD_NAMES

__all__ = ["compactness_figure", "trust_figure"]

LEVEL: Any = {"color": "0.3", "linestyle": "--", "linewidth": 0.9}
NUMBER: Any = {"marker": "$188$", "markersize": 14, "color": "black", "markeredgewidth": 0}
COLOURS = dict(zip(("proposed", "convex", "kmeans"), CLASS_COLOURS[4::-2], strict=True))
MARKERS = {"proposed": "o", "convex": "s", "kmeans": "^"}
# Those of convex clustering lie close together where the others have hundreds and what is selected.
LAYERS = {"kmeans": 2.1, "proposed": 2.2, "selected": 2.3, "convex": 2.4, "published": 2.5}
PALE = 0.45  # share of the colour in a large mark, on which points can still be seen


def compactness_figure(scores: pd.DataFrame, published: pd.DataFrame, title: str = "") -> Figure:
    """Held-out accuracy over the number of clusters, a panel per corpus.

    Parameters
    ----------
    scores : DataFrame
        ``corpus, method, n_clusters, heldout_accuracy, selected``, a row per clustering.
    published : DataFrame
        The paper's numbers; its three points per method are drawn hollow, if they are there.
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
        marks = _marks(published=len(published) > 0)
        figure.legend(handles=marks, loc="outside lower center", ncols=3)
        headline(figure, title)
    return figure


def _marks(published: bool) -> list[Line2D]:
    """What the marks of the figure mean, each as large as it can be told apart."""

    def mark(label: str, marker: str = "o", size: float = 5, **look: Any) -> Line2D:
        return Line2D([], [], marker=marker, markersize=size, linestyle="", label=label, **look)

    methods = [
        mark(WORD_METHOD_NAMES[method], MARKERS[method], color=colour)
        for method, colour in COLOURS.items()
    ]
    level = Line2D([], [], **LEVEL, label="no clustering")
    large = mark(
        "large: selected by marginal likelihood", size=8, color="0.8", markeredgecolor="black"
    )
    hollow = mark("hollow: published", size=6, color="0.3", markerfacecolor="none")
    kinds = [level, large, *([hollow] if published else [])]
    # Legends are filled column by column: a kind below each method.
    return [each for pair in zip_longest(methods, kinds) for each in pair if each is not None]


def _compactness(axes: Any, scores: pd.DataFrame, published: pd.DataFrame) -> None:
    full = scores[scores["method"] == "none"]
    if len(full):
        accuracy = full["heldout_accuracy"].iloc[0]
        axes.axhline(accuracy, **LEVEL)
    for method, colour in COLOURS.items():
        path = scores[scores["method"] == method]
        best = path.sort_values("nu").drop_duplicates(["n_clusters", "heldout_accuracy"])
        axes.plot(
            best["n_clusters"],
            best["heldout_accuracy"],
            MARKERS[method],
            markersize=2,
            alpha=0.6,
            color=colour,
            zorder=LAYERS[method],
        )
        chosen = path[path["selected"]]
        axes.plot(
            chosen["n_clusters"],
            chosen["heldout_accuracy"],
            MARKERS[method],
            markersize=8,
            markerfacecolor=tinted(colour, PALE),
            markeredgecolor="black",
            zorder=LAYERS["selected"],
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
            zorder=LAYERS["published"],
        )


def trust_figure(scores: pd.DataFrame, title: str = "") -> Figure:
    """Held-out accuracy over evidence of every clustering: a row per corpus, a column per method.

    The axes of a row are the same, but for convex clustering: its clusterings are so much alike
    that they would be a blot there.

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
        grid = figure.subplots(len(corpora), len(COLOURS), squeeze=False)
        for panels, corpus in zip(grid, corpora, strict=True):
            of_method = dict(zip(COLOURS, panels, strict=True))
            of_method["kmeans"].sharex(of_method["proposed"])
            of_method["kmeans"].sharey(of_method["proposed"])
            for method, axes in of_method.items():
                _trust(axes, scores[(scores["corpus"] == corpus) & (scores["method"] == method)])
            panels[0].set_ylabel(f"{CORPUS_NAMES[corpus]}\nheld-out accuracy")
        for axes, method in zip(grid[0], COLOURS, strict=True):
            own = " (axes of its own)" if method == "convex" else ""
            axes.set_title(f"{WORD_METHOD_NAMES[method]}{own}")
        for axes in grid[-1]:
            axes.set_xlabel("log marginal likelihood, nats")
        handles, _ = grid[0, 0].get_legend_handles_labels()
        number = Line2D([], [], linestyle="", **NUMBER, label="its number of clusters")
        figure.legend(handles=[*handles, number], loc="outside lower center", ncols=4)
        headline(figure, title)
    return figure


def _trust(axes: Any, path: pd.DataFrame) -> None:
    dots = path.drop_duplicates(["log_marginal_likelihood", "heldout_accuracy"])
    x, y = "log_marginal_likelihood", "heldout_accuracy"
    axes.scatter(dots[x], dots[y], 7, color="0.5", alpha=0.6, lw=0, label="clustering")
    chosen = path[path["selected"]]
    best = path.loc[[path[y].idxmax()]] if len(path) else path
    for rows, marker, colour, label in (
        (chosen, "o", SELECTED, "selected"),
        (best, "D", LINE, "most accurate"),
    ):
        look = {"facecolor": "none", "edgecolor": colour, "zorder": 3}
        axes.scatter(rows[x], rows[y], 30, marker=marker, label=label, **look)
    numbered = {-9: chosen, 4: best[~best.index.isin(chosen.index)]}
    for below, rows in numbered.items():
        for _, row in rows.iterrows():
            axes.annotate(
                f"{row['n_clusters']}",
                (row[x], row[y]),
                xytext=(4, below),
                textcoords="offset points",
                fontsize=7,
            )
    axes.margins(0.14)
    axes.xaxis.set_major_locator(MaxNLocator(3))
