r"""Whether a number of ours agrees with the published one.

A mean over repetitions is compared by Welch's test. With means :math:`m, m'`, standard deviations
:math:`s, s'` and :math:`r, r'` repetitions,

.. math:: t = \frac{\max(0, |m - m'| - \delta)}{\sqrt{s^2/r + s'^2/r'}} ,

and the two agree unless the two-sided probability of such a t is below 1%. The published means are
printed with two digits, hence δ = 0.005, and for the same reason no standard deviation counts as
less than 0.005. A single number agrees if it is within a tolerance that depends on what it measures
(:data:`RULES`).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

__all__ = ["LEVEL", "RULES", "VERDICTS", "judge", "welch"]

LEVEL = 0.01
# Half of the last digit that is printed.
ROUNDING = 0.005
PUBLISHED_REPETITIONS = 10
# Timings on other machines of solvers with other settings; an order of magnitude is what carries.
TIME_FACTOR = 3.0
EVIDENCE_SHARE, CLUSTERS_SHARE, ACCURACY = 0.05, 0.10, 0.015

VERDICTS = ("agrees", "higher", "lower", "no number")
RULES = {
    "anmi": f"Welch's test at {LEVEL:.0%}, allowing for two printed digits",
    "minutes_per_path": f"within a factor of {TIME_FACTOR:g}, as the machines differ",
    "log_marginal_likelihood": f"within {EVIDENCE_SHARE:.0%}",
    "clusters": f"within {CLUSTERS_SHARE:.0%}",
    "heldout_accuracy": f"within {ACCURACY:g}",
}


def judge(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table that have a published number, each with a verdict.

    Parameters
    ----------
    frame : DataFrame
        A long table with the columns of :data:`ccc.tables.COLUMNS`; a table of runtimes may say
        in ``at_least`` what a missing mean exceeds.

    Returns
    -------
    DataFrame
        Those rows with ``difference`` (ours minus the published) and ``verdict``, one of
        :data:`VERDICTS`.
    """
    rows = frame[frame["published_mean"].notna()].copy()
    rows["difference"] = rows["mean"] - rows["published_mean"]
    rows["verdict"] = [_verdict(row) for _, row in rows.iterrows()]
    return rows


def _verdict(row: pd.Series) -> str:
    ours, theirs = float(row["mean"]), float(row["published_mean"])
    if np.isnan(ours):
        at_least = float(row.get("at_least", np.nan))
        return "higher" if at_least > TIME_FACTOR * theirs else "no number"
    return "agrees" if _agrees(row, ours, theirs) else "higher" if ours > theirs else "lower"


def _agrees(row: pd.Series, ours: float, theirs: float) -> bool:
    measure = str(row["measure"])
    if measure == "anmi":
        sds, counts = (row["sd"], row["published_sd"]), (row["repetitions"], PUBLISHED_REPETITIONS)
        return welch((ours, theirs), sds, counts) >= LEVEL
    if measure == "minutes_per_path":
        return 1 / TIME_FACTOR <= ours / theirs <= TIME_FACTOR
    if measure.startswith("heldout_accuracy"):
        return abs(ours - theirs) <= ACCURACY
    share = {"log_marginal_likelihood": EVIDENCE_SHARE, "clusters": CLUSTERS_SHARE}
    if measure not in share:
        raise ValueError(f"measure has no rule of agreement: {measure!r}")
    return abs(ours - theirs) <= share[measure] * abs(theirs)


def welch(
    means: tuple[float, float],
    sds: tuple[float, float],
    counts: tuple[float, float],
    rounding: float = ROUNDING,
) -> float:
    """The two-sided probability of a difference like this or larger between equal means.

    Standard deviations below ``rounding``, or unknown ones, count as ``rounding``.
    """
    variances = [
        max(rounding, 0.0 if np.isnan(sd) else sd) ** 2 / count
        for sd, count in zip(sds, counts, strict=True)
    ]
    total = sum(variances)
    freedom = total**2 / sum(
        v**2 / max(count - 1, 1) for v, count in zip(variances, counts, strict=True)
    )
    t = max(0.0, abs(means[0] - means[1]) - rounding) / np.sqrt(total)
    return float(2 * stats.t.sf(t, freedom))
