"""Every draw by itself: what stands behind the means of the tables of selected clusterings."""

from __future__ import annotations

import pandas as pd

from ccc.tables.paper import DECIMALS, METHODS

__all__ = ["draws_frame", "draws_shape"]

CELL = ["design", "method", "d", "n"]
COLUMNS = [
    *["table", "study", *CELL, "repetition", "selected_by", "parameter", "nu"],
    *["n_clusters", "anmi", "anmi_arithmetic", "sigma", "n_tied_sigma", "worst_gap", "note"],
]


def draws_frame(selected: pd.DataFrame, table: str, note: str = "") -> pd.DataFrame:
    """One row per draw and way of selecting, the columns of :mod:`ccc.tables.selected`.

    Parameters
    ----------
    selected : DataFrame
        See there. ``nu`` is the value of ``parameter``: ν, γ or k.
    table, note : str
        Name of the table; what must be said of every row.
    """
    rounded = {name: selected[name].round(DECIMALS) + 0.0 for name in ("anmi", "anmi_arithmetic")}
    return selected.assign(table=table, note=note, **rounded)[COLUMNS].reset_index(drop=True)


def draws_shape(frame: pd.DataFrame, study: str, selected_by: str) -> pd.DataFrame:
    """ANMI and number of clusters of each draw as text: one row per cell of a study."""
    rows = frame[(frame["study"] == study) & (frame["selected_by"] == selected_by)]
    rows = rows.assign(
        anmi=(rows["anmi"].round(2) + 0.0).map("{:.2f}".format),
        n_clusters=rows["n_clusters"].astype(str),
    )
    text = (
        rows.sort_values("repetition", kind="stable")
        .groupby(CELL, sort=False)[["anmi", "n_clusters"]]
        .agg(" ".join)
        .reset_index()
    )
    text["method"] = text["method"].map(METHODS)
    return text.rename(columns={"anmi": "ANMI", "n_clusters": "clusters"})
