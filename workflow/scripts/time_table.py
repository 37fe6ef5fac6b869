"""Table of the time and memory that a run has taken."""

from ccc.job import run
from ccc.tables import time_spent, write_table

CAPTION = (
    "Time and memory of the jobs of the {what} per rule and number of covariates d, "
    "with the start of each job: number of jobs, seconds in all and of the longest, largest memory "
    "of a job."
)


def main(input, output, params, threads):
    spent = time_spent(params.benchmarks, params.rules)
    note = f"All jobs together: {spent['total_seconds'].sum() / 60:.1f} minutes, added up."
    if params.reduction:
        note = f"{note} {params.reduction[0].upper()}{params.reduction[1:].rstrip('.')}."
    shapes = {
        "markdown": [text(spent)],
        "latex": [text(spent).assign(rule=lambda t: t["rule"].str.replace("_", r"\_"))],
    }
    caption = CAPTION.format(what=params.what)
    write_table(output, spent.assign(note=params.reduction), shapes, caption, note, params.table)


def text(spent):
    """Rounded numbers, empty where there are none."""
    whole = {"total_seconds": "{:.0f}", "max_seconds": "{:.1f}", "max_memory_mb": "{:.0f}"}
    rounded = {
        column: [shape.format(value) if value == value else "–" for value in spent[column]]
        for column, shape in whole.items()
    }
    d = spent["d"].astype("string").fillna("–")
    return spent.assign(d=d, **rounded).rename(columns=lambda name: name.replace("_", " "))


if "snakemake" in globals():
    run(main, snakemake)
