"""Word embeddings (Section 5): word2vec from the documents themselves, or published GloVe."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ccc.data.text import Tokens
from ccc.storage import Stored

__all__ = ["WordVectors", "look_up", "read_glove", "word2vec"]


@dataclass(frozen=True)
class WordVectors(Stored):
    """``vectors`` (V, p) of ``words`` (V,)."""

    words: NDArray[np.str_]
    vectors: NDArray[np.float32]


class _Sentences:
    """Documents as lists of stems, as often as gensim wants to go through them."""

    def __init__(self, tokens: Tokens, documents: Iterable[int]) -> None:
        self.words = tokens.words.tolist()
        self.documents = [tokens.ids[slice(*tokens.starts[i : i + 2])] for i in documents]

    def __iter__(self) -> Iterator[list[str]]:
        return ([self.words[i] for i in ids.tolist()] for ids in self.documents)


def word2vec(
    tokens: Tokens,
    documents: Iterable[int],
    *,
    dimension: int = 50,
    epochs: int = 5,
    min_count: int = 5,
    seed: int = 0,
) -> WordVectors:
    """Embeddings trained on the given documents by gensim's word2vec.

    The settings are the defaults of the original tool: continuous bag of words, window 5, five
    negative samples, frequent words sampled at 1e-3, learning rate 0.05 (gensim's own is 0.025).
    One worker, so that the result depends on nothing but the seed.
    """
    # Imported here: it takes a second, and only this function needs it.
    from gensim.models import Word2Vec

    model = Word2Vec(
        sentences=_Sentences(tokens, documents),
        vector_size=dimension,
        alpha=0.05,
        window=5,
        min_count=min_count,
        sample=1e-3,
        sg=0,
        negative=5,
        epochs=epochs,
        workers=1,
        seed=seed,
    )
    return WordVectors(np.array(model.wv.index_to_key), model.wv.vectors)


def read_glove(
    path: str | os.PathLike[str], dimension: int, wanted: set[str] | None = None
) -> WordVectors:
    """GloVe vectors of a dimension, of the ``wanted`` words only if given.

    ``path`` is the official ``glove.6B.zip``, from which ``glove.6B.<dimension>d.txt`` is read
    without unpacking, such a text file itself, or an ``.npz`` with ``words`` and ``vectors``,
    whatever else it holds.
    """
    name = os.fspath(path)
    if name.endswith(".npz"):
        # Such a file may hold more than it needs to: ranks, origins.
        with np.load(path, allow_pickle=False) as stored:
            missing = {"words", "vectors"} - set(stored.files)
            if missing:
                raise ValueError(f"{name} has no array {min(missing)!r}: it holds {stored.files}")
            vectors = WordVectors(stored["words"], stored["vectors"])
        found = vectors.vectors.shape[1]
        if found != dimension:
            raise ValueError(f"{name} holds vectors of dimension {found}, not {dimension}")
        if wanted is None:
            return vectors
        keep = np.array([word in wanted for word in vectors.words.tolist()], dtype=bool)
        return WordVectors(vectors.words[keep], vectors.vectors[keep])
    if not zipfile.is_zipfile(path):
        with open(path, encoding="utf-8") as lines:
            return _parse(lines, dimension, wanted, name)
    with zipfile.ZipFile(path) as archive:
        members = [m for m in archive.namelist() if m.endswith(f".{dimension}d.txt")]
        if len(members) != 1:
            raise ValueError(
                f"{name} has no vectors of dimension {dimension}: it holds "
                f"{', '.join(archive.namelist())}"
            )
        with archive.open(members[0]) as stream:
            lines = io.TextIOWrapper(stream, encoding="utf-8")
            return _parse(lines, dimension, wanted, f"{name}, {members[0]}")


def _parse(
    lines: Iterable[str], dimension: int, wanted: set[str] | None, where: str
) -> WordVectors:
    """One word and its numbers per line, separated by blanks."""
    words, vectors = [], []
    read = 0
    try:
        for line in lines:
            read += 1
            word, *values = line.rstrip("\n").split(" ")
            if len(values) != dimension:
                raise ValueError(f"{len(values)} numbers after {word!r}, expected {dimension}")
            if wanted is None or word in wanted:
                words.append(word)
                vectors.append(np.array(values, dtype=np.float32))
    except (ValueError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(f"{where}, line {read}: {error}") from None
    return WordVectors(np.array(words, dtype=str), np.array(vectors).reshape(-1, dimension))


def look_up(
    vectors: WordVectors, names: Iterable[list[str]]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The vector of each covariate: of the first of its names that has one.

    Returns
    -------
    (d, p) array, (d,) mask
        Zeros, and False, where no name has a vector.
    """
    position = {word: i for i, word in enumerate(vectors.words.tolist())}
    hits = [next((position[name] for name in some if name in position), -1) for some in names]
    where = np.array(hits, dtype=np.int64)
    found = where >= 0
    out = np.zeros((len(where), vectors.vectors.shape[1]))
    out[found] = vectors.vectors[where[found]]
    return out, found
