"""Table of what the rules for σ would select, for the proposed method."""

from pathlib import Path

import pandas as pd

from ccc.job import run
from ccc.tables import (
    SMALL_PRINT,
    footnote,
    latex_table,
    markdown_table,
    side_by_side,
    summarise,
    to_csv,
)

CAPTION = (
    "ANMI of the proposed method under different rules for σ, the standard deviation of the prior: "
    "mean (sd) over repetitions, in small print the mean number of clusters. Several σ share the "
    "best cross-validated accuracy ('tied': mean number, of ten); 'first' takes the smallest of "
    "them, 'last' the largest; 'log-probability' takes the σ with the best held-out "
    "log-probability."
)
WAY = "sigma_rule"


def main(input, output, params, threads):
    selected = pd.concat([pd.read_csv(file) for file in input.selected])
    criteria = {f"evidence_{rule}": rule for rule in params.sigma_rules}
    selected = selected[selected["selected_by"].isin(criteria)]
    selected = selected.assign(**{WAY: selected["selected_by"].map(criteria)})
    published = pd.read_csv(input.published)
    frame = summarise(
        selected, WAY, published, "marginal_likelihood", params.table, params.reduction
    )
    Path(output.csv).write_text(to_csv(frame), encoding="utf-8")
    Path(output.markdown).write_text(
        markdown_table([shape(frame, params, "markdown")], CAPTION, footnote(frame)),
        encoding="utf-8",
    )
    Path(output.latex).write_text(
        latex_table([shape(frame, params, "latex")], CAPTION, footnote(frame), params.table),
        encoding="utf-8",
    )


def shape(frame, params, markup):
    """A column per rule, after the number of tied σ."""
    names = {rule: rule.replace("_", "-") for rule in params.sigma_rules}
    text = side_by_side(frame, WAY, names, SMALL_PRINT[markup])
    by_accuracy = frame[frame[WAY] != "log_probability"].drop_duplicates(["design", "d", "n"])
    tied = [f"{count:.1f}" for count in by_accuracy["tied_sigmas"]]
    text.insert(text.columns.get_loc("n") + 1, "tied", tied)
    return text


if "snakemake" in globals():
    run(main, snakemake)
