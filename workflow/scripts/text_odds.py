"""Class and odds ratio of every cluster, from a model of each of a path's clusterings.

``positions`` are the clusterings that were taken, from fine to coarse; ``chosen`` is the one that
trees end at: the selected clustering of the proposed method, and of other methods the one with
about as many clusters. Where the proposed method's evidence selects no clustering, every word by
itself, it is of each method the one with the highest evidence that is a clustering.
"""

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.odds import class_odds
from ccc.selection import SigmaChoice
from ccc.storage import save_npz
from ccc.thinning import nearest, spread


def main(input, output, params, threads):
    problem, sigma = TextFeatures.load(input.problem), SigmaChoice.load(input.sigma).sigma
    path, scores = Clusterings.load(input.clusterings), pd.read_csv(input.scores)
    proposed = pd.read_csv(input.proposed)
    selected = int(scores["selected"].argmax())
    wanted = int(proposed["n_clusters"][proposed["selected"]].iloc[0])
    is_proposed = (scores["method"] == "proposed").all()
    joined = path.n_clusters < path.labels.shape[1]
    if wanted == path.labels.shape[1] and joined.any():
        chosen = int(scores["log_marginal_likelihood"].where(joined).argmax())
    else:
        chosen = selected if is_proposed else nearest(path.n_clusters, wanted)
    positions = spread(path.n_clusters, params.clusterings, [chosen, selected])
    positions = positions[np.argsort(-path.n_clusters[positions], kind="stable")]
    odds = class_odds(problem.train, problem.y_train, path.labels[positions], sigma)
    save_npz(output.odds, positions=positions, chosen=chosen, **vars(odds))


if "snakemake" in globals():
    run(main, snakemake)
