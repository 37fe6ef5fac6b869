"""Commands, options, their help, and what argparse can check of them."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

__all__ = ["installed_version", "parser"]

DESCRIPTION = """\
Cluster the covariates of a classifier while learning it (convex covariate clustering).

  ccc fit table.csv --target y --out folder      clusters, model, path, pictures
  ccc predict folder/model.json new.csv --out predictions.csv
  ccc info folder/model.json
"""
FIT = """\
Cluster the columns of a table and fit a classifier on the clusters.

The table is CSV with a header, a row per sample: one column with the class (--target), all others
numbers without gaps, in any units. The folder gets

  clusters.csv    cluster and coefficients of every covariate
  model.json      the classifier, readable by people and by ccc predict
  path.csv        all values of nu: clusters, certified gap, score
  tree.pdf        how the clusters came together
  explorer.html   the whole path, to be searched and walked through in a browser
"""
PREDICT = """\
Classify the rows of a table with a model that ccc fit has written.

The table needs the covariates of the model, in any order; other columns are ignored. If it has the
model's target column too, the accuracy is printed.
"""


def installed_version() -> str:
    try:
        return version("ccc")
    except PackageNotFoundError:
        return "unknown"


class _Parser(argparse.ArgumentParser):
    """Usage errors on one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """The parser of ``ccc`` and its commands."""
    ours = _Parser("ccc", description=DESCRIPTION, formatter_class=_Raw)
    ours.add_argument("--version", action="version", version=f"ccc {installed_version()}")
    commands = ours.add_subparsers(dest="command", metavar="command", required=True)
    _add_fit(
        commands.add_parser("fit", help="cluster a table", description=FIT, formatter_class=_Raw)
    )
    _add_predict(
        commands.add_parser(
            "predict", help="classify rows", description=PREDICT, formatter_class=_Raw
        )
    )
    info = commands.add_parser(
        "info", help="say what a model is", description="Say what a model is.", formatter_class=_Raw
    )
    info.add_argument("model", help="model.json of ccc fit")
    return ours


def _add_fit(fit: argparse.ArgumentParser) -> None:
    fit.add_argument("table", help="CSV, or TSV if its name ends in .tsv; .gz is fine")
    fit.add_argument("--target", required=True, metavar="COLUMN", help="column with the class")
    fit.add_argument("--out", required=True, metavar="FOLDER", help="where to write")
    _add_table_options(fit)
    _add_similarity(fit.add_argument_group("which covariates are alike"))
    _add_model(fit.add_argument_group("which clustering"))
    _add_running(fit.add_argument_group("running"))


def _add_table_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--separator",
        type=_character,
        metavar="CHAR",
        help="between columns, or the word tab; default comma, for .tsv tab",
    )
    if command.prog.endswith("fit"):
        command.add_argument(
            "--ignore",
            action="append",
            default=[],
            metavar="COLUMN",
            help="not a covariate, for instance an id; may be repeated",
        )
    command.add_argument(
        "--force", action="store_true", help="overwrite what an earlier run has written"
    )


def _add_similarity(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--similarity",
        default="ledoit-wolf",
        metavar="S",
        help="ledoit-wolf (shrunk covariance within classes), rbf, knn, or a file with a symmetric "
        "non-negative matrix: .npz (array S, with names if there is an array names; or written by "
        "scipy.sparse.save_npz) or .csv (names in the first row and column); default ledoit-wolf",
    )
    group.add_argument(
        "--neighbors", type=_whole(1), metavar="K", help="of each covariate, for knn; default 10"
    )
    group.add_argument(
        "--gamma",
        type=_number(0.0, strict=True),
        help="of rbf and knn, exp(-2 gamma (1 - correlation)); default 0.5",
    )
    group.add_argument(
        "--no-standardize",
        dest="standardize",
        action="store_false",
        help="the columns are comparable as they are; by default each is centred and divided by "
        "its standard deviation",
    )


def _add_model(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--nu",
        type=_number_or("evidence", "cv"),
        default="evidence",
        help="weight of the fusion penalty, in nats per unit of coefficient, a number >= 0; or how "
        "to choose it: evidence (marginal likelihood), cv (cross-validation); default evidence",
    )
    group.add_argument(
        "--clusters",
        type=_whole(1),
        metavar="M",
        help="take the clustering whose number of clusters is nearest to M",
    )
    group.add_argument(
        "--ridge",
        type=_number(0.0, strict=True),
        default=0.1,
        help="weight of the squared coefficients, in nats; default 0.1",
    )
    group.add_argument(
        "--sparsity",
        type=_number(0.0),
        default=0.0,
        help="weight of the lengths of the columns, in nats; covariates at zero are left out; "
        "default 0",
    )
    group.add_argument(
        "--sigma",
        type=_number_or("log_probability", "first", "last", strict=True),
        default="log_probability",
        help="prior standard deviation of the coefficients on clusters, in log-odds, a number > 0; "
        "or how cross-validation chooses it: log_probability, first (smallest of those with the "
        "best accuracy), last; default log_probability",
    )
    group.add_argument(
        "--no-refit",
        dest="refit",
        action="store_false",
        help="keep the shrunk coefficients of the clustering problem; by default a classifier is "
        "fitted on the clusters",
    )


def _add_running(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--values", type=_whole(2), default=100, metavar="K", help="of nu on the path; default 100"
    )
    group.add_argument(
        "--folds", type=_whole(2), default=5, metavar="K", help="of cross-validation; default 5"
    )
    group.add_argument(
        "--tolerance",
        type=_number(0.0, strict=True),
        default=1e-6,
        help="relative duality gap that is promised; default 1e-6",
    )
    group.add_argument(
        "--jobs", type=_whole(1), default=1, metavar="K", help="processes for --nu cv; default 1"
    )
    group.add_argument(
        "--seed", type=_whole(0), default=0, help="of the folds, a whole number; default 0"
    )
    group.add_argument("--quiet", action="store_true", help="errors and warnings only")


def _add_predict(predict: argparse.ArgumentParser) -> None:
    predict.add_argument("model", help="model.json of ccc fit")
    predict.add_argument("table", help="CSV, or TSV if its name ends in .tsv; .gz is fine")
    predict.add_argument("--out", required=True, metavar="FILE", help="CSV to write")
    predict.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="COLUMN",
        help="copy to the output, for instance an id; may be repeated",
    )
    _add_table_options(predict)
    predict.add_argument("--quiet", action="store_true", help="errors and warnings only")


class _Raw(argparse.RawDescriptionHelpFormatter):
    """Descriptions as they are written, options in a column that leaves room for their help."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


def _number(least: float, strict: bool = False) -> Callable[[str], float]:
    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or value < least or (strict and value == least):
            sign = ">" if strict else ">="
            raise argparse.ArgumentTypeError(f"{text!r} is not a number {sign} {least:g}")
        return value

    return number


def _number_or(*names: str, strict: bool = False) -> Callable[[str], float | str]:
    def number_or_name(text: str) -> float | str:
        try:
            return text if text in names else _number(0.0, strict)(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error}, nor one of {', '.join(names)}") from None

    return number_or_name


def _character(text: str) -> str:
    value = "\t" if text == "tab" else text
    if len(value) != 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not one character")
    return value


def _whole(least: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number >= {least}")
        return int(text)

    return whole
