"""Tables of the user: read, and every defect named with its file, column, row and value."""

from __future__ import annotations

import gzip
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["Table", "read_header", "read_table"]

# What stands for a missing number. In text only an empty cell is one: a class may be called None.
GAPS = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"]


@dataclass(frozen=True)
class Table:
    """Some columns of a file."""

    path: str
    frame: pd.DataFrame

    def numbers(self, columns: Sequence[str]) -> NDArray[np.float64]:
        """(n, d) matrix of the given columns."""
        return np.column_stack([self._numeric(column) for column in columns])

    def text(self, column: str) -> NDArray[np.str_]:
        """A column as it stands in the file, without gaps."""
        values = self.frame[column]
        self._refuse(column, values.isna(), "is missing")
        return np.array(values.astype(str).tolist(), dtype=str)

    def _numeric(self, column: str) -> NDArray[np.float64]:
        values = self.frame[column]
        self._refuse(column, values.isna(), "is missing")
        if values.dtype.kind not in "biuf":
            converted = pd.to_numeric(values.astype(str), errors="coerce")
            self._refuse(column, converted.isna(), "is not a number")
            values = converted
        numbers = values.to_numpy(dtype=np.float64)
        self._refuse(column, pd.Series(~np.isfinite(numbers)), "is not finite")
        return numbers

    def _refuse(self, column: str, bad: pd.Series, what: str) -> None:
        """Name the first row that is bad, if any."""
        if not bad.any():
            return
        row = int(np.argmax(bad.to_numpy()))
        value = "" if what == "is missing" else f" {str(self.frame[column].iloc[row])!r}"
        others = int(bad.sum()) - 1
        more = f", and {others} more" if others else ""
        hint = "; --ignore leaves a column out" if what == "is not a number" else ""
        raise ValueError(
            f"{self.path}: column {column!r}, row {row + 1}: the value{value} {what}{more}{hint}"
        )


def read_header(path: str, separator: str | None = None) -> list[str]:
    """The names of the columns; each must occur once."""
    with _explained(path):
        first = pd.read_csv(path, header=None, nrows=1, **_reading(path, separator))
    names = ["" if pd.isna(name) else str(name) for name in first.iloc[0]]
    for j, name in enumerate(names):
        if not name.strip():
            raise ValueError(f"{path}: column {j + 1} of the header has no name")
        if name in names[:j]:
            raise ValueError(f"{path}: the column name {name!r} occurs twice in the header")
    if len(names) == 1 and any(sign in names[0] for sign in ";\t|"):
        raise ValueError(f"{path}: one column, {names[0]!r}: is another --separator needed?")
    return names


def read_table(
    path: str, header: list[str], columns: Sequence[str], text: Sequence[str], separator: str | None
) -> Table:
    """Read ``columns``, of which those in ``text`` are not to be understood as numbers.

    A column that the file has not is an error that names the nearest one that it has.
    """
    for column in columns:
        if column not in header:
            close = get_close_matches(column, header, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ValueError(f"{path}: no column {column!r}{hint}")
    gaps = {name: [""] if name in text else GAPS for name in header}
    reading = _reading(path, separator) | {"dtype": dict.fromkeys(text, str), "na_values": gaps}
    with _explained(path):
        frame = pd.read_csv(path, header=0, names=header, index_col=False, **reading)
    if not len(frame):
        raise ValueError(f"{path}: no rows below the header")
    return Table(path, frame[list(columns)])


def _reading(path: str, separator: str | None) -> dict[str, Any]:
    stem = path.lower().removesuffix(".gz")
    sep = separator or ("\t" if stem.endswith((".tsv", ".tab")) else ",")
    return {
        "sep": sep,
        "dtype": str,
        "encoding": "utf-8-sig",
        "skipinitialspace": True,
        "keep_default_na": False,
        "na_values": [""],
    }


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Errors of the reader as one that names the file."""
    try:
        with warnings.catch_warnings():
            # Rows that are longer than the header would be cut.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            yield
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path}: the file is empty") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text ({error.reason})") from None
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        reason = str(error).removeprefix("Error tokenizing data. C error: ").strip()
        raise ValueError(f"{path}: not a table: {reason}") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{path}: cannot be unpacked: {error}") from None
