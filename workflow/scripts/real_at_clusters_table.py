"""Table of held-out accuracies at about the same number of clusters, beside the published one."""

import pandas as pd

from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.tables import ABOUT, at_clusters_frame, at_clusters_shapes, escape, write_table

CAPTION = (
    "Accuracy on held-out documents of the clusterings with about so many clusters, in brackets "
    "how many they have: ours beside the published. Where the nearest clustering has not as many "
    f"within a factor of {ABOUT:g}, there is no accuracy."
)


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores], ignore_index=True)
    shapes_of = (TextFeatures.load(file).X_train.shape for file in input.problems)
    sizes = {name: shape[::-1] for name, shape in zip(params.corpora, shapes_of, strict=True)}
    published = pd.read_csv(input.published)
    frame = at_clusters_frame(
        scores, published, sizes, params.clusters, params.table, params.remarks
    )
    shapes = at_clusters_shapes(frame)
    footnote = (
        f"Worst relative duality gap of any path: {scores['gap'].max():.1e}. {params.remarks}"
    )
    tables = {"markdown": shapes, "latex": [shape.map(escape) for shape in shapes]}
    write_table(output, frame, tables, CAPTION, footnote.strip(), params.table)


if "snakemake" in globals():
    run(main, snakemake)
