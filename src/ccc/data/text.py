r"""Documents as sequences of stems (Section 5).

Tokens follow the Penn treebank's habits, as the paper's tool does: lower case, clitics apart
("do n't", "movie 's"), hyphenated words and numbers whole. Ratings stay whole as well: ``7/10``,
and for "*1/2", one and a half stars, the token ``*1/`` that the paper's figures show. Punctuation
is left out, and so is what is longer than any word. Words are reduced to Snowball's English stems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.storage import Stored

__all__ = ["Tokens", "read_tokens", "tokenize"]

LONGEST = 40  # letters; beyond are addresses and encoded files
MARKUP = re.compile(r"<[^<>\s][^<>]{0,200}>")
TOKEN = re.compile(
    r"""
      \d+ (?:\.\d+)? / \d+                      # 7/10, 8.5/10
    | \*+ \d /                                  # *1/ of *1/2
    | \d+ (?:[.,]\d+)+ (?![^\W_])               # 1,000 or 3.5
    | [^\W\d_]+ (?= n't\b )                     # do of don't
    | n't\b
    | (?<=\w) ' (?: s | re | ve | ll | d | m )\b  # 's of movie's
    | [^\W_]+ (?: - [^\W_]+ )*                  # words, numbers, low-budget
    """,
    re.VERBOSE,
)


def tokenize(text: str) -> list[str]:
    """Tokens of a text, in lower case; mark-up such as ``<br />`` is left out."""
    plain = MARKUP.sub(" ", text).replace("\u2019", "'")
    return [token for token in TOKEN.findall(plain.lower()) if len(token) <= LONGEST]


@cache
def _stemmer() -> Any:
    # Imported here: only who reads text needs it.
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def stems_of(forms: list[str]) -> list[str]:
    """Snowball stems of words; what is not made of letters and hyphens stays as it is."""
    stem = _stemmer().stemWord
    return [stem(form) if form.replace("-", "").isalpha() else form for form in forms]


@dataclass(frozen=True)
class Tokens(Stored):
    """Documents as sequences of stems.

    Attributes
    ----------
    words : (V,) array of str
        Stems, the most frequent first; of equally frequent ones the first in alphabetical order.
    counts : (V,) array
    ids : (T,) array
        Position in ``words`` of each token, document after document.
    starts : (D + 1,) array
        Where each document begins among ``ids``.
    forms : (F,) array of str
        Words as they were found, grouped by stem, the most frequent of a stem first.
    form_starts : (V + 1,) array
        Where the forms of each stem begin.
    """

    words: NDArray[np.str_]
    counts: NDArray[np.int64]
    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    forms: NDArray[np.str_]
    form_starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def forms_of(self, word: int) -> list[str]:
        """The forms of stem ``word``, the most frequent first."""
        return self.forms[self.form_starts[word] : self.form_starts[word + 1]].tolist()

    def document(self, index: int) -> list[str]:
        """The stems of a document, in order."""
        return self.words[self.ids[self.starts[index] : self.starts[index + 1]]].tolist()


def read_tokens(texts: Iterable[str]) -> Tokens:
    """Tokenise and stem documents; each distinct form is stemmed once."""
    number: dict[str, int] = {}
    documents = []
    for text in texts:
        found = tokenize(text)
        documents.append(
            np.fromiter(
                (number.setdefault(form, len(number)) for form in found), np.int32, len(found)
            )
        )
    ids = np.concatenate([np.empty(0, np.int32), *documents])
    starts = np.concatenate([[0], np.cumsum([len(document) for document in documents])])
    forms = list(number)
    form_counts = np.bincount(ids, minlength=len(forms))
    stems, stem_of_form = np.unique(stems_of(forms) or np.empty(0, str), return_inverse=True)
    counts = np.bincount(stem_of_form, form_counts, len(stems)).astype(np.int64)
    # Stems are in alphabetical order, which a stable sort keeps among equally frequent ones.
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(stems), dtype=np.int32)
    rank[order] = np.arange(len(stems), dtype=np.int32)
    rank_of_form = rank[stem_of_form]
    by_stem = np.lexsort((np.array(forms, dtype=str), -form_counts, rank_of_form))
    form_starts = np.searchsorted(rank_of_form[by_stem], np.arange(len(stems) + 1))
    return Tokens(
        words=stems[order],
        counts=counts[order],
        ids=rank_of_form[ids],
        starts=starts.astype(np.int64),
        forms=np.array(forms, dtype=str)[by_stem],
        form_starts=form_starts.astype(np.int64),
    )
