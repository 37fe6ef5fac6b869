"""What the benchmarks share: measuring one thing alone, and telling it as soon as it is known."""

from __future__ import annotations

import csv
import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from ccc.timing.limited import THREADS, peak_megabytes

__all__ = ["Table", "alone", "peak_megabytes", "show_log", "thinned", "timed"]


def alone(function: Callable[..., Any], *arguments: Any, threads: int = 1) -> Any:
    """Call a function of a module in a fresh process with so many threads, and wait for it.

    The caller should hold little memory: the peak of a new process starts at what the one that
    started it holds.
    """
    os.environ.update(dict.fromkeys(THREADS, str(threads)))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def show_log() -> None:
    """From now on, tell on standard error what this process logs: where its solver stands."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s   %(message)s", datefmt="%H:%M:%S")


def thinned(count: int) -> list[int]:
    """``count`` of the exponents a = 0..299 of the paper's grid, from end to end."""
    return [round(299 * i / max(1, count - 1)) for i in range(count)]


def timed(function: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[float, Any]:
    """Wall seconds of a call, and what it returned."""
    start = time.perf_counter()
    value = function(*arguments, **options)
    return time.perf_counter() - start, value


class Table:
    """Rows that are printed, and written to a CSV file if one is named, as they come.

    Parameters
    ----------
    columns : dict
        Width and format of each printed column, for instance ``{"seconds": (9, ".2f")}``.
    file : Path or None
    """

    def __init__(self, columns: dict[str, tuple[int, str]], file: Path | None) -> None:
        self.columns, self.file = columns, file
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("", encoding="utf-8")
        self._tell(columns, columns)

    def add(self, **row: Any) -> None:
        """One row; a value that is None stays empty."""
        values = {name: row[name] for name in self.columns}
        printed = (
            "" if value is None else format(value, self.columns[name][1])
            for name, value in values.items()
        )
        self._tell(printed, values.values())

    def _tell(self, printed: Iterable[str], written: Iterable[Any]) -> None:
        widths = (width for width, _ in self.columns.values())
        cells = (cell.rjust(width) for cell, width in zip(printed, widths, strict=True))
        print("  ".join(cells), flush=True)
        if self.file is not None:
            with self.file.open("a", newline="", encoding="utf-8") as stream:
                csv.writer(stream).writerow(written)
