"""Rules for the claims of Section 4 and of the appendix on synthetic data.

All read long tables of ANMI (:data:`ccc.tables.COLUMNS`).
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ccc.reproduction.finding import Finding
from ccc.reproduction.verdicts import welch

__all__ = [
    "baselines_do_not_recover",
    "close_with_few_samples",
    "convex_fails_at_large_d",
    "evidence_like_cross_validation",
    "recovers_with_many_samples",
    "similar_where_agreeing",
]

Tables = Mapping[str, pd.DataFrame]

RECOVERED, CLOSE, POOR, SIMILAR = 0.995, 0.7, 0.1, 0.1
LARGE_D, MANY = 1000, 4000
SIGNIFICANT = 0.05
CELL = ["design", "method", "d", "n"]


def recovers_with_many_samples(tables: Tables) -> Finding:
    """ANMI near one at n = 4000."""
    rows = _anmi(tables, method="proposed")
    rows = rows[rows["n"] == MANY]
    return Finding.of_cells((rows["mean"] >= RECOVERED).tolist(), _values(rows))


def close_with_few_samples(tables: Tables) -> Finding:
    """ANMI at n ≤ 400."""
    rows = _anmi(tables, method="proposed")
    rows = rows[rows["n"] < MANY]
    return Finding.of_cells((rows["mean"] >= CLOSE).tolist(), _values(rows))


def baselines_do_not_recover(tables: Tables) -> Finding:
    """ANMI of convex clustering and k-means, all cells."""
    rows = _anmi(tables)
    rows = rows[rows["method"].isin(["convex", "kmeans"])]
    best = rows.loc[rows.groupby("method")["mean"].idxmax()]
    numbers = f"the best of each: {_values(best, by='method')}"
    return Finding.of_cells((rows["mean"] < RECOVERED).tolist(), numbers)


def convex_fails_at_large_d(tables: Tables) -> Finding:
    """ANMI of convex clustering at d = 1000."""
    rows = _anmi(tables, method="convex")
    rows = rows[rows["d"] == LARGE_D]
    return Finding.of_cells((rows["mean"] < POOR).tolist(), _values(rows, by="design"))


def similar_where_agreeing(tables: Tables) -> Finding:
    """Differences of ANMI between the methods on the agreeing design."""
    wide = _anmi(tables).pivot(index=["d", "n"], columns="method", values="mean")
    differences = wide[["convex", "kmeans"]].sub(wide["proposed"], axis=0)
    near = (differences.abs() <= SIMILAR).to_numpy()
    ranges = ", ".join(
        f"{method} {values.min():+.2f} to {values.max():+.2f}"
        for method, values in differences.items()
    )
    numbers = f"{near.sum()} of {near.size} cells; ANMI less that of the proposed method: {ranges}"
    return Finding.of_whole(2 * near.sum() > near.size, numbers)


def evidence_like_cross_validation(tables: Tables) -> Finding:
    """Welch's test between the two selections, cell by cell."""
    rows = pd.concat(tables.values())
    rows = rows[rows["measure"] == "anmi"]
    by_evidence, by_cv = (
        rows[rows["selection"] == selection]
        for selection in ("marginal_likelihood", "cross_validation")
    )
    both = by_evidence.merge(by_cv, on=CELL, suffixes=("", "_cv"))
    if both.empty:
        return Finding("not examined", "no cell has both selections")
    significant = [
        welch(
            (row["mean"], row["mean_cv"]),
            (row["sd"], row["sd_cv"]),
            (row["repetitions"], row["repetitions_cv"]),
            rounding=1e-6,
        )
        < SIGNIFICANT
        for _, row in both.iterrows()
    ]
    places = ", ".join(
        f"{row['design']} {row['method']} ({row['d']}, {row['n']}) "
        f"{row['mean']:.2f} against {row['mean_cv']:.2f}"
        for different, (_, row) in zip(significant, both.iterrows(), strict=True)
        if different
    )
    numbers = f"different in {sum(significant)} of {len(significant)} cells"
    return Finding.of_whole(
        2 * sum(significant) < len(significant), f"{numbers}: {places}" if places else numbers
    )


def _anmi(tables: Tables, method: str | None = None) -> pd.DataFrame:
    """What the marginal likelihood selects."""
    rows = pd.concat(tables.values())
    rows = rows[(rows["measure"] == "anmi") & (rows["selection"] == "marginal_likelihood")]
    return rows if method is None else rows[rows["method"] == method]


def _values(rows: pd.DataFrame, by: str | None = None) -> str:
    """``0.93 at (200, 4000)`` of each row."""
    return ", ".join(
        f"{row['mean']:.2f} at ({f'{row[by]}, ' if by else ''}{row['d']}, {row['n']})"
        for _, row in rows.iterrows()
    )
