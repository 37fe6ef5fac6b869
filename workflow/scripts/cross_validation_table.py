"""Table of cross-validation by accuracy beside cross-validation by log-probability."""

import pandas as pd

from ccc.job import run
from ccc.tables import SMALL_PRINT, footnote, side_by_side, summarise, write_table

CAPTION = (
    "ANMI of the clusterings that 5-fold cross-validation selects, by the accuracy on held-out "
    "samples or by their log-probability, beside the marginal likelihood: mean (sd) over "
    "repetitions, in small print the mean number of clusters. In each fold the similarity is "
    "estimated and the covariates are clustered anew. 'paper': by cross-validation."
)
WAY = "selected_by"


def main(input, output, params, threads):
    selected = pd.concat([pd.read_csv(file) for file in input.selected])
    names = {
        "cv_accuracy": "accuracy",
        "cv_log_probability": "log-probability",
        f"evidence_{params.sigma_rule}": "marginal likelihood",
    }
    selected = selected[selected[WAY].isin(names)]
    published = pd.read_csv(input.published)
    frame = summarise(selected, WAY, published, "cross_validation", params.table, params.reduction)
    shapes = {
        markup: [side_by_side(frame, WAY, names, SMALL_PRINT[markup])]
        for markup in ("markdown", "latex")
    }
    write_table(output, frame, shapes, CAPTION, footnote(frame), params.table)


if "snakemake" in globals():
    run(main, snakemake)
