r"""Documents as covariates: tf-idf of the most frequent words (the paper's appendix).

.. math:: \tilde x_{sj} = \frac{x_{sj}}{\lVert x_s \rVert_2}, \qquad
          x_{sj} = \#\{\text{word } j \text{ in document } s\}
          \Bigl( 1 + \log \frac{1 + D}{1 + D_j} \Bigr) ,

D documents of which D_j hold word j (scikit-learn's smoothed idf), and then mean 0 and variance 1
for every word. The last step stays implicit: the matrix is kept sparse, with its centre and scale.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ccc.data.text import Tokens
from ccc.design import Standardized
from ccc.storage import load_npz, save_npz

__all__ = ["STATISTICS", "TextFeatures", "count_matrix", "tfidf_features"]

STATISTICS = ("pooled", "train")


@dataclass(frozen=True)
class TextFeatures:
    """Labelled documents, those to learn from and those held out.

    Attributes
    ----------
    X_train, X_test : (n, d) CSR arrays
        tf-idf with rows of length 1.
    y_train, y_test : (n,) arrays of str
    words : (d,) array of str
        Stems.
    shown : (d,) array of str
        The most frequent form of each, for readers.
    centre, scale : (d,) arrays
        Mean and standard deviation of every word.
    without_words : int
        Labelled documents that hold none of the words and were left out.
    constant_words : int
        Words that tell no document to learn from from another, most of them because none holds
        them, and that were left out.
    """

    X_train: sp.csr_array
    X_test: sp.csr_array
    y_train: NDArray[np.str_]
    y_test: NDArray[np.str_]
    words: NDArray[np.str_]
    shown: NDArray[np.str_]
    centre: NDArray[np.float64]
    scale: NDArray[np.float64]
    without_words: int
    constant_words: int

    @property
    def train(self) -> Standardized:
        """Documents to learn from, standardised."""
        return Standardized(self.X_train, self.centre, self.scale)

    @property
    def test(self) -> Standardized:
        """Held-out documents, with the same centre and scale."""
        return Standardized(self.X_test, self.centre, self.scale)

    def take(self, columns: NDArray[Any]) -> TextFeatures:
        """Only these words."""
        return TextFeatures(
            X_train=self.X_train[:, columns],
            X_test=self.X_test[:, columns],
            y_train=self.y_train,
            y_test=self.y_test,
            words=self.words[columns],
            shown=self.shown[columns],
            centre=self.centre[columns],
            scale=self.scale[columns],
            without_words=self.without_words,
            constant_words=self.constant_words,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an ``.npz`` file."""
        stored: dict[str, Any] = {}
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if sp.issparse(value):
                for part in ("data", "indices", "indptr", "shape"):
                    stored[f"{name}__{part}"] = getattr(value, part)
            else:
                stored[name] = value
        save_npz(path, **stored)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TextFeatures:
        """Read what :meth:`save` wrote."""
        stored = load_npz(path)
        for name in ("X_train", "X_test"):
            parts = [stored.pop(f"{name}__{part}") for part in ("data", "indices", "indptr")]
            stored[name] = sp.csr_array(tuple(parts), shape=tuple(stored.pop(f"{name}__shape")))
        return cls(**stored)


def count_matrix(tokens: Tokens, vocabulary: int) -> sp.csr_array:
    """(D, vocabulary) how often each document holds each of the most frequent words."""
    kept = tokens.ids < vocabulary
    starts = np.concatenate([[0], np.cumsum(kept)])[tokens.starts]
    columns = min(vocabulary, len(tokens.words))
    counts = sp.csr_array(
        (np.ones(int(kept.sum())), tokens.ids[kept], starts), shape=(len(tokens), columns)
    )
    counts.sum_duplicates()
    return counts


def tfidf_features(
    tokens: Tokens,
    labels: NDArray[np.str_],
    *,
    vocabulary: int = 10_000,
    n_train: int = 10_000,
    statistics: str = "pooled",
    seed: int = 0,
) -> TextFeatures:
    """The labelled documents as tf-idf of the most frequent words of all documents.

    Parameters
    ----------
    tokens : Tokens
        All documents, labelled or not.
    labels : (D,) array of str
        Class of each, "" for none.
    vocabulary : int
        How many words.
    n_train : int
        How many documents to learn from, drawn so that classes keep their shares; the others are
        held out.
    statistics : {"pooled", "train"}
        Whether idf, mean and variance are those of all labelled documents, as in the authors' code,
        or of the documents to learn from alone.
    seed : int
        Of the draw.
    """
    # Imported here: see ccc.results.
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.model_selection import train_test_split

    labels = np.asarray(labels)
    if labels.shape != (len(tokens),):
        raise ValueError(
            f"labels must have shape ({len(tokens)},) like the documents, got {labels.shape}"
        )
    if statistics not in STATISTICS:
        raise ValueError(f"statistics must be one of {', '.join(STATISTICS)}, got {statistics!r}")
    counts = count_matrix(tokens, vocabulary)
    labelled = np.flatnonzero(labels != "")
    holds_words = np.diff(counts.indptr)[labelled] > 0
    rows = labelled[holds_words]
    if not 0 < n_train < len(rows):
        raise ValueError(
            f"n_train must be positive and below the {len(rows)} labelled documents, got {n_train}"
        )
    train, test = train_test_split(
        rows, train_size=n_train, stratify=labels[rows], random_state=seed
    )
    train, test = np.sort(train), np.sort(test)
    tfidf = TfidfTransformer().fit(counts[rows if statistics == "pooled" else train])
    X_train, X_test = (sp.csr_array(tfidf.transform(counts[part])) for part in (train, test))
    columns = np.flatnonzero(_varies(X_train))
    X_train, X_test = X_train[:, columns], X_test[:, columns]
    standard = Standardized.fit(
        sp.vstack([X_train, X_test], format="csr") if statistics == "pooled" else X_train
    )
    return TextFeatures(
        X_train=X_train,
        X_test=X_test,
        y_train=labels[train],
        y_test=labels[test],
        words=tokens.words[columns],
        shown=np.array([tokens.forms_of(word)[0] for word in columns.tolist()]),
        centre=standard.centre,
        scale=standard.scale,
        without_words=int((~holds_words).sum()),
        constant_words=counts.shape[1] - len(columns),
    )


def _varies(X: sp.csr_array) -> NDArray[np.bool_]:
    """Which columns are not constant, up to rounding."""
    top, bottom = (np.asarray(extreme(axis=0).toarray()).ravel() for extreme in (X.max, X.min))
    return top - bottom > 1e-7 * np.abs(top)
