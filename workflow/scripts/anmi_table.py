"""Table of ANMI: ours beside the published one."""

from pathlib import Path

import pandas as pd

from ccc.job import run
from ccc.tables import compare, to_csv, to_latex, to_markdown

CAPTION = (
    "ANMI of the selected clusterings with the true one on the {design} design: mean and, in "
    "brackets, standard deviation over repetitions, ours beside the published."
)
MEASURES = {"anmi": "anmi", "anmi_arithmetic": "anmi_arithmetic", "n_clusters": "clusters"}


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores])
    published = pd.read_csv(input.published)
    frame = compare(measurements(scores), published, params.table, params.reduction)
    caption = CAPTION.format(design=frame["design"].iloc[0])
    Path(output.csv).write_text(to_csv(frame), encoding="utf-8")
    Path(output.markdown).write_text(to_markdown(frame, "anmi", caption), encoding="utf-8")
    Path(output.latex).write_text(to_latex(frame, "anmi", caption), encoding="utf-8")


def measurements(scores):
    """Long form: the selected clustering of each repetition, and the best one on its path."""
    axes = ["design", "method", "d", "n"]
    repetition = scores.groupby([*axes, "repetition"], sort=False)
    selected = scores[scores["selected"]].set_index([*axes, "repetition"])
    selected["worst_gap"] = repetition["gap"].max()
    best = repetition.agg(value=("anmi", "max"), worst_gap=("gap", "max")).reset_index()
    rows = [
        selected.reset_index()[[*axes, column, "worst_gap"]]
        .rename(columns={column: "value"})
        .assign(measure=measure, selection="marginal_likelihood")
        for column, measure in MEASURES.items()
    ]
    return pd.concat([*rows, best.assign(measure="anmi", selection="best_on_path")])


if "snakemake" in globals():
    run(main, snakemake)
