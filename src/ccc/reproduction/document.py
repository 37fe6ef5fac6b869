"""The reproduction report: one Markdown document, made from the tables of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from ccc.reproduction.claims import examine
from ccc.reproduction.verdicts import LEVEL, RULES, VERDICTS, judge
from ccc.tables.layout import MISSING, bar, mean_sd

__all__ = ["reproduction_document"]

# The paper's tables, in its order, and what they are called in the document.
TABLES = {
    "anmi_contradicting": "Section 4: ANMI, contradicting design",
    "anmi_agreeing": "Appendix: ANMI, agreeing design",
    "runtime": "Section 4.1: minutes per path",
    "real_selected": "Section 5: selected models",
    "real_at_clusters": "Section 5: accuracy at a given number of clusters",
}
MARKS = {"agrees": "agrees", "higher": "**higher**", "lower": "**lower**", "no number": "no number"}


def reproduction_document(
    tables: Mapping[str, pd.DataFrame],
    deviations: Sequence[Mapping[str, str]],
    *,
    remarks: Sequence[str] = (),
    machine: str,
    hours: float,
    findings: str = "",
) -> str:
    """Every published number and claim with its verdict.

    Parameters
    ----------
    tables : mapping
        Long tables by name, those of :data:`TABLES` and what the claims need.
    deviations : sequence of mappings
        ``where``, ``paper``, ``here`` and ``why`` of each thing that is done otherwise.
    remarks : sequence of str
        What must be said of the whole run, for instance that it is a reduced one.
    machine : str
        Machine and versions.
    hours : float
        Time of all jobs, added up.
    findings : str
        Where the findings are discussed: a link, or nothing.
    """
    judged = {name: judge(tables[name]) for name in TABLES}
    parts = [
        "# Reproduction report",
        "Generated from the tables of this run. Every number of the paper stands beside ours, "
        "every claim beside a verdict and the rule that it follows."
        + (f" What lies behind the differences is discussed in {findings}." if findings else ""),
        *(f"**{remark}**" for remark in remarks if remark),
        "## Summary",
        _summary(judged),
        "## Claims",
        _claims(tables),
        "## Numbers",
        _rules(),
        *(
            part
            for name, rows in judged.items()
            for part in (f"### {TABLES[name]}", _numbers(rows))
        ),
        "## What is done otherwise than in the paper",
        _table(
            ["where", "paper", "here", "why"],
            [[item[key] for key in ("where", "paper", "here", "why")] for item in deviations],
        ),
        "## Machine and cost",
        f"{machine}. All jobs together took {hours:.1f} hours, added up; most have one thread.",
    ]
    return "\n\n".join(parts) + "\n"


def _summary(judged: Mapping[str, pd.DataFrame]) -> str:
    lines, total = [], Counter[str]()
    for name, rows in judged.items():
        counts = Counter(rows["verdict"])
        total.update(counts)
        lines.append([TABLES[name], str(len(rows)), *(str(counts[v]) for v in VERDICTS)])
    lines.append(["all", str(total.total()), *(str(total[verdict]) for verdict in VERDICTS)])
    return _table(["table", "published numbers", *VERDICTS], lines)


def _claims(tables: Mapping[str, pd.DataFrame]) -> str:
    examined = examine(tables)
    counts = Counter(finding.verdict for _, finding in examined)
    lines = [
        [
            claim.section,
            claim.statement,
            f"**{finding.verdict}**",
            finding.numbers,
            claim.rule,
            ", ".join(
                [
                    *(f"[{name}](tables/{name}.md)" for name in claim.tables),
                    *(f"[{name}](figures/{name}.png)" for name in claim.figures),
                ]
            ),
        ]
        for claim, finding in examined
    ]
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    headings = ["section", "the paper says", "verdict", "our numbers", "rule", "shown in"]
    return f"Of {len(lines)} claims: {said}.\n\n{_table(headings, lines)}"


def _rules() -> str:
    names = {
        "anmi": "ANMI, a mean over repetitions",
        "minutes_per_path": "minutes per path",
        "log_marginal_likelihood": "log marginal likelihood",
        "clusters": "number of clusters",
        "heldout_accuracy": "held-out accuracy",
    }
    lines = [f"- {names[measure]}: {rule}" for measure, rule in RULES.items()]
    return (
        "A number agrees with the published one by these rules, else ours is higher or lower:\n\n"
        + "\n".join(lines)
        + f"\n\nOf {1 / LEVEL:.0f} means that are truly equal, one would still count as different."
    )


def _numbers(rows: pd.DataFrame) -> str:
    lines = [
        [
            str(row["design"]),
            str(row["method"]),
            *(f"{row[axis]:.0f}" for axis in ("d", "n")),
            " ".join(filter(None, [_words(row["measure"]), _words(row["selection"])])),
            _number(row, "mean", "sd"),
            _number(row, "published_mean", "published_sd"),
            MISSING if pd.isna(row["difference"]) else _signed(row),
            MARKS[row["verdict"]],
        ]
        for _, row in rows.iterrows()
    ]
    headings = ["data", "method", "d", "n", "measure", "ours", "paper", "difference", "verdict"]
    return _table(headings, lines)


def _words(name: object) -> str:
    return "" if pd.isna(name) else str(name).replace("_", " ")  # type: ignore[call-overload]


def _number(row: pd.Series, mean: str, sd: str) -> str:
    value = row[mean]
    if pd.isna(value):
        bound = row.get("at_least")
        return MISSING if bound is None or pd.isna(bound) else f"> {bound:.3g}"
    if row["measure"] == "anmi":
        return mean_sd(value, row[sd])
    if str(row["measure"]).startswith("heldout_accuracy"):
        return f"{value:.3f}" if mean == "mean" else f"{value:.2f}"
    if row["measure"] == "minutes_per_path":
        return f"{value:.3g}" if pd.isna(row[sd]) else f"{value:.3g} ({row[sd]:.2g})"
    return f"{value:.0f}" if row["measure"] == "clusters" else f"{value:.1f}"


def _signed(row: pd.Series) -> str:
    if row["measure"] == "minutes_per_path":
        return f"× {row['mean'] / row['published_mean']:.2g}"
    form = {"clusters": "+.0f", "log_marginal_likelihood": "+.1f"}.get(row["measure"], "+.2f")
    return format(row["difference"], form)


def _table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    cells = [[cell.replace("|", r"\|").replace("\n", " ") for cell in line] for line in lines]
    return "\n".join([bar(headings), bar([":--"] * len(headings)), *map(bar, cells)])
