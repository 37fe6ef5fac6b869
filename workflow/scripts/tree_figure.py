"""Figure of some of the clusters of a corpus, with what they came from."""

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


def main(input, output, params, threads):
    problem, stored = TextFeatures.load(input.problem), load_npz(input.odds)
    positions, chosen = stored.pop("positions"), stored.pop("chosen")
    path = thinned(Clusterings.load(input.clusterings), positions)
    index = int(np.flatnonzero(positions == chosen)[0])
    tree, odds = path_tree(path, index), ClassOdds(**stored).take(tree_rows(path, index))
    wanted, label = params.excerpt["words"], params.excerpt["class"]
    covariates = np.flatnonzero(np.isin(problem.shown, wanted) | np.isin(problem.words, wanted))
    title = (
        f"{CORPUS_NAMES[params.corpus]}, {WORD_METHOD_NAMES[params.method]}, “{label}”: some of "
        f"{path.n_clusters[index]} clusters. {params.remarks}"
    )
    figure = plot_tree(
        tree,
        problem.shown,
        odds,
        choose_roots(tree, odds, covariates, label, params.excerpt["clusters"]),
        min_odds=params.min_odds,
        least=params.least,
        most=params.most,
        always=covariates,
        levels=params.levels,
        title=title.strip(),
    )
    save_figure(figure, output.pdf, output.png)


if "snakemake" in globals():
    run(main, snakemake)
