"""Tables of selected clusterings: one column per way of selecting, the published one beside them.

All start from the list of selected clusterings, a row per repetition and criterion with the columns
``study, design, method, d, n, repetition, parameter, nu, selected_by, n_clusters, anmi,
anmi_arithmetic, sigma, n_tied_sigma, worst_gap``. ``selected_by`` is ``evidence_<rule for σ>``,
``cv_<score>`` or ``best_on_path``; ``nu`` the value of ``parameter``.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ccc.data.synthetic import DESIGNS
from ccc.tables.layout import MISSING, mean_sd
from ccc.tables.paper import METHODS

__all__ = ["distances", "measurements", "side_by_side", "summarise"]

CELL = ["design", "method", "d", "n"]
MEASURES = {"anmi": "anmi", "anmi_arithmetic": "anmi_arithmetic", "n_clusters": "clusters"}


def measurements(selected: pd.DataFrame, selections: Mapping[str, str]) -> pd.DataFrame:
    """The long form that :func:`ccc.tables.compare` reads.

    Parameters
    ----------
    selected : DataFrame
        See the module.
    selections : mapping
        ``selected_by`` to the name of the selection in the table; others are left out.
    """
    rows = selected[selected["selected_by"].isin(list(selections))]
    rows = rows.assign(selection=rows["selected_by"].map(dict(selections)))
    measured = [
        rows.assign(value=rows[column], measure=measure) for column, measure in MEASURES.items()
    ]
    columns = [*CELL, "selection", "value", "measure", "worst_gap"]
    return pd.concat([*measured, _where(rows)])[columns]


def _where(rows: pd.DataFrame) -> pd.DataFrame:
    r"""Where on its path a clustering is: :math:`\log_2(\nu / n)`, γ or k.

    The grid of ν is geometric and in proportion to n, so that this is its even scale.
    """
    of_nu = rows["parameter"] == "nu"
    return rows.assign(
        value=np.where(of_nu, np.log2(rows["nu"] / rows["n"]), rows["nu"]),
        measure=rows["parameter"].where(~of_nu, "log2_nu_over_n"),
    )


def summarise(
    selected: pd.DataFrame,
    way: str,
    published: pd.DataFrame,
    selection: str,
    table: str,
    note: str = "",
) -> pd.DataFrame:
    """Means and standard deviations over repetitions for each cell and way of selecting.

    Parameters
    ----------
    selected : DataFrame
        See the module; with a column ``way``.
    way : str
        The column that tells the ways apart, for instance ``"study"``.
    published : DataFrame
        The paper's numbers.
    selection : str
        The published selection that stands beside all of them.
    table, note : str
        Name of the table; what must be said of every row.

    Returns
    -------
    DataFrame
        ``table, design, method, d, n``, ``way``, ``mean, sd, clusters, clusters_sd, sigma_min,
        sigma_max, tied_sigmas, published_mean, published_sd, difference, repetitions, worst_gap,
        note``; ``difference`` is ours minus the published mean.
    """
    ours = (
        selected.groupby([*CELL, way], sort=False)
        .agg(
            mean=("anmi", "mean"),
            sd=("anmi", "std"),
            clusters=("n_clusters", "mean"),
            clusters_sd=("n_clusters", "std"),
            sigma_min=("sigma", "min"),
            sigma_max=("sigma", "max"),
            tied_sigmas=("n_tied_sigma", "mean"),
            repetitions=("anmi", "size"),
            worst_gap=("worst_gap", "max"),
        )
        .reset_index()
    )
    theirs = published[(published["measure"] == "anmi") & (published["selection"] == selection)]
    theirs = theirs.rename(columns={"mean": "published_mean", "sd": "published_sd"})
    rows = ours.merge(
        theirs[[*CELL, "published_mean", "published_sd"]], on=CELL, how="left", validate="m:1"
    )
    rows = rows.assign(table=table, difference=rows["mean"] - rows["published_mean"], note=note)
    rows = rows.sort_values(CELL, key=_order, kind="stable", ignore_index=True)
    last = ["published_mean", "published_sd", "difference", "repetitions", "worst_gap", "note"]
    first = ["table", *CELL, way]
    return rows[[*first, *rows.columns.difference([*first, *last], sort=False), *last]]


def side_by_side(
    frame: pd.DataFrame, way: str, names: Mapping[str, str], small_print: str = ""
) -> pd.DataFrame:
    """ANMI as text: a row per cell, a column per way of selecting, and the published one.

    Parameters
    ----------
    frame : DataFrame
        What :func:`summarise` returns.
    way : str
        Its column that becomes columns.
    names : mapping
        Values of ``way``, in order, to headings.
    small_print : str
        How the mean number of clusters is set beside each value; empty leaves it out.
    """
    ours = [mean_sd(mean, sd) for mean, sd in zip(frame["mean"], frame["sd"], strict=True)]
    if small_print:
        sizes = [small_print.format(f"{clusters:.1f}") for clusters in frame["clusters"]]
        ours = [f"{text} {size}" for text, size in zip(ours, sizes, strict=True)]
    wide = frame.assign(text=ours).pivot(index=CELL, columns=way, values="text")
    cells = frame.drop_duplicates(CELL).set_index(CELL)
    wide = wide.reindex(index=cells.index, columns=list(names)).rename(columns=dict(names))
    published = zip(cells["published_mean"], cells["published_sd"], strict=True)
    wide["paper"] = [MISSING if pd.isna(mean) else mean_sd(mean, sd) for mean, sd in published]
    text = wide.fillna(MISSING).reset_index()
    text["method"] = text["method"].map(lambda method: METHODS.get(method, method))
    return text if frame["method"].nunique() > 1 else text.drop(columns="method")


def distances(frame: pd.DataFrame, way: str, reference: str) -> pd.DataFrame:
    """How far each way's means are from the published ones, over the cells that it has.

    Returns
    -------
    DataFrame
        ``way, cells, mean_absolute, root_mean_square`` of ``difference``, and the latter two of the
        way ``reference`` over the same cells as ``reference_mean_absolute``,
        ``reference_root_mean_square``.
    """
    wide = frame.pivot(index=CELL, columns=way, values="difference")
    rows = []
    for name in frame[way].unique():
        common = wide[wide[name].notna() & wide[reference].notna()]
        sizes = {"": common[name], "reference_": common[reference]}
        rows.append(
            {way: name, "cells": len(common)}
            | {f"{side}mean_absolute": values.abs().mean() for side, values in sizes.items()}
            | {
                f"{side}root_mean_square": np.sqrt((values**2).mean())
                for side, values in sizes.items()
            }
        )
    return pd.DataFrame(rows)


def _order(column: pd.Series) -> pd.Series:
    """Designs and methods in the order of the paper, sizes as numbers."""
    orders = {"design": DESIGNS, "method": tuple(METHODS)}
    if column.name not in orders:
        return column
    return column.map({value: i for i, value in enumerate(orders[str(column.name)])})
