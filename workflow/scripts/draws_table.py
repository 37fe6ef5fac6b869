"""Table of every draw by itself."""

import pandas as pd

from ccc.job import run
from ccc.tables import draws_frame, draws_shape, footnote, write_table

CAPTION = (
    "Every draw by itself: ANMI with the true clustering, and number of clusters, of what the "
    "marginal likelihood selects, in the order of the draws. The CSV file has the other ways of "
    "selecting and the variants of the experiment, too."
)


def main(input, output, params, threads):
    selected = pd.concat([pd.read_csv(file) for file in input.selected])
    frame = draws_frame(selected, params.table, params.reduction)
    shape = draws_shape(frame, "synthetic", f"evidence_{params.sigma_rule}")
    shapes = {"markdown": [shape], "latex": [shape]}
    main_study = frame[frame["study"] == "synthetic"]
    repetitions = frame["repetition"].nunique()
    text = footnote(main_study.assign(repetitions=repetitions))
    write_table(output, frame, shapes, CAPTION, text, params.table)


if "snakemake" in globals():
    run(main, snakemake)
