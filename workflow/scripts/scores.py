"""Score every clustering of a cell's paths against the true one."""

import numpy as np
import pandas as pd

from ccc.data import Dataset
from ccc.job import run
from ccc.metrics import anmi
from ccc.results import Path
from ccc.selection import Selection


def main(input, output, params, threads):
    files = zip(input.data, input.paths, input.selections, strict=True)
    frames = [
        score(Dataset.load(data).labels, Path.load(path), Selection.load(selection)).assign(
            **params.axes, repetition=repetition
        )
        for repetition, (data, path, selection) in enumerate(files)
    ]
    first = [*params.axes, "repetition"]
    frame = pd.concat(frames)
    frame[[*first, *frame.columns.difference(first, sort=False)]].to_csv(output.scores, index=False)


def score(truth, path, selection):
    """One row per ν; clusterings that occur twice on the path are scored once."""
    distinct, which = np.unique(path.labels, axis=0, return_inverse=True)
    against = {
        average: np.array([anmi(truth, labels, average=average) for labels in distinct])[which]
        for average in ("max", "arithmetic")
    }
    return pd.DataFrame(
        {
            "nu": path.nus,
            "n_clusters": path.n_clusters,
            "gap": path.gap,
            "status": path.status,
            "anmi": against["max"],
            "anmi_arithmetic": against["arithmetic"],
            "log_marginal_likelihood": selection.scores["log_marginal_likelihood"].to_numpy(),
            "selected": np.arange(len(path)) == selection.index,
        }
    )


if "snakemake" in globals():
    run(main, snakemake)
