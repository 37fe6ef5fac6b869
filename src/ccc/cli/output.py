"""Writing: under a temporary name first, so that nothing half-written is ever seen."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ccc.storage import umask

__all__ = ["check_file", "check_folder", "new_folder"]


def check_folder(folder: Path, force: bool) -> None:
    """Refuse a folder that holds something, unless ``force``, or that cannot be written."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: exists and is not a folder")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise ValueError(f"{folder}: the folder is not empty; --force overwrites its files")
    # Files are made beside the folder first, see :func:`new_folder`.
    for place in (folder.parent, folder):
        _check_writable(place)


def check_file(file: Path, force: bool) -> None:
    """Refuse a file that exists, unless ``force``, or that cannot be written."""
    if file.is_dir():
        raise ValueError(f"{file}: is a folder")
    if file.exists() and not force:
        raise ValueError(f"{file}: exists; --force overwrites it")
    _check_writable(file.parent)


def _check_writable(folder: Path) -> None:
    """Refuse, before hours of work, a folder in which no file can be made."""
    while not folder.exists():
        folder = folder.parent
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ValueError(f"{folder}: cannot be written to: {error.strerror}") from None


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder that takes the place of ``folder`` when the block ends well.

    If there is one already, the new files replace those of the same name, one after the other, and
    others stay as they are.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.", suffix=".part"))
    try:
        yield temporary
        os.chmod(temporary, 0o777 & ~umask())
        if folder.is_dir():
            for file in sorted(temporary.iterdir()):
                os.replace(file, folder / file.name)
        else:
            os.replace(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
