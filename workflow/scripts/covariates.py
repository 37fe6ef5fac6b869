"""Keep the covariates with the highest evidence that have an embedding; their similarities."""

import logging

import numpy as np

from ccc.baselines import GroupLassoPath
from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.selection import SigmaChoice, score_supports, smallest_of_best
from ccc.similarity import embedding_similarity
from ccc.storage import load_npz, new_file, save_npz

logger = logging.getLogger(__name__)


def main(input, output, params, threads):
    features, path = TextFeatures.load(input.features), GroupLassoPath.load(input.path)
    embedded, sigma = load_npz(input.vectors), SigmaChoice.load(input.sigma).sigma
    scores = score_supports(features.train, features.y_train, path.support, sigma)
    chosen = smallest_of_best(
        scores["log_marginal_likelihood"], scores["n_covariates"], path.gammas
    )
    selected = path.support[chosen]
    kept = np.flatnonzero(selected & embedded["found"])
    logger.info(
        "γ = %g: %d covariates, of which %d have an embedding",
        *(path.gammas[chosen], selected.sum(), len(kept)),
    )
    scores.insert(0, "gamma", path.gammas)
    scores.insert(2, "n_embedded", (path.support & embedded["found"]).sum(axis=1))
    scores = scores.assign(
        path_gap=path.gap,
        newton_steps=path.n_iter,
        seconds=path.seconds,
        sigma=sigma,
        selected=np.arange(len(scores)) == chosen,
    )
    with new_file(output.scores) as file:
        scores.to_csv(file, index=False, float_format="%.10g")
    features.take(kept).save(output.problem)
    S = embedding_similarity(embedded["vectors"][kept], params.normalise)
    save_npz(output.similarity, S=S)


if "snakemake" in globals():
    run(main, snakemake)
