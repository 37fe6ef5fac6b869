"""Sizes of what jobs wrote, so that a file which was cut short since is not taken for a result.

Jobs write under a temporary name and rename, so that a kill leaves no partial file; what happens to
a file afterwards (a full disk while copying, a slip of the hand) is noticed by its size. That of
``results/<run>/a/b.csv`` is in ``results/<run>/.sizes/a/b.csv``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["check_sizes", "record_sizes"]

ROOT = "results"


def record_sizes(outputs: Iterable[str | os.PathLike[str]]) -> None:
    """Note the sizes of the files that a job has written."""
    for path in map(Path, outputs):
        record = _record(path)
        if record is not None and path.is_file():
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(f"{path.stat().st_size}\n", encoding="ascii")


def check_sizes(inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Raise ``ValueError`` if an input has another size than when its job wrote it.

    The file is put aside as ``<name>.damaged``, so that the next run makes it anew.
    """
    for path in map(Path, inputs):
        record = _record(path)
        if record is None or not record.is_file():
            continue
        written = record.read_text(encoding="ascii").strip()
        size = path.stat().st_size
        if written.isdecimal() and size != int(written):
            os.replace(path, path.with_name(f"{path.name}.damaged"))
            raise ValueError(
                f"{path} had {size} bytes, but {written} were written: it is put aside as "
                f"{path.name}.damaged, and the next run makes it anew"
            )


def _record(path: Path) -> Path | None:
    """Where the size of a result is kept; None for files that are no results."""
    parts = path.parts
    if path.is_absolute() or len(parts) < 3 or parts[0] != ROOT:
        return None
    return Path(ROOT, parts[1], ".sizes", *parts[2:])
