"""Table of which ratings share a cluster, method by method, at the nearest numbers of clusters."""

import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.data.words import mixes_good_and_bad, rating_groups
from ccc.job import run
from ccc.tables import WORD_METHOD_NAMES, escape, write_table
from ccc.thinning import nearest

CAPTION = (
    "Which ratings share a cluster: the selected clustering of the proposed method, and of the "
    "other methods those with the nearest number of clusters that they have. A bar separates "
    "clusters; mixed are those with ratings of at least 7 and of at most 4 out of ten."
)


def main(input, output, params, threads):
    words = TextFeatures.load(input.problem).words
    paths = dict(zip(params.methods, map(Clusterings.load, input.clusterings), strict=True))
    scores = pd.read_csv(input.scores)
    selected = int(scores["selected"].argmax())
    wanted = int(scores["n_clusters"][selected])
    rows = []
    for method, path in paths.items():
        place = selected if method == "proposed" else nearest(path.n_clusters, wanted)
        groups = rating_groups(path.labels[place], words)
        rows.append(
            {
                "method": method,
                "n_clusters": path.n_clusters[place],
                "ratings": sum(map(len, groups)),
                "clusters_of_ratings": len(groups),
                "mixed": sum(map(mixes_good_and_bad, groups)),
                "groups": " | ".join(" ".join(group) for group in groups),
            }
        )
    frame = pd.DataFrame(rows)
    text = frame.astype(str).assign(method=frame["method"].map(WORD_METHOD_NAMES))
    text.columns = text.columns.str.replace("_", " ")
    shapes = {
        "markdown": [
            text.assign(groups=text["groups"].str.replace("|", r"\|").str.replace("*", r"\*"))
        ],
        "latex": [text.map(escape)],
    }
    write_table(output, frame, shapes, CAPTION, params.remarks, params.table)


if "snakemake" in globals():
    run(main, snakemake)
