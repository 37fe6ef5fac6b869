"""Evidence and held-out accuracy of a part of the distinct clusterings of a method."""

import numpy as np

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.selection import SigmaChoice, distinct_rows, score_held_out
from ccc.storage import new_file


def main(input, output, params, threads):
    problem, sigma = TextFeatures.load(input.problem), SigmaChoice.load(input.sigma).sigma
    distinct, _ = distinct_rows(Clusterings.load(input.clusterings).labels)
    mine = np.array_split(np.arange(len(distinct)), params.parts)[params.part]
    samples = (problem.train, problem.y_train, problem.test, problem.y_test)
    scores = score_held_out(distinct[mine], *samples, sigma)
    scores.insert(0, "clustering", mine)
    with new_file(output.scores) as file:
        scores.to_csv(file, index=False, float_format="%.12g")


if "snakemake" in globals():
    run(main, snakemake)
