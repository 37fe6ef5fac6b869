"""Select a clustering of each path by cross-validation: S and path are made anew in each fold."""

import runpy

import numpy as np

from ccc.clusterings import Clusterings
from ccc.data import Dataset
from ccc.job import run
from ccc.results import Path
from ccc.selection import SigmaChoice, select
from ccc.similarity import ledoit_wolf
from ccc.storage import save_npz


def main(input, output, params, threads):
    load = Path.load if params.method == "proposed" else Clusterings.load
    cluster = runpy.run_path(input.clustering)["cluster"]
    files = zip(
        *[input.data, input.sigma, input.path],
        *[output.accuracy, output.log_probability, output.gaps],
        strict=True,
    )
    for data_file, sigma_file, path_file, accuracy_file, log_probability_file, gaps_file in files:
        data, path, gaps = Dataset.load(data_file), load(path_file), []
        by_accuracy = select(
            path,
            data.X,
            data.y,
            "cv",
            score="accuracy",
            sigma_choice=SigmaChoice.load(sigma_file),
            sigma_rule=params.sigma_rule,
            recluster=recluster(cluster, data.S_true, params, gaps),
        )
        by_accuracy.save(accuracy_file)
        by_accuracy.by("log_probability", path).save(log_probability_file)
        save_npz(gaps_file, gap=gaps)


def recluster(cluster, S_true, params, gaps):
    """The clusterings of a training sample, by the script that made those of the whole one.

    The largest duality gap on each of these paths is appended to ``gaps``.
    """

    def labels(X, y):
        S = S_true if params.similarity == "true" else ledoit_wolf(X, y)
        path = cluster(S, X, y, **params.settings)
        gaps.append(np.max(path.gap))
        return path.labels

    return labels


if "snakemake" in globals():
    run(main, snakemake)
