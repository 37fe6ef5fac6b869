"""Table of what the rules for σ would select, for the proposed method."""

import pandas as pd

from ccc.job import run
from ccc.tables import SMALL_PRINT, footnote, side_by_side, summarise, write_table

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
    shapes = {markup: [shape(frame, params, markup)] for markup in ("markdown", "latex")}
    write_table(output, frame, shapes, CAPTION, footnote(frame), params.table)


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
