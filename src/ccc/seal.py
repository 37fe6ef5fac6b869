"""Sizes of what jobs wrote, so that a file which was cut short since is not taken for a result.

Jobs write under a temporary name and rename, so that a kill leaves no partial file; what happens to
a file afterwards (a full disk while copying, a slip of the hand) is noticed by its size. That of
``results/<run>/a/b.csv`` is in ``results/<run>/.sizes/a/b.csv``. A run looks at all sizes before it
decides what to do, and each job at those of what it reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ccc.storage import new_file

__all__ = ["check_sizes", "forget_sizes", "put_aside_damaged", "record_sizes"]

ROOT, RECORDS = "results", ".sizes"


def forget_sizes(outputs: Iterable[str | os.PathLike[str]]) -> None:
    """Drop what is known of files that a job is about to write.

    Else one that is killed between its first file and its last record leaves new files beside the
    sizes of old ones.
    """
    for record in filter(None, map(_record, map(Path, outputs))):
        record.unlink(missing_ok=True)


def record_sizes(outputs: Iterable[str | os.PathLike[str]]) -> None:
    """Note the sizes of the files that a job has written."""
    for path in map(Path, outputs):
        record = _record(path)
        if record is not None and path.is_file():
            record.parent.mkdir(parents=True, exist_ok=True)
            with new_file(record) as file:
                file.write_text(f"{path.stat().st_size}\n", encoding="ascii")


def check_sizes(inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Raise ``ValueError`` if an input has another size than when its job wrote it.

    The file is put aside, so that the next run makes it anew.
    """
    for path in map(Path, inputs):
        record = _record(path)
        damage = record and _put_aside(path, record)
        if damage:
            raise ValueError(f"{damage}, and the next run makes it anew")


def put_aside_damaged(folder: str | os.PathLike[str]) -> list[str]:
    """Put aside all files of ``results/<run>`` that have another size; a line for each."""
    records = Path(folder, RECORDS)
    found = []
    for place, _, names in os.walk(records):
        results = Path(folder, os.path.relpath(place, records))
        found += [_put_aside(results / name, Path(place, name)) for name in sorted(names)]
    return [damage for damage in found if damage]


def _put_aside(path: Path, record: Path) -> str | None:
    """Rename ``path`` to ``<name>.damaged`` if it has another size; what is wrong with it."""
    try:
        written, size = record.read_text(encoding="ascii").strip(), path.stat().st_size
    except FileNotFoundError:
        return None
    if not written.isdecimal() or size == int(written):
        return None
    os.replace(path, path.with_name(f"{path.name}.damaged"))
    return (
        f"{path} had {size} bytes, but {written} were written: "
        f"it is put aside as {path.name}.damaged"
    )


def _record(path: Path) -> Path | None:
    """Where the size of a result is kept; None for files that are no results."""
    parts = path.parts
    if path.is_absolute() or len(parts) < 3 or parts[0] != ROOT:
        return None
    return Path(ROOT, parts[1], RECORDS, *parts[2:])
