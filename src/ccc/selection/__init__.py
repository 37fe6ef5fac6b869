"""Model selection: which clustering of a path the labels support best (Section 3)."""

from ccc.selection.clusterings import distinct_rows
from ccc.selection.covariates import score_supports
from ccc.selection.heldout import score_held_out
from ccc.selection.laplace import log_marginal_likelihood
from ccc.selection.scoring import smallest_of_best
from ccc.selection.select import Selection, select
from ccc.selection.sigma import SigmaChoice, choose_sigma

__all__ = [
    "Selection",
    "SigmaChoice",
    "choose_sigma",
    "distinct_rows",
    "log_marginal_likelihood",
    "score_held_out",
    "score_supports",
    "select",
    "smallest_of_best",
]
