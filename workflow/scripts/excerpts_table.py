"""Table of which words of an excerpt share a cluster, in the clustering whose tree is drawn."""

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.data.words import word_groups
from ccc.job import run
from ccc.storage import load_npz
from ccc.tables import CORPUS_NAMES, MISSING, WORD_METHOD_NAMES, escape, write_table

CAPTION = (
    "Which words of the excerpts that the paper shows share a cluster: for the proposed method in "
    "the clustering that the marginal likelihood selects or, where it selects every word by "
    "itself, in the best one that is a clustering; for the others in that with the nearest number "
    "of clusters. A bar separates clusters; in brackets how many words each holds. Missing are "
    "words that are no covariates."
)


def main(input, output, params, threads):
    files = zip(input.problems, input.clusterings, input.odds, params.excerpts, strict=True)
    frame = pd.DataFrame([row_of(*those) for those in files])
    text = frame.drop(columns="words").astype(str)
    text["corpus"] = frame["corpus"].map(CORPUS_NAMES)
    text["method"] = frame["method"].map(WORD_METHOD_NAMES)
    text["missing"] = frame["missing"].replace("", MISSING)
    text.columns = text.columns.str.replace("_", " ")
    safe = text.assign(
        **{
            name: text[name].str.replace("|", r"\|").str.replace("*", r"\*")
            for name in ("groups", "missing")
        }
    )
    shapes = {"markdown": [safe], "latex": [text.map(escape)]}
    write_table(output, frame, shapes, CAPTION, params.remarks, params.table)


def row_of(problem_file, clusterings_file, odds_file, shown):
    """One excerpt of a corpus under a method."""
    problem, path = TextFeatures.load(problem_file), Clusterings.load(clusterings_file)
    labels = path.labels[int(load_npz(odds_file)["chosen"])]
    # Words are asked for as they are read or as they are counted.
    names = np.where(np.isin(problem.words, shown["words"]), problem.words, problem.shown)
    groups = word_groups(labels, names, shown["words"])
    sizes = dict(zip(names.tolist(), np.bincount(labels)[labels].tolist(), strict=True))
    found = sum(map(len, groups))
    return {
        "corpus": shown["corpus"],
        "excerpt": shown["excerpt"],
        "method": shown["method"],
        "n_clusters": int(labels.max()) + 1,
        "words": found,
        "clusters_of_words": len(groups),
        "groups": " | ".join(f"{' '.join(group)} ({sizes[group[0]]})" for group in groups),
        "missing": " ".join(word for word in shown["words"] if word not in sizes),
    }


if "snakemake" in globals():
    run(main, snakemake)
