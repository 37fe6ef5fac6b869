"""The paper's tables: a long frame beside the published numbers, and the same in their shape.

The long frame has one row per experiment and measure, with the columns :data:`COLUMNS`; it is what
is written as CSV. :func:`to_markdown` and :func:`to_latex` lay it out as the paper does: a block
per method, a row per d, a column per n, ``mean (sd)``, ours and the published side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from ccc.tables.layout import MISSING, SMALL_PRINT, bar, escape, mean_sd

__all__ = [
    "COLUMNS",
    "DECIMALS",
    "KEY",
    "METHODS",
    "compare",
    "footnote",
    "to_latex",
    "to_markdown",
]

KEY = ["table", "design", "method", "d", "n", "measure", "selection"]
COLUMNS = [
    *KEY,
    *["mean", "sd", "note"],
    *["published_mean", "published_sd", "repetitions", "worst_gap"],
]

# The paper's headings, in its order.
METHODS = {
    "proposed": "Proposed Model",
    "convex": "Convex Clustering",
    "kmeans": "k-means Clustering",
}
# Of means and standard deviations; beyond them is rounding.
DECIMALS = 9
MAIN, SMALL = "marginal_likelihood", "cross_validation"


def compare(
    measurements: pd.DataFrame, published: pd.DataFrame, table: str, note: str = ""
) -> pd.DataFrame:
    """Mean and standard deviation over repetitions, beside the published values.

    Parameters
    ----------
    measurements : DataFrame
        One row per repetition: ``design, method, d, n, measure, selection, value, worst_gap``;
        ``selection`` is ``""`` where nothing is selected.
    published : DataFrame
        The paper's numbers, with the columns ``table`` to ``note`` of :data:`COLUMNS`.
    table : str
        Name of the table.
    note : str
        What must be said of every row, for instance that the run is a reduced one.

    Returns
    -------
    DataFrame
        The columns :data:`COLUMNS`. ``sd`` is the sample standard deviation (divisor r - 1), empty
        for a single repetition; ``worst_gap`` the largest relative duality gap of any solution that
        the row rests on; what the paper does not report is empty.
    """
    ours = (
        measurements.assign(table=table)
        .groupby(KEY, sort=False)
        .agg(
            mean=("value", "mean"),
            sd=("value", "std"),
            repetitions=("value", "size"),
            worst_gap=("worst_gap", "max"),
        )
        .reset_index()
    )
    # What should be zero is not, and otherwise on other processors.
    ours[["mean", "sd"]] = ours[["mean", "sd"]].round(DECIMALS) + 0.0
    theirs = published.fillna({"selection": "", "note": ""}).rename(
        columns={"mean": "published_mean", "sd": "published_sd", "note": "published_note"}
    )
    rows = ours.merge(theirs, on=KEY, how="left", validate="one_to_one")
    rows["note"] = [
        "; ".join(filter(None, [note, f"published value {remark}" if remark else ""]))
        for remark in rows["published_note"].fillna("")
    ]
    order = rows["method"].map({method: i for i, method in enumerate(METHODS)})
    return (
        rows.assign(order=order)
        .sort_values(["order", "method", "d", "n"], kind="stable", na_position="last")
        .reset_index(drop=True)[COLUMNS]
    )


def to_markdown(frame: pd.DataFrame, measure: str, caption: str) -> str:
    """One measure of a long table in the paper's shape, as Markdown."""
    rows = frame[frame["measure"] == measure]
    lines = [caption, ""]
    for method, block in _blocks(rows):
        sizes = sorted(block["n"].unique())
        header = ["d", *(f"n = {n} | paper" for n in sizes)]
        lines += [f"**{method}**", "", bar(header), bar(["--:"] + [":-- | :--"] * len(sizes))]
        for d, row in block.groupby("d"):
            cells = (_cell(row, n, prefix, "markdown") for n in sizes for prefix in _SIDES)
            lines.append(bar([str(d), *cells]))
        lines.append("")
    return "\n".join([*lines, footnote(rows), ""])


def to_latex(frame: pd.DataFrame, measure: str, caption: str) -> str:
    """One measure of a long table in the paper's shape, as LaTeX (booktabs, multirow)."""
    rows = frame[frame["measure"] == measure]
    widest = max(block["n"].nunique() for _, block in _blocks(rows))
    width = 2 + 2 * widest
    lines = [
        r"\begin{table}",
        rf"\caption{{{escape(caption)} {escape(footnote(rows))}}}",
        rf"\label{{tab:{frame['table'].iloc[0]}}}",
        r"\centering",
        r"\footnotesize",
        rf"\begin{{tabular}}{{cc{'ll' * widest}}}",
    ]
    for i, (method, block) in enumerate(_blocks(rows)):
        sizes = sorted(block["n"].unique())
        lines += [
            r"\toprule" if i == 0 else r"\midrule",
            rf"\multicolumn{{{width}}}{{c}}{{{method.replace('k-means', '$k$-means')}}} \\",
            r"\midrule",
            rf" & & \multicolumn{{{2 * len(sizes)}}}{{c}}{{n}} \\",
            " & & " + " & ".join(rf"\multicolumn{{2}}{{c}}{{\bf {n}}}" for n in sizes) + r" \\",
            " & & " + " & ".join(["ours & paper"] * len(sizes)) + r" \\",
        ]
        for j, (d, row) in enumerate(block.groupby("d")):
            side = rf"\multirow{{{block['d'].nunique()}}}{{*}}{{d}}" if j == 0 else ""
            cells = [_cell(row, n, prefix, "latex") for n in sizes for prefix in _SIDES]
            lines.append(" & ".join([side, rf"\bf {d}", *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


_SIDES = ("", "published_")


def _blocks(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    shown = rows[rows["selection"].isin([MAIN, SMALL])]
    for method, block in shown.groupby("method", sort=False):
        yield METHODS.get(str(method), str(method)), block


def _cell(row: pd.DataFrame, n: Any, prefix: str, markup: str) -> str:
    """``mean (sd)`` by marginal likelihood, then by cross-validation in small print."""
    parts = []
    for selection, wrap in ((MAIN, "{}"), (SMALL, SMALL_PRINT[markup])):
        found = row[(row["n"] == n) & (row["selection"] == selection)]
        if len(found) and pd.notna(found[f"{prefix}mean"].iloc[0]):
            values = found.iloc[0][[f"{prefix}mean", f"{prefix}sd"]]
            parts.append(wrap.format(mean_sd(*values)))
    return " ".join(parts) or MISSING


def footnote(rows: pd.DataFrame) -> str:
    """Repetitions, worst gap, and what was left out: read from the rows, so that it cannot lie."""
    counts = sorted(rows["repetitions"].unique())
    sentences = [f"{'–'.join(str(c) for c in counts)} repetitions."]
    if rows["worst_gap"].notna().any():
        sentences.append(
            f"Worst relative duality gap of any solution: {rows['worst_gap'].max():.1e}."
        )
    remarks = sorted({note for note in rows["note"] if note})
    sentences += [f"{remark[0].upper()}{remark[1:]}." for remark in remarks]
    return " ".join(sentences)
