"""Figure of some of the clusters of a corpus, with what they came from."""

import logging

import numpy as np

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.excerpt import choose_roots
from ccc.hierarchy import path_tree, tree_rows
from ccc.job import run
from ccc.odds import ClassOdds
from ccc.plots import plot_tree, save_figure
from ccc.storage import load_npz
from ccc.tables import CORPUS_NAMES, WORD_METHOD_NAMES
from ccc.thinning import thinned

logger = logging.getLogger(__name__)


def main(input, output, params, threads):
    problem, stored = TextFeatures.load(input.problem), load_npz(input.odds)
    positions, chosen = stored.pop("positions"), stored.pop("chosen")
    path = thinned(Clusterings.load(input.clusterings), positions)
    index = int(np.flatnonzero(positions == chosen)[0])
    tree, odds = path_tree(path, index), ClassOdds(**stored).take(tree_rows(path, index))
    wanted, label = params.excerpt["words"], params.excerpt["class"]
    missing = [w for w in wanted if w not in problem.shown and w not in problem.words]
    if missing:
        logger.info("no covariates: %s", ", ".join(missing))
    title = (
        f"{CORPUS_NAMES[params.corpus]}, {WORD_METHOD_NAMES[params.method]}, “{label}”: some of "
        f"{path.n_clusters[index]} clusters. {params.remarks}"
    )
    figure = plot_tree(
        tree,
        problem.shown,
        odds,
        choose_roots(tree, odds, positions_of(problem, wanted), label, params.excerpt["clusters"]),
        min_odds=params.min_odds,
        least=params.least,
        most=params.most,
        always=positions_of(problem, params.always),
        levels=params.levels,
        title=title.strip(),
    )
    save_figure(figure, output.pdf, output.png)


def positions_of(problem, words):
    """Covariates by how they are read or counted."""
    return np.flatnonzero(np.isin(problem.shown, words) | np.isin(problem.words, words))


if "snakemake" in globals():
    run(main, snakemake)
