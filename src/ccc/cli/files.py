"""The files that ``ccc fit`` leaves in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ccc.cli.model_file import StoredModel, write_model
from ccc.estimator import ConvexCovariateClustering
from ccc.plots.style import save_figure
from ccc.storage import new_file

__all__ = ["clusters_table", "path_table", "write_files"]


def write_files(estimator: ConvexCovariateClustering, stored: StoredModel, folder: Path) -> None:
    """Write all of them into an empty folder."""
    for name, frame in (("clusters", clusters_table(estimator)), ("path", path_table(estimator))):
        with new_file(folder / f"{name}.csv") as file:
            frame.to_csv(file, index=False)
    write_model(stored, folder / "model.json")
    tree = estimator.plot_tree(title=_title(estimator, stored)).get_figure(root=True)
    assert tree is not None
    save_figure(tree, folder / "tree.pdf")
    estimator.write_explorer(folder / "explorer.html", title=_title(estimator, stored))


def _title(estimator: ConvexCovariateClustering, stored: StoredModel) -> str:
    return (
        f"{stored.target}: {estimator.n_clusters_} clusters of {len(estimator.labels_)} covariates"
    )


def clusters_table(estimator: ConvexCovariateClustering) -> pd.DataFrame:
    """A row per covariate, cluster by cluster, with coefficients in both units."""
    labels = estimator.labels_
    shown = estimator.classes_[1:] if len(estimator.coef_) == 1 else estimator.classes_
    columns: dict[str, Any] = {
        "cluster": labels,
        "size": np.bincount(labels)[labels],
        "covariate": estimator.feature_names_in_,
    }
    for label, row in zip(shown, estimator.coef_, strict=True):
        columns[f"coefficient of {label}, per standard deviation"] = row * estimator.scale_
        columns[f"coefficient of {label}, per unit"] = row
    return pd.DataFrame(columns).sort_values("cluster", kind="stable")


def path_table(estimator: ConvexCovariateClustering) -> pd.DataFrame:
    """A row per ν: the certificate, and the score if there is one."""
    frame = estimator.path_.to_frame().drop(columns="seconds")
    if estimator.selection_ is not None:
        scores = estimator.selection_.scores.drop(columns=["nu", "n_clusters"])
        frame = frame.join(scores.rename(columns={"gap": "second_step_gap"}))
    return frame.assign(selected=np.arange(len(frame)) == estimator.path_index_)
