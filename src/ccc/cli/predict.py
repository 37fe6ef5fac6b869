"""``ccc predict``: classes and probabilities for the rows of a table."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from ccc.cli.model_file import read_model
from ccc.cli.output import check_file
from ccc.cli.tables import read_header, read_table
from ccc.storage import new_file

__all__ = ["run"]


def run(options: argparse.Namespace) -> None:
    """Read model and table, write the predictions at once, and say how many are right."""
    out = Path(options.out)
    check_file(out, options.force)
    stored = read_model(options.model)
    header = read_header(options.table, options.separator)
    missing = [name for name in stored.covariates if name not in header]
    if missing:
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ValueError(
            f"{options.table}: no column {missing[0]!r}{others}, which {options.model} needs"
        )
    if "prediction" in options.keep:
        raise ValueError("--keep 'prediction': the output has a column of that name")
    known = [stored.target] if stored.target in header else []
    text = list(dict.fromkeys([*options.keep, *known]))
    text = [name for name in text if name not in stored.covariates]
    columns = list(dict.fromkeys([*options.keep, *known, *stored.covariates]))
    table = read_table(options.table, header, columns, text, options.separator)
    probabilities = np.exp(stored.model.log_probabilities(table.numbers(stored.covariates)))
    found = np.array(stored.classes)[probabilities.argmax(axis=1)]
    result = table.frame[options.keep].copy()
    result["prediction"] = found
    for name, column in zip(stored.classes, probabilities.T, strict=True):
        result[f"probability of {name}"] = column
    out.parent.mkdir(parents=True, exist_ok=True)
    with new_file(out) as file:
        result.to_csv(file, index=False)
    if not options.quiet:
        print(f"{len(found)} rows written to {out}")
        if known:
            print(_accuracy(table.frame[stored.target], found))


def _accuracy(truth: pd.Series, found: np.ndarray) -> str:
    known = truth.notna().to_numpy()
    right = int(np.sum(truth[known].astype(str).to_numpy() == found[known]))
    share = f"{right / known.sum():.4f}" if known.any() else "unknown"
    return f"accuracy {share}: {right} of {int(known.sum())} rows with a known class"
