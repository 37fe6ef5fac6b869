"""Table of how many clusterings change when the gap is ten times smaller."""

import numpy as np
import pandas as pd

from ccc.clusterings import Clusterings
from ccc.job import run
from ccc.solvers.exact.solver import target_of
from ccc.tables import CORPUS_NAMES, escape, write_table

CAPTION = (
    "The proposed method, solved to a relative duality gap of {target:g} and to a tenth of it: for "
    "how many ν the clusterings are the same, and the largest difference of their numbers of "
    "clusters."
)


def main(input, output, params, threads):
    files = zip(params.corpora, input.paths, input.tighter, strict=True)
    rows = [row(name, Clusterings.load(a), Clusterings.load(b)) for name, a, b in files]
    frame = pd.DataFrame(rows)
    text = frame.astype(str).assign(
        corpus=frame["corpus"].map(CORPUS_NAMES),
        worst_gap=frame["worst_gap"].map("{:.1e}".format),
        worst_gap_tighter=frame["worst_gap_tighter"].map("{:.1e}".format),
    )
    text.columns = text.columns.str.replace("_", " ")
    tables = {"markdown": [text], "latex": [text.map(escape)]}
    caption = CAPTION.format(target=target_of(params.tol))
    write_table(output, frame, tables, caption, params.remarks, params.table)


def row(name, path, tighter):
    same = (path.labels == tighter.labels).all(axis=1)
    return {
        "corpus": name,
        "nus": len(path),
        "same_clustering": int(same.sum()),
        "same_count": int((path.n_clusters == tighter.n_clusters).sum()),
        "largest_difference": int(np.abs(path.n_clusters - tighter.n_clusters).max()),
        "worst_gap": path.gap.max(),
        "worst_gap_tighter": tighter.gap.max(),
    }


if "snakemake" in globals():
    run(main, snakemake)
