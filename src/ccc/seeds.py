"""Seeds from the axes of an experiment.

A repetition draws the same numbers whatever runs before it, beside it, or on how many cores:
its seed is a function of where it stands in the experiment and of nothing else.
"""

from __future__ import annotations

import zlib

import numpy as np

__all__ = ["seed_of"]


def seed_of(*axes: int | str, root: int = 0) -> np.random.SeedSequence:
    """Seed of one point of an experiment.

    Parameters
    ----------
    *axes : int or str
        Coordinates of the point, e.g. ``"contradicting", 40, 400, 3``. The order counts.
    root : int
        The experiment's own seed, so that all of it can be drawn anew.

    Returns
    -------
    numpy.random.SeedSequence
        Statistically independent of that of every other point.
    """
    # CRC-32 and not hash(): the latter differs from process to process.
    words = [zlib.crc32(axis.encode()) if isinstance(axis, str) else int(axis) for axis in axes]
    return np.random.SeedSequence(entropy=root, spawn_key=tuple(words))
