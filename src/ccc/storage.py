"""Writing of files, never half of one; reading and writing of ``.npz`` files without pickle.

A file is written under a temporary name in its own folder and then renamed, so that a killed
process leaves either the old file or the new one; one that fails removes the temporary file.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Stored", "load_npz", "new_file", "save_npz", "umask"]


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary name, in the same folder, that becomes ``path`` when the block ends well."""
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    os.close(handle)
    try:
        yield Path(name)
        # mkstemp makes the file private; a result is as readable as any file of the user.
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)


def umask() -> int:
    """The bits that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def save_npz(path: str | os.PathLike[str], **arrays: ArrayLike) -> None:
    """Write arrays to ``path`` (compressed), atomically.

    Strings and lists of strings become unicode arrays; an object that numpy can only store by
    pickling is a ``TypeError`` that names it.
    """
    checked = {name: np.asarray(value) for name, value in arrays.items()}
    for name, value in checked.items():
        if value.dtype == object:
            raise TypeError(f"{name} cannot be stored without pickle (object array)")
    with new_file(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, **checked)  # type: ignore[arg-type]


def load_npz(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read every array of ``path``; zero-dimensional arrays come back as Python scalars."""
    try:
        stored = np.load(path, allow_pickle=False)
        if isinstance(stored, np.ndarray):
            raise ValueError("it holds one array, as a .npy file does")
        with stored as archive:
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
