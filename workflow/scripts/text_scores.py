"""All clusterings of a method with their scores, and which of them the evidence selects."""

import pandas as pd

from ccc.clusterings import Clusterings
from ccc.job import run
from ccc.selection import SigmaChoice, distinct_rows, smallest_of_best
from ccc.storage import new_file


def main(input, output, params, threads):
    path = Clusterings.load(input.clusterings)
    parts = [pd.read_csv(part) for part in input.parts]
    # Beside a part without a row, numbers would become objects.
    scores = pd.concat([part for part in parts if len(part)]).sort_values("clustering")
    _, which = distinct_rows(path.labels)
    frame = pd.DataFrame(
        {
            "parameter": path.parameter,
            "nu": path.nus,
            "n_clusters": path.n_clusters,
            "gap": path.gap,
            "clustering": which,
        }
    )
    columns = ["log_marginal_likelihood", "heldout_accuracy", "heldout_log_probability"]
    for name in columns:
        frame[name] = scores[name].to_numpy()[which]
    frame["map_gap"] = scores["gap"].to_numpy()[which]
    selected = smallest_of_best(frame["log_marginal_likelihood"], frame["n_clusters"], path.nus)
    frame["selected"] = frame.index == selected
    frame["sigma"] = SigmaChoice.load(input.sigma).sigma
    frame = frame.assign(**params.axes)[[*params.axes, *frame.columns]]
    with new_file(output.scores) as file:
        frame.to_csv(file, index=False, float_format="%.10g")


if "snakemake" in globals():
    run(main, snakemake)
