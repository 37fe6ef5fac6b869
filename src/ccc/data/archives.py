"""Known files: found by their checksum, downloaded if need be, and read without unpacking.

Nothing that comes from outside is trusted: a file is what its checksum says, and an archive is
read as a stream within limits, so that no name in it can reach the disk.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import re
import sys
import tarfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from ccc.progress import Bytes

__all__ = ["Archive", "fetch", "first_bytes", "iterate_lines", "iterate_tar", "locate"]

RETRIES = 3  # of a download, with a pause of 1, 2, 3 seconds
LIMIT_MEMBER = 10 * 10**6
LIMIT_TOTAL = 4 * 10**9
LIMIT_HEADER = 10**6
HEADER_TYPES = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)
BLOCK = 512  # of a tar file
# What the decompressors and tarfile raise on damaged input.
DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, tarfile.TarError)


@dataclass(frozen=True)
class Archive:
    """A file that is known before it is there.

    Attributes
    ----------
    name : str
    checksum : str or None
        ``"sha256:..."`` or ``"md5:..."``; None: nobody published one, the name has to do.
    url : str or None
        None for a form that nobody serves.
    size : int or None
        Bytes.
    description : str
    """

    name: str
    checksum: str | None
    url: str | None
    size: int | None
    description: str


def locate(archives: Sequence[Archive], folders: Sequence[Path]) -> tuple[Path, Archive] | None:
    """Find one of ``archives`` in ``folders``, under its own name or any other.

    Only files with a known name or a known size are hashed. Of several, the one that stands first
    in ``archives`` is taken, then the one in the first folder. Folders that do not exist are
    passed over.

    Raises
    ------
    ValueError
        For a file that has the name of an archive and the checksum of none.
    """
    names = {archive.name for archive in archives}
    sizes = {archive.size for archive in archives if archive.size is not None}
    found: dict[Archive, Path] = {}
    for folder in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.is_file() and (path.name in names or path.stat().st_size in sizes):
                archive = _identify(path, archives)
                if archive is not None:
                    found.setdefault(archive, path)
    return next(((found[archive], archive) for archive in archives if archive in found), None)


def _identify(path: Path, archives: Sequence[Archive]) -> Archive | None:
    """The archive that ``path`` is, None if it is none and does not claim to be."""
    digests: dict[str, str] = {}
    for archive in archives:
        if archive.checksum is not None:
            algorithm = archive.checksum.partition(":")[0]
            if algorithm not in digests:
                with path.open("rb") as stream:
                    digests[algorithm] = hashlib.file_digest(stream, algorithm).hexdigest()
            if archive.checksum == f"{algorithm}:{digests[algorithm]}":
                return archive
    namesake = next((archive for archive in archives if archive.name == path.name), None)
    if namesake is None or namesake.checksum is None:
        return namesake
    algorithm = namesake.checksum.partition(":")[0]
    sizes = "" if namesake.size is None else f" ({path.stat().st_size} of {namesake.size} bytes)"
    raise ValueError(
        f"{path} is truncated or altered{sizes}: expected {namesake.checksum}, "
        f"found {algorithm}:{digests[algorithm]}; remove it or put the right file in its place"
    )


def fetch(
    archives: Sequence[Archive],
    folders: Sequence[Path],
    target_folder: Path,
    progress: bool = True,
) -> tuple[Path, Archive]:
    """Have one of ``archives`` on the disk: a local copy if there is one, else a download.

    Parameters
    ----------
    archives : sequence of Archive
        Forms of the same thing, the preferred one first. Those with a url are tried in order, so
        a mirror is one more entry with another url.
    folders : sequence of Path
        Where copies may be; ``target_folder`` is looked at as well.
    target_folder : Path
        Where a download goes, complete or not at all.
    progress : bool
        A bar, if standard error is a terminal; else the log has a line every minute.

    Raises
    ------
    FileNotFoundError
        No copy and no connection; says which file to put where.
    ValueError
        A file, here or from the net, that is not what its name says.
    """
    folders = [*folders, target_folder]
    located = locate(archives, folders)
    if located is not None:
        return located
    failures: list[Exception] = []
    for archive in archives:
        if archive.url is not None:
            try:
                return _download(archive, target_folder, progress), archive
            except (ConnectionError, ValueError) as error:
                failures.append(error)
    # A server that sent the wrong thing is the more telling failure.
    for failure in failures:
        if isinstance(failure, ValueError):
            raise failure
    names = " or ".join(dict.fromkeys(archive.name for archive in archives))
    places = " or ".join(dict.fromkeys(str(folder) for folder in folders))
    tried = "; ".join(map(str, failures)) or f"{names} cannot be downloaded"
    raise FileNotFoundError(
        f"{tried}: put {names} into {places}, or name the folder that has it in the config key "
        "corpora.local or the environment variable CCC_DATA"
    )


def _download(archive: Archive, folder: Path, progress: bool) -> Path:
    """Download to a temporary name, compare the checksum, rename.

    ConnectionError if the file cannot be had, ValueError if it is another file.
    """
    # Only a download needs these two, and they take longer to import than all of this package.
    import pooch  # type: ignore[import-untyped]
    from requests import RequestException  # type: ignore[import-untyped]

    store = pooch.Pooch(
        path=folder,
        base_url="",
        registry={archive.name: archive.checksum},
        urls={archive.name: archive.url},
        retry_if_failed=RETRIES,
    )
    bar = progress and sys.stderr.isatty()

    def downloader(*arguments: Any) -> None:
        # Each attempt counts anew.
        attempt = pooch.HTTPDownloader(
            progressbar=bar or Bytes(archive.name),
            chunk_size=2**16,
            # Else a server may compress on the way, or declare a .gz file to be so compressed.
            headers={"Accept-Encoding": "identity"},
        )
        attempt(*arguments)

    try:
        path = Path(store.fetch(archive.name, downloader=downloader))
    except RequestException as error:
        answer = getattr(error, "response", None)
        why = type(error).__name__ if answer is None else f"HTTP {answer.status_code}"
        message = f"{archive.name} could not be downloaded from {archive.url} ({why})"
        raise ConnectionError(message) from error
    except ValueError as error:
        raise ValueError(f"{archive.url} is not {archive.name}: {error}") from error
    # The temporary file was private; a public corpus need not be.
    path.chmod(0o644)
    return path


def iterate_tar(
    path: Path,
    wanted: Callable[[str], bool] | None = None,
    limit_member: int = LIMIT_MEMBER,
    limit_total: int = LIMIT_TOTAL,
) -> Iterator[tuple[str, bytes]]:
    """Regular files of a tar archive, plain or compressed, in the order they are stored.

    Nothing is written to the disk, and one member at a time is held in memory. Links, devices and
    folders are passed over.

    Parameters
    ----------
    path : Path
    wanted : callable, optional
        Of a member's name; the others are passed over, whatever their size.
    limit_member, limit_total : int
        Bytes: of one wanted member, and of the whole archive when decompressed.

    Yields
    ------
    name : str
    content : bytes

    Raises
    ------
    ValueError
        For a name that leads out of the archive, a limit that is exceeded, and an archive that is
        truncated or corrupt, wherever that is: it is read to the end of its compressed stream.
    """
    total, count, last = 0, 0, "nothing"
    with closing(_decompressed(path)) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive:
                while (member := archive.next()) is not None:
                    # tarfile keeps all headers; there may be a hundred thousand.
                    archive.members.clear()  # type: ignore[attr-defined]
                    total += BLOCK + member.size
                    _check_member(path, member, total, limit_total)
                    if member.isreg() and (wanted is None or wanted(member.name)):
                        if member.size > limit_member:
                            raise ValueError(
                                f"{path}: {member.name} has {member.size} bytes, "
                                f"more than {limit_member}"
                            )
                        # Not None: the member is a regular file.
                        content = archive.extractfile(member).read()  # type: ignore[union-attr]
                        yield member.name, content
                        count, last = count + 1, member.name
            # The checksum of a compressed stream comes at its end.
            while chunk := stream.read(2**16):
                total += len(chunk)
                if total > limit_total:
                    raise ValueError(f"{path} holds more than {limit_total} bytes")
        except DAMAGE as error:
            raise ValueError(
                f"{path} is truncated or corrupt: {count} members read, the last was {last} "
                f"({_reason(error)})"
            ) from error


class _Header(tarfile.TarInfo):
    """A header that is damaged or missing is an error; tarfile would take it for the end."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if len(buf) == BLOCK and not any(buf):
                raise  # a block of zeros is how an archive ends
            raise tarfile.ReadError(str(error)) from error
        # tarfile reads these whole to learn the name of the member that follows.
        if header.type in HEADER_TYPES and header.size > LIMIT_HEADER:
            raise tarfile.ReadError(f"header of {header.size} bytes")
        return header


def _check_member(path: Path, member: tarfile.TarInfo, total: int, limit_total: int) -> None:
    parts = re.split(r"[/\\]", member.name)
    if ".." in parts or parts[0] == "" or parts[0].endswith(":"):
        raise ValueError(f"{path}: {member.name} leads out of the archive")
    if total > limit_total:
        raise ValueError(f"{path}: {member.name} ends beyond {limit_total} bytes")


def iterate_lines(
    path: Path, limit_line: int = LIMIT_MEMBER, limit_total: int = LIMIT_TOTAL
) -> Iterator[bytes]:
    """Lines of a file, plain or compressed, without their newline; ValueError as for archives."""
    total = count = 0
    with closing(_decompressed(path)) as stream:
        try:
            while line := stream.readline(limit_line + 1):
                total += len(line)
                if len(line) > limit_line or total > limit_total:
                    limit = limit_line if len(line) > limit_line else limit_total
                    raise ValueError(f"{path}: line {count + 1} ends beyond {limit} bytes")
                yield line.removesuffix(b"\n")
                count += 1
        except DAMAGE as error:
            raise ValueError(
                f"{path} is truncated or corrupt: {count} lines read ({_reason(error)})"
            ) from error


def first_bytes(path: Path, count: int) -> bytes:
    """The first bytes of a file, once decompressed."""
    with closing(_decompressed(path)) as stream:
        try:
            return stream.read(count)
        except DAMAGE as error:
            raise ValueError(f"{path} is truncated or corrupt ({_reason(error)})") from error


def _decompressed(path: Path) -> BinaryIO:
    """The content of a file, by its first bytes and not by its name."""
    with path.open("rb") as stream:
        magic = stream.read(6)
    if magic.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.open(path))
    if magic == b"\xfd7zXZ\x00":
        return cast(BinaryIO, lzma.open(path))
    return cast(BinaryIO, bz2.open(path)) if magic.startswith(b"BZh") else path.open("rb")


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
