"""Runs that are killed, or start at the same moment, do not stand in each other's way.

Snakemake locks its working directory by files. A killed run leaves them behind, and the next one
asks for ``--unlock``; two runs that start together can both find none. A lock of the operating
system ends with its process, however that ends: the file ``alive`` is shared by all runs, so that
whoever could have it alone knows that others are dead; ``starting`` is held by one run at a time,
until Snakemake has written its files.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

__all__ = ["RunLocks"]


class RunLocks:
    """The locks of a run in a working directory.

    Parameters
    ----------
    folder : path-like
        Where Snakemake keeps its records.
    """

    def __init__(self, folder: str | os.PathLike[str] = ".snakemake") -> None:
        self.folder = Path(folder)
        self._starting = ExitStack()

    @contextmanager
    def held(self) -> Iterator[bool]:
        """For as long as a run takes. Whether it is alone; then lock files of others are gone.

        Waits while another run starts. Where the file system knows no locks, or is read-only, a run
        is never taken to be alone, and nothing is removed.
        """
        with ExitStack() as alive, self._starting:
            alone = False
            try:
                self.folder.mkdir(exist_ok=True)
                _wait_for(self._starting.enter_context(self._open("starting")))
                alone = _join(alive.enter_context(self._open("alive")))
            except OSError:
                pass
            if alone:
                for path in (self.folder / "locks").glob("*.lock"):
                    path.unlink(missing_ok=True)
            yield alone

    def started(self) -> None:
        """Let another run start: Snakemake's own files tell it what is taken."""
        self._starting.close()

    def _open(self, name: str) -> TextIO:
        return (self.folder / name).open("w")


def _wait_for(file: TextIO) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Waiting for another run here to start", file=sys.stderr)
        fcntl.flock(file, fcntl.LOCK_EX)


def _join(file: TextIO) -> bool:
    """Share the lock with those that have it; whether there were none."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        alone = True
    except BlockingIOError:
        alone = False
    fcntl.flock(file, fcntl.LOCK_SH)
    return alone
