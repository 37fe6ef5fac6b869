"""Table of the clusters of words that the evidence selects, the strongest first."""

import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.data.words import cluster_words
from ccc.job import run
from ccc.selection import SigmaChoice
from ccc.tables import escape, write_table

CAPTION = (
    "Clusters of more than one word in the selected clustering of the proposed method, the {shown} "
    "with the largest odds ratios: the class that each speaks for, its odds ratio to the second, "
    "and its words."
)
SHOWN = 40
LETTERS = 160


def main(input, output, params, threads):
    problem, sigma = TextFeatures.load(input.problem), SigmaChoice.load(input.sigma).sigma
    scores = pd.read_csv(input.scores)
    labels = Clusterings.load(input.clusterings).labels[int(scores["selected"].argmax())]
    frame = cluster_words(problem.train, problem.y_train, labels, sigma, problem.shown)
    top = frame[frame["size"] > 1].head(SHOWN)
    text = top.assign(odds_ratio=top["odds_ratio"].map("{:.2f}".format)).astype(str)
    text["words"] = [
        words if len(words) <= LETTERS else f"{words[:LETTERS].rsplit(' ', 1)[0]} …"
        for words in text["words"]
    ]
    text.columns = text.columns.str.replace("_", " ")
    tables = {"markdown": [text], "latex": [text.map(escape)]}
    caption = CAPTION.format(shown=len(text))
    write_table(output, frame, tables, caption, params.remarks, params.table)


if "snakemake" in globals():
    run(main, snakemake)
