"""The two text corpora of the paper: where they come from and what is in them.

A corpus exists as the archive that its authors publish and as a smaller file with the same
documents. Both give the same :class:`Corpus`: the documents are sorted by part, class and number,
whatever their order in the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ccc.data.archives import Archive, first_bytes, iterate_lines, iterate_tar

__all__ = ["CORPORA", "GLOVE", "NEWSGROUPS", "Corpus", "read_corpus", "without_duplicates"]

_NEWS_OFFICIAL = Archive(
    name="20news-bydate.tar.gz",
    checksum="sha256:8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
    url="https://ndownloader.figshare.com/files/5975967",
    size=None,
    description="20 Newsgroups sorted by date, the copy that scikit-learn uses",
)

CORPORA: dict[str, tuple[Archive, ...]] = {
    "imdb": (
        Archive(
            name="aclImdb_v1.tar.gz",
            checksum="sha256:c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe",
            url="https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
            size=84_125_825,
            description="Large Movie Review Dataset (Maas et al. 2011) as published",
        ),
        Archive(
            name="aclImdb_v1_reviews.tsv.xz",
            checksum="sha256:257fe20ab1fc10085e86cf095fcd1542999b0eddc68f42b1f385e835e40fa3c4",
            url=None,
            size=36_480_464,
            description="Large Movie Review Dataset, the reviews as one table",
        ),
    ),
    "newsgroup20": (
        _NEWS_OFFICIAL,
        # Figshare turns some networks away; the original place has the same file.
        replace(
            _NEWS_OFFICIAL,
            url="https://people.csail.mit.edu/jrennie/20Newsgroups/20news-bydate.tar.gz",
            description="20 Newsgroups sorted by date, as published",
        ),
        Archive(
            name="20news-bydate.tar.xz",
            checksum="sha256:7669b37d41ca45d1234e7bc5cd4d158d9cea91afd14df38cde37d3655d43364b",
            url=None,
            size=9_379_060,
            description="20 Newsgroups sorted by date, compressed further",
        ),
    ),
}

GLOVE: tuple[Archive, ...] = (
    Archive(
        name="glove.6B.zip",
        checksum="sha256:617afb2fe6cbd085c235baf7a465b96f4112bd7f7ccb2b2cbd649fed9cbcf2fb",
        url="https://nlp.stanford.edu/data/glove.6B.zip",
        size=862_182_613,
        description="GloVe vectors of Wikipedia 2014 and Gigaword 5, 50 to 300 dimensions",
    ),
    Archive(
        name="glove.6B.100d.subset.npz",
        checksum="sha256:ec4046ce83414ddfd7a8267c0fbb32efaca3e12482855882e3a50a32478f4e7e",
        url=None,
        size=41_733_479,
        description="Of those, the 100-dimensional vectors of the words in the two corpora",
    ),
    Archive(
        name="glove.6B.300d.partial.npz",
        checksum="sha256:9821ff280e34027d35198a7b77cf78dbab89fdbd3e5325bdd2979ce0d3660842",
        url=None,
        size=8_305_232,
        description="Of those, the 300-dimensional vectors of 7,494 words",
    ),
)

NEWSGROUPS = (
    "alt.atheism",
    "comp.graphics",
    "comp.os.ms-windows.misc",
    "comp.sys.ibm.pc.hardware",
    "comp.sys.mac.hardware",
    "comp.windows.x",
    "misc.forsale",
    "rec.autos",
    "rec.motorcycles",
    "rec.sport.baseball",
    "rec.sport.hockey",
    "sci.crypt",
    "sci.electronics",
    "sci.med",
    "sci.space",
    "soc.religion.christian",
    "talk.politics.guns",
    "talk.politics.mideast",
    "talk.politics.misc",
    "talk.religion.misc",
)

PARTS = ("train", "test", "unsup")  # in this order, so that labelled documents come first
TABLE_HEADER = b"split\tclass\tid\trating\ttext"
IMDB_LABELS = {"pos": "good movie", "neg": "bad movie", "unsup": ""}
IMDB_FOLDERS = ("train/pos", "train/neg", "train/unsup", "test/pos", "test/neg")
IMDB_MEMBER = re.compile(r"(?:\./)?aclImdb/([^/]+)/([^/]+)/([0-9]+)_([0-9]+)\.txt")
NEWS_MEMBER = re.compile(r"(?:\./)?20news-bydate-([^/]+)/([^/]+)/([0-9]+)")


@dataclass(frozen=True)
class Corpus:
    """Documents and what is known of them.

    Attributes
    ----------
    name : str
    texts : list of str
    labels : array of str
        Class names; empty for a document without label.
    parts : array of str
        ``"train"``, ``"test"`` or ``"unsup"``.
    ids : array of str
        Place in the official archive, e.g. ``"train/pos/0_9"``.
    undecodable : tuple of str
        Ids of documents with bytes that are no text; these became replacement characters.
    duplicates : int
        Documents that :func:`without_duplicates` left out.
    """

    name: str
    texts: list[str]
    labels: NDArray[np.str_]
    parts: NDArray[np.str_]
    ids: NDArray[np.str_]
    undecodable: tuple[str, ...] = ()
    duplicates: int = 0

    def __len__(self) -> int:
        return len(self.texts)


class _Document(NamedTuple):
    """One document; the first three fields are its place in the order."""

    part: int
    group: str
    number: int
    id: str
    label: str
    text: str
    decodable: bool


def read_corpus(name: str, path: str | os.PathLike[str]) -> Corpus:
    """Read the corpus ``name`` ("imdb" or "newsgroup20") from any of its forms.

    The forms are told apart by their content: a file that begins, once decompressed, with the
    line ``split class id rating text`` is the table of reviews, any other a tar archive. Members
    of an archive that are no documents (addresses, features, notes) are passed over.

    Raises
    ------
    ValueError
        Names the file and the member or line that is wrong: an unknown class, a line with fewer
        than five fields, a document that is there twice; or a file that holds no document at all.
    """
    if name not in CORPORA:
        raise ValueError(f"corpus must be one of {', '.join(CORPORA)}, got {name!r}")
    path = Path(path)
    if name == "newsgroup20":
        found = _members(path, NEWS_MEMBER, _post)
    elif first_bytes(path, len(TABLE_HEADER)) == TABLE_HEADER:
        found = _rows(path)
    else:
        found = _members(path, IMDB_MEMBER, _review)
    documents = sorted(found, key=lambda document: document[:3])
    if not documents:
        raise ValueError(f"{path} holds no document of {name}")
    for document, after in pairwise(documents):
        if document[:3] == after[:3]:
            raise ValueError(f"{path}: {after.id} is there twice")
    return Corpus(
        name=name,
        texts=[document.text for document in documents],
        labels=np.array([document.label for document in documents]),
        parts=np.array([PARTS[document.part] for document in documents]),
        ids=np.array([document.id for document in documents]),
        undecodable=tuple(document.id for document in documents if not document.decodable),
    )


def _members(
    path: Path, pattern: re.Pattern[str], document_of: Callable[..., _Document]
) -> Iterator[_Document]:
    """Documents of an official archive: the members that ``pattern`` describes."""
    for member, content in iterate_tar(path, lambda name: pattern.fullmatch(name) is not None):
        match = pattern.fullmatch(member)
        assert match is not None
        try:
            yield document_of(*match.groups(), content)
        except ValueError as error:
            raise ValueError(f"{path}: {member}: {error}") from error


def _rows(path: Path) -> Iterator[_Document]:
    """Reviews of the one-file form; a text may itself contain tabs."""
    lines = iterate_lines(path)
    next(lines)
    for number, line in enumerate(lines, start=2):
        fields = line.split(b"\t", maxsplit=4)
        try:
            if len(fields) < 5:
                raise ValueError(f"{len(fields)} fields instead of 5")
            split, group, id, rating = (field.decode() for field in fields[:4])
            if re.fullmatch("[0-9]+,[0-9]+", f"{id},{rating}") is None:
                raise ValueError(f"id {id!r} and rating {rating!r} must be numbers")
            yield _review(split, group, id, rating, fields[4])
        except ValueError as error:
            raise ValueError(f"{path}: line {number}: {error}") from error


def _review(split: str, group: str, number: str, rating: str, content: bytes) -> _Document:
    part = "unsup" if group == "unsup" else split
    if f"{split}/{group}" not in IMDB_FOLDERS:
        raise ValueError(f"unknown class {split}/{group}")
    id = f"{split}/{group}/{number}_{rating}"
    text, decodable = _decode(content, "utf-8")
    label = IMDB_LABELS[group]
    return _Document(PARTS.index(part), group, int(number), id, label, text, decodable)


def _post(split: str, group: str, number: str, content: bytes) -> _Document:
    if split not in ("train", "test") or group not in NEWSGROUPS:
        raise ValueError(f"unknown class {split}/{group}")
    id = f"{split}/{group}/{number}"
    text, decodable = _decode(content, "latin-1")
    return _Document(PARTS.index(split), group, int(number), id, group, text, decodable)


def _decode(content: bytes, encoding: str) -> tuple[str, bool]:
    try:
        return content.decode(encoding), True
    except UnicodeDecodeError:
        return content.decode(encoding, errors="replace"), False


def without_duplicates(corpus: Corpus, prefer: Sequence[str] = PARTS) -> Corpus:
    """Keep one of equal texts: that of the earliest part in ``prefer``, there the first.

    Texts are equal if they are so but for white space around them. What is kept stays in order.
    By default no label is lost to a copy among the unlabelled reviews: 98,469 reviews remain of
    IMDB, 49,582 of them labelled; ``("train", "unsup", "test")`` leaves as many, but only 49,316
    labelled. The newsgroups hold no duplicates.
    """
    rank = {part: place for place, part in enumerate(prefer)}
    missing = sorted(set(corpus.parts.tolist()) - set(rank))
    if missing:
        raise ValueError(f"prefer must name every part of the corpus, {missing[0]!r} is missing")
    order = np.argsort([rank[part] for part in corpus.parts.tolist()], kind="stable")
    first: dict[str, int] = {}
    for index in order.tolist():
        first.setdefault(corpus.texts[index].strip(), index)
    kept = sorted(first.values())
    return replace(
        corpus,
        texts=[corpus.texts[index] for index in kept],
        labels=corpus.labels[kept],
        parts=corpus.parts[kept],
        ids=corpus.ids[kept],
        duplicates=corpus.duplicates + len(corpus) - len(kept),
    )
