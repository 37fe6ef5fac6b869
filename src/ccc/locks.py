"""Locks of runs that were killed do not stand in the way of the next run.

Snakemake locks its working directory by files, which a killed run leaves behind; the next run then
asks for ``--unlock``. A lock of the operating system ends with its process, however that ends:
whoever gets it knows that the files are left-overs.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

__all__ = ["drop_stale_locks", "hold_lock"]

_held: dict[Path, TextIO] = {}


def drop_stale_locks(folder: str | os.PathLike[str] = ".snakemake") -> bool:
    """Remove Snakemake's lock files unless a process that is alive holds the lock.

    The lock is kept until the process ends. Returns whether it was obtained; where the file system
    knows no locks, it is not, and nothing is removed.
    """
    folder = Path(folder).resolve()
    if folder in _held:
        return True
    if not hold_lock(folder, wait=False):
        return False
    for path in (folder / "locks").glob("*.lock"):
        path.unlink(missing_ok=True)
    return True


def hold_lock(folder: str | os.PathLike[str] = ".snakemake", wait: bool = True) -> bool:
    """Obtain the lock if this process has it not yet; whether it has it now.

    A run that Snakemake has let start waits for it: whoever has it then only looks (a dry run), and
    without it the next run would take this one for dead.
    """
    folder = Path(folder).resolve()
    if folder in _held:
        return True
    try:
        folder.mkdir(exist_ok=True)
        file = (folder / "alive").open("w")
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return False
    _held[folder] = file
    return True
