"""``ccc fit``: from a table to clusters, a model, and the path that led there."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.cli.files import write_files
from ccc.cli.info import overview
from ccc.cli.model_file import StoredModel
from ccc.cli.output import check_folder, new_folder
from ccc.cli.similarity_file import named_or_read
from ccc.cli.tables import read_header, read_table
from ccc.estimator import ConvexCovariateClustering
from ccc.estimator.model import ClusterModel

__all__ = ["run"]

PARAMETERS = ("nu", "ridge", "sparsity", "sigma", "standardize", "refit")


def run(options: argparse.Namespace) -> None:
    """Read, fit, write all files at once, and say what came out."""
    folder = Path(options.out)
    check_folder(folder, options.force)
    X, y = _read(options)
    estimator = _estimator(options, list(X.columns))
    try:
        estimator.fit(X, y)
    except ValueError as error:
        raise ValueError(f"{options.table}: {error}") from error
    stored = _stored(options, estimator, X, y)
    with new_folder(folder) as files:
        write_files(estimator, stored, files)
        written = sorted(file.name for file in files.iterdir())
    if not options.quiet:
        print(overview(stored))
        print(f"written to {folder}{os.sep}: {', '.join(written)}")


def _read(options: argparse.Namespace) -> tuple[pd.DataFrame, NDArray[np.str_]]:
    """Covariates under their names, and classes as text."""
    path, target = options.table, options.target
    header = read_header(path, options.separator)
    if target in options.ignore:
        raise ValueError(f"--ignore {target!r}: the target cannot be left out")
    known = {*options.ignore, target}
    covariates = [name for name in header if name not in known]
    table = read_table(
        path, header, [target, *options.ignore, *covariates], [target], options.separator
    )
    if not covariates:
        raise ValueError(f"{path}: no covariates beside the target {target!r}")
    y = table.text(target)
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) < 2:
        raise ValueError(f"{path}: column {target!r} has one class only, {str(classes[0])!r}")
    if counts.min() == 1:
        alone = str(classes[np.argmin(counts)])
        raise ValueError(
            f"{path}: column {target!r}: {len(classes)} classes in {len(y)} rows, and {alone!r} "
            "occurs once; every class needs two rows"
        )
    return pd.DataFrame(table.numbers(covariates), columns=covariates), y


def _estimator(options: argparse.Namespace, covariates: list[str]) -> ConvexCovariateClustering:
    params = {"n_neighbors": options.neighbors, "gamma": options.gamma}
    given = {name: value for name, value in params.items() if value is not None}
    if options.clusters is not None and not isinstance(options.nu, str):
        raise ValueError(f"--clusters {options.clusters} and --nu {options.nu:g}: give one of them")
    return ConvexCovariateClustering(
        named_or_read(options.similarity, covariates),
        similarity_params=given or None,
        n_clusters=options.clusters,
        nus=options.values,
        cv=options.folds,
        tol=options.tolerance,
        n_jobs=options.jobs,
        random_state=options.seed,
        verbose=not options.quiet,
        **{name: getattr(options, name) for name in PARAMETERS},
    )


def _stored(
    options: argparse.Namespace,
    estimator: ConvexCovariateClustering,
    X: pd.DataFrame,
    y: NDArray[np.str_],
) -> StoredModel:
    model = ClusterModel(
        estimator.centre_,
        estimator.scale_,
        estimator.labels_,
        estimator.used_,
        estimator.cluster_coef_,
        estimator.cluster_intercept_,
    )
    selection = estimator.selection_
    training: dict[str, Any] = {
        "table": os.path.basename(options.table),
        "rows": len(y),
        "rows per class": {str(label): int(np.sum(y == label)) for label in estimator.classes_},
        "accuracy": float(estimator.score(X, y)),
    }
    choice = {
        "criterion": "given" if selection is None else selection.criterion,
        "score": None if selection is None else selection.score,
        "nu": estimator.nu_,
        "sigma": estimator.sigma_,
        "relative duality gap": estimator.dual_gap_,
    }
    left_out = {"command", "table", "target", "out", "force", "quiet", "jobs", "separator"}
    settings = {name: value for name, value in vars(options).items() if name not in left_out}
    return StoredModel(
        options.target,
        [str(label) for label in estimator.classes_],
        [str(name) for name in X.columns],
        model,
        {"training": training, "choice": choice, "settings": settings},
    )
