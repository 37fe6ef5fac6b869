"""Table of the group lasso's path and of what it leaves of each corpus."""

import pandas as pd

from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.storage import load_npz
from ccc.tables import covariates_frame, covariates_shape, escape, left_out, write_table

CAPTION = (
    "Covariates that the group lasso leaves for every γ, those of them that have a word vector, "
    "and the approximate marginal likelihood of the model on all of them. The selected ones that "
    "have a vector are the covariates of all that follows."
)


def main(input, output, params, threads):
    files = zip(params.corpora, input.scores, input.problems, input.documents, strict=True)
    frames, sentences = [], []
    for corpus, scores, problem, documents in files:
        scores, problem = pd.read_csv(scores), TextFeatures.load(problem)
        frames.append(covariates_frame(corpus, scores, problem.X_train.shape[0]))
        sentences.append(left_out(corpus, load_npz(documents), problem, scores))
    frame = pd.concat(frames, ignore_index=True).assign(note=params.remarks)
    shape = covariates_shape(frame)
    sigmas = frame.groupby("corpus", sort=False)["sigma"].first()
    footnote = " ".join(
        [
            *sentences,
            *(f"σ of {corpus} on all words: {sigma:.3g}." for corpus, sigma in sigmas.items()),
            f"Worst relative duality gap: {frame['worst_gap'].max():.1e}.",
            params.remarks,
        ]
    )
    tables = {"markdown": [shape], "latex": [shape.map(escape)]}
    write_table(output, frame, tables, CAPTION, footnote, params.table)


if "snakemake" in globals():
    run(main, snakemake)
