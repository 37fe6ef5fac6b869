"""Where the data of a run came from: a local copy, a download, or the sample corpora."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ccc.data.archives import Archive, fetch
from ccc.storage import new_file

__all__ = ["Origin", "obtain"]

DOWNLOADS = Path("resources")


@dataclass(frozen=True)
class Origin:
    """A file on the disk and what it is.

    Attributes
    ----------
    path : str
    name, checksum, description : str
        Of the archive that it is.
    sample : bool
        Whether it was made up by :mod:`ccc.data.sample`.
    """

    path: str
    name: str
    checksum: str
    description: str
    sample: bool

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write as JSON."""
        with new_file(path) as file:
            file.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Origin:
        """Read what :meth:`save` wrote."""
        return cls(**json.loads(Path(path).read_text(encoding="utf-8")))


def obtain(
    archives: Sequence[Archive],
    local: str,
    folder: Path,
    sample: Callable[[Path], None] | None = None,
) -> Origin:
    """Have one of ``archives`` on the disk, or the sample if that is wanted.

    Parameters
    ----------
    archives : sequence of Archive
    local : str
        Folder with copies; if empty, that of the environment variable CCC_DATA, if there is one.
    folder : Path
        Where a sample goes; downloads go to ``resources``.
    sample : callable, optional
        Writes the sample to the path that it is given.

    Raises
    ------
    FileNotFoundError
        No copy and no connection; or the folder that was named is none: a typo must not start a
        download of a gigabyte.
    ValueError
        A file that is not what its name says.
    """
    if sample is not None:
        path = folder / f"sample-{archives[0].name}"
        sample(path)
        return Origin(str(path), path.name, "", "embedded sample corpus", True)
    path, archive = fetch(archives, _named_folders(local), DOWNLOADS)
    return Origin(str(path), archive.name, archive.checksum or "", archive.description, False)


def _named_folders(local: str) -> list[Path]:
    """The folder that was named, if one was."""
    where = "config key corpora.local" if local else "environment variable CCC_DATA"
    place = local or os.environ.get("CCC_DATA", "")
    if place and not Path(place).is_dir():
        raise FileNotFoundError(f"there is no folder {place}, which the {where} names")
    return [Path(place)] if place else []
