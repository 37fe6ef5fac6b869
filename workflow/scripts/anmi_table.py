"""Table of ANMI: ours beside the published one."""

import pandas as pd

from ccc.job import run
from ccc.tables import compare, measurements, to_latex, to_markdown, write_files

CAPTION = (
    "ANMI of the selected clusterings with the true one on the {design} design: mean and, in "
    "brackets, standard deviation over repetitions, ours beside the published. Small numbers: "
    "selected by cross-validation instead of the marginal likelihood."
)


def main(input, output, params, threads):
    selected = pd.concat([pd.read_csv(file) for file in input.selected])
    selections = {
        f"evidence_{params.sigma_rule}": "marginal_likelihood",
        f"cv_{params.score}": "cross_validation",
        "best_on_path": "best_on_path",
    }
    published = pd.read_csv(input.published)
    long = measurements(selected, selections)
    frame = compare(long, published, params.table, params.reduction)
    caption = CAPTION.format(design=frame["design"].iloc[0])
    markdown, latex = (layout(frame, "anmi", caption) for layout in (to_markdown, to_latex))
    write_files(output, frame, markdown, latex, params.table)


if "snakemake" in globals():
    run(main, snakemake)
