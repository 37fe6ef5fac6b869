"""A path as a page that can be searched and walked through."""

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.explorer import write_explorer
from ccc.job import run
from ccc.odds import ClassOdds
from ccc.storage import load_npz
from ccc.tables import CORPUS_NAMES, WORD_METHOD_NAMES
from ccc.thinning import thinned


def main(input, output, params, threads):
    problem, stored = TextFeatures.load(input.problem), load_npz(input.odds)
    positions, _ = stored.pop("positions"), stored.pop("chosen")
    path = Clusterings.load(input.clusterings)
    scores = pd.read_csv(input.scores).iloc[positions]
    remarks = [params.remarks]
    if len(positions) < len(path):
        remarks.append(f"{len(positions)} of {len(path)} clusterings are shown.")
    write_explorer(
        output.page,
        thinned(path, positions),
        problem.shown,
        odds=ClassOdds(**stored),
        selected=int(np.flatnonzero(scores["selected"])[0]),
        evidence=scores["log_marginal_likelihood"],
        accuracy=scores["heldout_accuracy"],
        title=f"{CORPUS_NAMES[params.corpus]}: {WORD_METHOD_NAMES[params.method]}",
        remarks=" ".join(filter(None, remarks)),
    )


if "snakemake" in globals():
    run(main, snakemake)
