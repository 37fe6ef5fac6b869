"""Table of the variants of the experiment beside the published numbers."""

import pandas as pd

from ccc.job import run
from ccc.tables import SMALL_PRINT, distances, footnote, side_by_side, summarise, write_table

CAPTION = (
    "ANMI of the proposed method, selected by the marginal likelihood, in the variants of the "
    "experiment: mean (sd) over repetitions, in small print the mean number of clusters. "
    "{variants} Below: how far the means are from the published ones, over the cells that a "
    "variant has, and how far those of the main experiment are on the same cells."
)
WAY, MAIN = "study", "synthetic"


def main(input, output, params, threads):
    selected = pd.concat([pd.read_csv(file) for file in input.selected])
    selected = selected[selected["selected_by"] == f"evidence_{params.sigma_rule}"]
    published = pd.read_csv(input.published)
    frame = summarise(
        selected, WAY, published, "marginal_likelihood", params.table, params.reduction
    )
    far = distances(frame, WAY, MAIN)
    gaps = frame.groupby(WAY)["worst_gap"].max()
    names = {MAIN: "main"} | {name: name.replace("_", " ") for name in params.variants}
    described = [f"'{names[name]}': {text}." for name, text in params.variants.items()]
    caption = CAPTION.format(variants=" ".join(described))
    shapes = {
        markup: [side_by_side(frame, WAY, names, SMALL_PRINT[markup]), shape(far, gaps, names)]
        for markup in ("markdown", "latex")
    }
    write_table(output, frame.merge(far, on=WAY), shapes, caption, footnote(frame), params.table)


def shape(far, gaps, names):
    """The distances as text, and the worst duality gap of each variant."""
    pairs = {
        "mean absolute difference": ["mean_absolute", "reference_mean_absolute"],
        "root mean square": ["root_mean_square", "reference_root_mean_square"],
    }
    text = pd.DataFrame({"variant": far[WAY].map(names), "cells": far["cells"]})
    for heading, columns in pairs.items():
        for column, whose in zip(columns, ["", " (main)"], strict=True):
            text[heading + whose] = [f"{value:.3f}" for value in far[column]]
    return text.assign(**{"worst gap": [f"{gap:.1e}" for gap in far[WAY].map(gaps)]})


if "snakemake" in globals():
    run(main, snakemake)
