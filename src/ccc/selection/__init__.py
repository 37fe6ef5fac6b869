"""Model selection: which clustering of a path the labels support best (Section 3)."""

from ccc.selection.laplace import log_marginal_likelihood
from ccc.selection.select import Selection, select
from ccc.selection.sigma import SigmaChoice, choose_sigma

__all__ = [
    "Selection",
    "SigmaChoice",
    "choose_sigma",
    "log_marginal_likelihood",
    "select",
]
