"""What the paper claims, and whether our tables confirm it.

Each claim has a rule, in words and as a function from the tables to a verdict and the numbers that
it rests on. The rules of Section 4 are in :mod:`ccc.reproduction.synthetic_claims`, those of
Sections 4.1 and 5 in :mod:`ccc.reproduction.other_claims`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from ccc.reproduction import other_claims as other
from ccc.reproduction import synthetic_claims as synthetic
from ccc.reproduction.finding import Finding

__all__ = ["CLAIMS", "Claim", "Finding", "examine"]

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Claim:
    """A statement of the paper.

    Attributes
    ----------
    section, statement : str
        Where it stands, and what it says, in our words.
    rule : str
        When it counts as confirmed.
    tables : tuple of str
        Names of the tables that the verdict needs, the first of which shows it.
    figures : tuple of str
        Figures that show it.
    examine : function
        From these tables to the finding.
    """

    section: str
    statement: str
    rule: str
    tables: tuple[str, ...]
    figures: tuple[str, ...]
    examine: Callable[[Tables], Finding]


CLAIMS = (
    Claim(
        "4",
        "Given enough samples, n = 4000, the proposed method recovers the true clusters.",
        f"Mean ANMI of at least {synthetic.RECOVERED} for every d on the contradicting design.",
        ("anmi_contradicting",),
        ("evidence_contradicting",),
        synthetic.recovers_with_many_samples,
    ),
    Claim(
        "4",
        "Also for few samples, n ≤ 400, its clusters are close to the true ones.",
        f"Mean ANMI of at least {synthetic.CLOSE}, the least that the paper calls close, in every "
        "cell with n ≤ 400.",
        ("anmi_contradicting",),
        ("evidence_contradicting",),
        synthetic.close_with_few_samples,
    ),
    Claim(
        "4",
        "Neither convex clustering nor k-means recovers them, whatever n is.",
        f"Mean ANMI below {synthetic.RECOVERED} in every cell of both.",
        ("anmi_contradicting",),
        ("evidence_contradicting",),
        synthetic.baselines_do_not_recover,
    ),
    Claim(
        "4",
        "With many covariates, d = 1000, convex clustering performs poorly.",
        f"Mean ANMI below {synthetic.POOR} for every n on both designs.",
        ("anmi_contradicting", "anmi_agreeing"),
        (),
        synthetic.convex_fails_at_large_d,
    ),
    Claim(
        "4, appendix",
        "Where the similarities agree with the classes, convex clustering and k-means are similar "
        "to the proposed method.",
        f"Mean ANMI of each within {synthetic.SIMILAR} of the proposed method's in most cells.",
        ("anmi_agreeing",),
        ("evidence_agreeing",),
        synthetic.similar_where_agreeing,
    ),
    Claim(
        "4",
        "Marginal likelihood and cross-validation mostly do not differ significantly.",
        "Welch's test at 5% finds a difference in fewer than half of the cells that have both.",
        ("anmi_contradicting", "anmi_agreeing"),
        (),
        synthetic.evidence_like_cross_validation,
    ),
    Claim(
        "4.1",
        "The proposed ADMM scales well in n and d.",
        f"Its time grows at most like n to the power {other.N_POWER:g} and d to the power "
        f"{other.D_POWER:g} (the graph has d(d - 1)/2 edges), fitted over all cells.",
        ("runtime",),
        ("runtime_scaling",),
        other.admm_scales,
    ),
    Claim(
        "4.1",
        "It is considerably faster than ECOS and SCS where n or d is large.",
        f"At d = 1000 or n = 4000 both take more than {other.FASTER:g} times as long.",
        ("runtime",),
        ("runtime_scaling", "runtime_accuracy"),
        other.admm_faster_than_general_solvers,
    ),
    Claim(
        "5",
        "The evidence selects models with fewer parameters and the accuracy of the full one.",
        f"On both corpora fewer clusters than covariates, and held-out accuracy at most "
        f"{other.SAME_ACCURACY} below the full model's.",
        ("real_selected",),
        ("real_trust",),
        other.compact_without_loss,
    ),
    Claim(
        "5",
        "On IMDB the proposed method is far more compact than the others at similar accuracy.",
        f"At most half of the clusters of each, and accuracy within {other.SAME_ACCURACY}.",
        ("real_selected",),
        ("real_compactness",),
        other.far_more_compact_on_imdb,
    ),
    Claim(
        "5",
        "On Newsgroup20 the proposed method and k-means have similar accuracy.",
        f"Held-out accuracy of the selected models within {other.SAME_ACCURACY}, and at about 100, "
        "500 and 1000 clusters too; sizes that one of the two has no clustering of are left out.",
        ("real_selected", "real_at_clusters"),
        ("real_compactness",),
        other.like_kmeans_on_newsgroups,
    ),
    Claim(
        "5, appendix",
        "k-means and convex clustering put good and bad ratings of films into one cluster, the "
        "proposed method does not.",
        "No cluster with ratings of at least 7 and at most 4 out of ten under the proposed method, "
        "and one under each of the others at as many clusters or more, within a factor of "
        f"{other.ABOUT:g}: with more clusters it is harder to mix them.",
        ("ratings",),
        ("tree_imdb_proposed_bad_movie", "tree_imdb_kmeans_bad_movie"),
        other.ratings_apart,
    ),
    Claim(
        "5, appendix",
        "On Newsgroup20 k-means puts “apple” and “cherry” into one cluster, the proposed method "
        "does not.",
        "As said, in the clusterings that the trees show.",
        ("real_excerpts",),
        ("tree_newsgroup20_kmeans_macintosh", "tree_newsgroup20_proposed_macintosh"),
        other.apple_without_cherry,
    ),
)


def examine(tables: Tables) -> list[tuple[Claim, Finding]]:
    """Each claim with what our tables say of it."""
    return [
        (claim, claim.examine({name: tables[name] for name in claim.tables})) for claim in CLAIMS
    ]
