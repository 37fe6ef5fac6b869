"""Table of what the evidence selects on the corpora, beside the published one."""

import pandas as pd

from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.storage import load_npz
from ccc.tables import escape, left_out, selected_frame, selected_shapes, write_table

CAPTION = (
    "Clusterings of words that the approximate marginal likelihood selects, and for reference "
    "every word a cluster of its own: ours beside the published. Accuracy on held-out documents."
)


def main(input, output, params, threads):
    scores = pd.concat([pd.read_csv(file) for file in input.scores], ignore_index=True)
    problems = dict(zip(params.corpora, map(TextFeatures.load, input.problems), strict=True))
    sizes = {name: problem.X_train.shape[::-1] for name, problem in problems.items()}
    frame = selected_frame(
        scores, pd.read_csv(input.published), sizes, params.table, params.remarks
    )
    shapes = selected_shapes(frame)
    sigmas = scores.groupby("corpus")["sigma"].first()
    files = zip(params.corpora, input.documents, input.covariates, strict=True)
    missing = [
        left_out(name, load_npz(documents), problems[name], pd.read_csv(covariates))
        for name, documents, covariates in files
    ]
    footnote = " ".join(
        [
            *(
                f"{name}: {d} covariates, {n} documents to learn from, "
                f"{problems[name].X_test.shape[0]} held out, σ = {sigmas[name]:.3g}."
                for name, (d, n) in sizes.items()
            ),
            *missing,
            f"Worst relative duality gap of any path: {scores['gap'].max():.1e}.",
            params.remarks,
        ]
    )
    latex = [shape.map(escape) for shape in shapes]
    tables = {"markdown": shapes, "latex": latex}
    write_table(output, frame, tables, CAPTION, footnote, params.table)


if "snakemake" in globals():
    run(main, snakemake)
