"""Table of the clusters of words that the evidence selects, the strongest first.

Where it selects every word by itself they are those of the best one that is a clustering.
"""

import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.data.words import cluster_words
from ccc.job import run
from ccc.selection import SigmaChoice
from ccc.tables import escape, write_table
from ccc.thinning import shown

CAPTION = (
    "Clusters of more than one word of the proposed method, in {which} ({clusters} clusters, {d} "
    "words): the {count} with the largest odds ratios, the class that each speaks for, its odds "
    "ratio to the second, and its words."
)
SELECTED = "the clustering that the marginal likelihood selects"
BEST = (
    "the best clustering by the marginal likelihood, which itself selects every word as a cluster "
    "of its own"
)
SHOWN = 40
LETTERS = 160


def main(input, output, params, threads):
    problem, sigma = TextFeatures.load(input.problem), SigmaChoice.load(input.sigma).sigma
    scores = pd.read_csv(input.scores)
    columns = (scores[name] for name in ("selected", "n_clusters", "log_marginal_likelihood"))
    place = shown(*columns, d=len(problem.words))
    labels = Clusterings.load(input.clusterings).labels[place]
    frame = cluster_words(problem.train, problem.y_train, labels, sigma, problem.shown)
    top = frame[frame["size"] > 1].head(SHOWN)
    text = top.assign(odds_ratio=top["odds_ratio"].map("{:.2f}".format)).astype(str)
    text["words"] = [
        words if len(words) <= LETTERS else f"{words[:LETTERS].rsplit(' ', 1)[0]} …"
        for words in text["words"]
    ]
    text.columns = text.columns.str.replace("_", " ")
    tables = {"markdown": [text], "latex": [text.map(escape)]}
    caption = CAPTION.format(
        which=SELECTED if scores["selected"][place] else BEST,
        clusters=len(frame),
        d=len(problem.words),
        count=len(text),
    )
    write_table(output, frame, tables, caption, params.remarks, params.table)


if "snakemake" in globals():
    run(main, snakemake)
