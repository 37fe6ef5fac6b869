"""Score every clustering of a cell's paths against the true one, and list what was selected."""

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data import Dataset
from ccc.job import run
from ccc.metrics import anmi
from ccc.results import Path
from ccc.selection import Selection
from ccc.storage import load_npz, new_file

BEST = "best_on_path"


def main(input, output, params, threads):
    load = Path.load if params.axes["method"] == "proposed" else Clusterings.load
    repetitions = len(input.data)
    scores, selected = [], []
    for repetition, (data, path_file) in enumerate(zip(input.data, input.paths, strict=True)):
        path = load(path_file)
        # One file per criterion and repetition, the repetitions of a criterion side by side.
        selections = [Selection.load(file) for file in input.selections[repetition::repetitions]]
        fold_gaps = [load_npz(file)["gap"] for file in input.fold_gaps[repetition::repetitions]]
        truth = Dataset.load(data).labels
        frame = score(truth, path, selections)
        axes = params.axes | {"repetition": repetition}
        scores.append(with_axes(frame, axes))
        selected.append(with_axes(chosen(truth, frame, path, selections, fold_gaps), axes))
    for frames, name in ((scores, output.scores), (selected, output.selected)):
        with new_file(name) as file:
            pd.concat(frames).to_csv(file, index=False, float_format="%.10g")


def score(truth, path, selections):
    """One row per position on the path; clusterings that occur twice are scored once."""
    distinct, which = np.unique(path.labels, axis=0, return_inverse=True)
    columns = {
        "parameter": getattr(path, "parameter", "nu"),
        "nu": path.nus,
        "n_clusters": path.n_clusters,
        "gap": path.gap,
        "anmi": np.array([anmi(truth, labels) for labels in distinct])[which],
    }
    for selection in selections:
        name = f"selected_by_{name_of(selection)}"
        columns |= {name: np.arange(len(path.nus)) == selection.index}
        if selection.column == "log_marginal_likelihood":
            columns.setdefault(selection.column, selection.scores[selection.column].to_numpy())
        else:
            columns[f"cv_{selection.column}"] = selection.scores[selection.column].to_numpy()
    return pd.DataFrame(columns)


def chosen(truth, frame, path, selections, fold_gaps):
    """One row per criterion: the clustering that it selects, and the best that it could have.

    ``worst_gap`` is the largest of all solutions that the choice rests on: those of the path and,
    for cross-validation, those of the folds.
    """
    picks = {name_of(selection): selection.index for selection in selections}
    picks[BEST] = int(frame["anmi"].to_numpy().argmax())
    rows = frame.iloc[list(picks.values())]
    # Costly at large d, so not for the whole path.
    other = [anmi(truth, path.labels[i], average="arithmetic") for i in picks.values()]
    of_path = np.max(path.gap)
    of_folds = np.max([of_path, *np.ravel(fold_gaps)])
    return rows[["parameter", "nu", "n_clusters", "anmi"]].assign(
        anmi_arithmetic=other,
        selected_by=list(picks),
        sigma=[*(selection.sigma for selection in selections), np.nan],
        n_tied_sigma=[*(selection.n_tied_sigma for selection in selections), np.nan],
        worst_gap=[of_folds if name.startswith("cv_") else of_path for name in picks],
    )


def name_of(selection):
    """``evidence_<rule for σ>`` or ``cv_<score>``."""
    detail = selection.sigma_rule if selection.criterion == "evidence" else selection.column
    return f"{selection.criterion}_{detail}"


def with_axes(frame, axes):
    """The frame with the axes of the experiment as its first columns."""
    return frame.assign(**axes)[[*axes, *frame.columns]]


if "snakemake" in globals():
    run(main, snakemake)
