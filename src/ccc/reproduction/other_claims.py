"""Rules for the claims of Section 4.1, on runtimes, and of Section 5, on corpora."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ccc.reproduction.finding import Finding
from ccc.reproduction.synthetic_claims import LARGE_D, MANY
from ccc.tables.real import ABOUT, CORPUS_NAMES, WORD_METHOD_NAMES

__all__ = [
    "ABOUT",
    "admm_faster_than_general_solvers",
    "admm_scales",
    "apple_without_cherry",
    "compact_without_loss",
    "far_more_compact_on_imdb",
    "like_kmeans_on_newsgroups",
    "ratings_apart",
]

Tables = Mapping[str, pd.DataFrame]

N_POWER, D_POWER, FASTER = 1.0, 2.0, 2.0
SAME_ACCURACY = 0.02
GENERAL = {"ecos": "ECOS", "scs": "SCS"}


def admm_scales(tables: Tables) -> Finding:
    """The powers of n and d that fit ADMM's times best, by least squares of logarithms."""
    rows = tables["runtime"]
    rows = rows[(rows["method"] == "admm") & rows["mean"].notna()]
    design = np.column_stack([np.ones(len(rows)), np.log(rows["n"]), np.log(rows["d"])])
    if len(rows) < 3 or np.linalg.matrix_rank(design) < 3:
        return Finding("not examined", f"{len(rows)} cells with a time, too few for a fit")
    _, n_power, d_power = np.linalg.lstsq(design, np.log(rows["mean"]), rcond=None)[0]
    numbers = f"time like n^{n_power:.2f} d^{d_power:.2f} over {len(rows)} cells"
    return Finding.of_cells([bool(n_power <= N_POWER), bool(d_power <= D_POWER)], numbers)


def admm_faster_than_general_solvers(tables: Tables) -> Finding:
    """Ratios of the times of ECOS and SCS to ADMM's; what ran out of time counts as at least."""
    rows = tables["runtime"].copy()
    rows["known"] = rows["mean"].fillna(rows["at_least"])
    large = (rows["d"] == LARGE_D) | (rows["n"] == MANY)
    wide = rows[large].pivot(index=["d", "n"], columns="method", values="known")
    wide = wide.reindex(columns=["admm", *GENERAL])
    holds, texts = [], []
    for solver, name in GENERAL.items():
        ratios = (wide[solver] / wide["admm"]).rename("ratio").reset_index()
        for d, n, ratio in ratios.itertuples(index=False):
            holds.append(bool(ratio > FASTER))
            texts.append(f"{name} ({d}, {n}) {_times(float(ratio))}")
    return Finding.of_cells(holds, ", ".join(texts))


def _times(ratio: float) -> str:
    return "no number" if np.isnan(ratio) else f"{ratio:.2g} times"


def compact_without_loss(tables: Tables) -> Finding:
    """Clusters and accuracy of the proposed method against the full model."""
    holds, texts = [], []
    for corpus, wide in _selected(tables):
        ours, full = wide.loc["proposed"], wide.loc["none"]
        holds.append(
            bool(
                ours["clusters"] < full["clusters"]
                and ours["heldout_accuracy"] >= full["heldout_accuracy"] - SAME_ACCURACY
            )
        )
        texts.append(
            f"{CORPUS_NAMES[corpus]} {ours['clusters']:.0f} of {full['clusters']:.0f} clusters, "
            f"accuracy {ours['heldout_accuracy']:.3f} against {full['heldout_accuracy']:.3f}"
        )
    return Finding.of_cells(holds, "; ".join(texts))


def far_more_compact_on_imdb(tables: Tables) -> Finding:
    """Clusters and accuracy of the three methods on IMDB."""
    wide = dict(_selected(tables))["imdb"]
    ours = wide.loc["proposed"]
    holds = [
        bool(
            2 * ours["clusters"] <= wide["clusters"][other]
            and ours["heldout_accuracy"] >= wide["heldout_accuracy"][other] - SAME_ACCURACY
        )
        for other in ("convex", "kmeans")
    ]
    texts = [
        f"{WORD_METHOD_NAMES[str(method)]} {row['clusters']:.0f} clusters, "
        f"accuracy {row['heldout_accuracy']:.3f}"
        for method, row in wide.drop(index="none").iterrows()
    ]
    return Finding.of_cells(holds, "; ".join(texts))


def like_kmeans_on_newsgroups(tables: Tables) -> Finding:
    """Accuracies of both on Newsgroup20: selected, and at equal numbers of clusters."""
    rows = pd.concat(tables.values())
    rows = rows[rows["design"] == "newsgroup20"]
    rows = rows[rows["measure"].str.startswith("heldout_accuracy")]
    wide = rows.pivot(index="measure", columns="method", values="mean")[["proposed", "kmeans"]]
    # Without a clustering of that size there is nothing to compare.
    wide = wide.dropna()
    near = (wide["proposed"] - wide["kmeans"]).abs() <= SAME_ACCURACY
    texts = [
        f"{str(measure).removeprefix('heldout_accuracy').replace('_', ' ').strip() or 'selected'}: "
        f"{row['proposed']:.3f} against {row['kmeans']:.3f}"
        for measure, row in wide.iterrows()
    ]
    return Finding.of_cells(near.tolist(), ", ".join(texts))


def ratings_apart(tables: Tables) -> Finding:
    """Clusters with good and bad ratings, method by method."""
    rows = tables["ratings"].set_index("method")
    least = rows["n_clusters"]["proposed"] / ABOUT
    holds = [bool(rows["mixed"]["proposed"] == 0)]
    texts = []
    for method, row in rows.iterrows():
        text = (
            f"{WORD_METHOD_NAMES[str(method)]} ({row['n_clusters']} clusters) {row['mixed']} mixed "
            f"of {row['clusters_of_ratings']} clusters with ratings"
        )
        if method != "proposed":
            if row["n_clusters"] >= least:
                holds.append(bool(row["mixed"] > 0))
            else:
                text += ", too few clusters to compare"
        texts.append(text)
    return Finding.of_cells(holds, ", ".join(texts))


def apple_without_cherry(tables: Tables) -> Finding:
    """Whether both words share a cluster, under k-means and under the proposed method."""
    rows = tables["real_excerpts"]
    asked = rows["groups"].map(lambda groups: {"apple", "cherry"} <= set(groups.split()))
    rows = rows[(rows["corpus"] == "newsgroup20") & asked].set_index("method")
    if not {"kmeans", "proposed"} <= set(rows.index):
        return Finding("not examined", "not both words are among the covariates")
    clusters = rows["clusters_of_words"]
    holds = [bool(clusters["kmeans"] == 1), bool(clusters["proposed"] == 2)]
    texts = [
        f"{WORD_METHOD_NAMES[str(method)]} ({row['n_clusters']} clusters): {row['groups']}"
        for method, row in rows.iterrows()
    ]
    return Finding.of_cells(holds, "; ".join(texts))


def _selected(tables: Tables) -> list[tuple[str, pd.DataFrame]]:
    """Of each corpus, methods by measures."""
    rows = tables["real_selected"]
    return [
        (str(corpus), block.pivot(index="method", columns="measure", values="mean"))
        for corpus, block in rows.groupby("design", sort=False)
    ]
