"""Reading and writing of ``.npz`` files: no pickle, and never half a file.

A file is written under a temporary name in its own folder and then renamed, so that a killed
process leaves either the old file or the new one.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Stored", "load_npz", "save_npz"]


def save_npz(path: str | os.PathLike[str], **arrays: ArrayLike) -> None:
    """Write arrays to ``path`` (compressed), atomically.

    Strings and lists of strings become unicode arrays; an object that numpy can only store by
    pickling is a ``TypeError`` that names it.
    """
    target = Path(path)
    checked = {name: np.asarray(value) for name, value in arrays.items()}
    for name, value in checked.items():
        if value.dtype == object:
            raise TypeError(f"{name} cannot be stored without pickle (object array)")
    handle, temporary = tempfile.mkstemp(
        dir=target.parent, prefix=f".{target.name}.", suffix=".part"
    )
    try:
        with os.fdopen(handle, "wb") as stream:
            np.savez_compressed(stream, **checked)  # type: ignore[arg-type]
        # mkstemp makes the file private; a result is as readable as any file of the user.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load_npz(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read every array of ``path``; zero-dimensional arrays come back as Python scalars."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (zipfile.BadZipFile, EOFError, ValueError, KeyError) as error:
        raise ValueError(f"{path} is not a complete .npz file: {error}") from error
    return {name: a.item() if a.ndim == 0 else a for name, a in arrays.items()}


class Stored:
    """A dataclass whose fields numpy can write: one file for all of them."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an ``.npz`` file, without the fields that are None."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}  # type: ignore[attr-defined]
        save_npz(path, **{name: value for name, value in fields.items() if value is not None})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what :meth:`save` wrote."""
        return cls(**load_npz(path))
