"""Table of the clusters of words that the evidence selects, the strongest first.

Where it selects every word by itself they are those of the best one that is a clustering.
"""

import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.data.words import cluster_words
from ccc.job import run
from ccc.odds import ClassOdds
from ccc.selection import SigmaChoice
from ccc.storage import load_npz
from ccc.tables import escape, write_table
from ccc.thinning import shown

CAPTION = (
    "Clusters of the proposed method, in {which} ({clusters} clusters, {d} words). First the "
    "{count} clusters of more than one word with the largest odds ratios: the class that each "
    "speaks for, its odds ratio to the second, and its words, those first that have the largest "
    "odds ratios by themselves. Then, class by class, the strongest of the {singles} words that "
    "are a cluster of their own, with their odds ratios."
)
SELECTED = "the clustering that the marginal likelihood selects"
BEST = (
    "the best clustering by the marginal likelihood, which itself selects every word as a cluster "
    "of its own"
)
SHOWN = 40
LETTERS = 160
# Single words of a class.
SINGLES = 12


def main(input, output, params, threads):
    problem, sigma = TextFeatures.load(input.problem), SigmaChoice.load(input.sigma).sigma
    scores = pd.read_csv(input.scores)
    columns = (scores[name] for name in ("selected", "n_clusters", "log_marginal_likelihood"))
    place = shown(*columns, d=len(problem.words))
    labels = Clusterings.load(input.clusterings).labels[place]
    stored = load_npz(input.odds)
    single = ClassOdds(*(stored[name] for name in ("classes", "leading", "log_odds"))).log_odds[0]
    frame = cluster_words(problem.train, problem.y_train, labels, sigma, problem.shown, single)
    alone = frame["size"] == 1
    shapes = [joined_shape(frame[~alone].head(SHOWN)), single_shape(frame[alone])]
    shapes = [shape for shape in shapes if len(shape)]
    tables = {"markdown": shapes, "latex": [shape.map(escape) for shape in shapes]}
    caption = CAPTION.format(
        which=SELECTED if scores["selected"][place] else BEST,
        clusters=len(frame),
        d=len(problem.words),
        count=min(SHOWN, int((~alone).sum())),
        singles=int(alone.sum()),
    )
    write_table(output, frame, tables, caption, params.remarks, params.table)


def joined_shape(frame):
    """Clusters as text, their words up to some length."""
    text = frame.assign(odds_ratio=frame["odds_ratio"].map("{:.2f}".format)).astype(str)
    text["words"] = [
        words if len(words) <= LETTERS else f"{words[:LETTERS].rsplit(' ', 1)[0]} …"
        for words in text["words"]
    ]
    text.columns = text.columns.str.replace("_", " ")
    return text


def single_shape(frame):
    """The strongest single words of every class."""
    rows = [
        {
            "class": label,
            "words of their own": ", ".join(
                f"{row.words} {row.odds_ratio:.2f}" for row in own.head(SINGLES).itertuples()
            ),
        }
        for label, own in frame.groupby("class")
    ]
    return pd.DataFrame(rows)


if "snakemake" in globals():
    run(main, snakemake)
