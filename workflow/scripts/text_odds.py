"""Class and odds ratio of every cluster, from a model of each of a path's clusterings.

``positions`` are the clusterings that were taken, from fine to coarse; ``chosen`` is the one that
trees end at: the selected clustering of the proposed method, or, where its evidence selects every
word by itself, the one with the highest evidence that is a clustering; and of other methods the one
whose number of clusters is nearest to that.
"""

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.job import run
from ccc.odds import class_odds
from ccc.selection import SigmaChoice
from ccc.storage import save_npz
from ccc.thinning import nearest, shown, spread


def main(input, output, params, threads):
    problem, sigma = TextFeatures.load(input.problem), SigmaChoice.load(input.sigma).sigma
    path, scores = Clusterings.load(input.clusterings), pd.read_csv(input.scores)
    proposed = pd.read_csv(input.proposed)
    selected = int(scores["selected"].argmax())
    columns = (proposed[name] for name in ("selected", "n_clusters", "log_marginal_likelihood"))
    chosen = shown(*columns, d=path.labels.shape[1])
    if (scores["method"] != "proposed").any():
        chosen = nearest(path.n_clusters, int(proposed["n_clusters"][chosen]))
    positions = spread(path.n_clusters, params.clusterings, [chosen, selected])
    positions = positions[np.argsort(-path.n_clusters[positions], kind="stable")]
    odds = class_odds(problem.train, problem.y_train, path.labels[positions], sigma)
    save_npz(output.odds, positions=positions, chosen=chosen, **vars(odds))


if "snakemake" in globals():
    run(main, snakemake)
