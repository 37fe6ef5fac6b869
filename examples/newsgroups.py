"""Which words say the same about what a post is about?

Posts to four newsgroups, tf-idf of their most frequent words, and GloVe vectors of the words as
similarity: words join if they are used alike in general and speak for the same group. Each panel
has the clusters of two or more words that speak most for one group, with the coefficient that the
words share.

Needs 20 Newsgroups and GloVe: downloaded, or found in the folder CCC_DATA. With --sample the
made-up corpora that come with the package are taken instead, on which no result means anything.
"""

import sys
from pathlib import Path
from textwrap import shorten

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from comparison import compared, run

from ccc import ConvexCovariateClustering
from ccc.data.corpora import CORPORA, GLOVE, read_corpus, without_duplicates
from ccc.data.embeddings import look_up, read_glove
from ccc.data.features import tfidf_features
from ccc.data.origin import obtain
from ccc.data.sample import write_sample_glove, write_sample_newsgroups
from ccc.data.text import read_tokens

PICTURE = "newsgroups.png"
GROUPS = ["comp.sys.mac.hardware", "rec.autos", "sci.med", "sci.space"]
WORDS = 500
DIMENSION = 100
SHOWN = 4


def main(out: Path, sample: bool) -> pd.DataFrame:
    X_train, y_train, X_test, y_test, vectors = read(out, sample)
    model = ConvexCovariateClustering(similarity="knn", similarity_params={"vectors": vectors})
    model.fit(X_train, y_train)
    figure = draw(model)
    if sample:
        figure.suptitle("made-up sample corpora")
    figure.savefig(out / PICTURE, dpi=150)
    return compared(model, X_train, y_train, X_test, y_test)


def read(out: Path, sample: bool):
    """Half of the posts to learn from, the others, and a vector of every word that has one."""
    archives = [archive for archive in GLOVE if archive.name.endswith((".zip", "100d.subset.npz"))]
    try:
        posts = obtain(CORPORA["newsgroup20"], "", out, write_sample_newsgroups if sample else None)
        glove = obtain(archives, "", out, write_sample_glove if sample else None)
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"{Path(__file__).name}: {error}")
    corpus = without_duplicates(read_corpus("newsgroup20", posts.path))
    chosen = np.flatnonzero(np.isin(corpus.labels, GROUPS))
    tokens = read_tokens(corpus.texts[i] for i in chosen)
    features = tfidf_features(
        tokens, corpus.labels[chosen], vocabulary=WORDS, n_train=len(chosen) // 2
    )
    position = {word: i for i, word in enumerate(tokens.words.tolist())}
    forms = [tokens.forms_of(position[word]) for word in features.words.tolist()]
    vectors, found = look_up(read_glove(glove.path, DIMENSION), forms)
    X_train, X_test = (
        pd.DataFrame(X.toarray()[:, found], columns=features.shown[found])
        for X in (features.X_train, features.X_test)
    )
    return X_train, features.y_train, X_test, features.y_test, vectors[found]


def draw(model):
    """The clusters of several words that speak most for each group."""
    figure, axes = plt.subplots(2, 2, figsize=(11, 5), layout="constrained", sharex=True)
    sizes = np.bincount(model.labels_)
    for panel, group, effects in zip(axes.flat, model.classes_, model.cluster_coef_, strict=True):
        order = np.argsort(effects)
        best = order[((sizes > 1) & (effects > 0))[order]][-SHOWN:]
        members = [model.feature_names_in_[model.labels_ == k] for k in best]
        titles = [shorten(f"{len(w)}: {', '.join(w)}", 60, placeholder=" …") for w in members]
        panel.barh(range(len(best)), effects[best], color="#0072B2")
        panel.set_yticks(range(len(best)), titles, fontsize=7)
        panel.yaxis.tick_right()
        panel.set_ylim(len(best) - SHOWN - 0.5, len(best) - 0.5)
        panel.set_title(group, fontsize=9)
        panel.spines[["top", "left"]].set_visible(False)
    figure.supxlabel(
        "coefficient that the words of a cluster share; beside it how many words, and which",
        fontsize=9,
    )
    return figure


if __name__ == "__main__":
    run(main, PICTURE, __doc__, sample="take the made-up sample corpora")
