"""Table of the time and memory that a run has taken."""

from ccc.job import run
from ccc.tables import MISSING, escape, time_spent, write_table

CAPTION = (
    "Time and memory of the jobs of the {what} per rule and {axis}, "
    "with the start of each job: number of jobs, seconds in all and of the longest, largest memory "
    "of a job."
)
AXES = {"d": "number of covariates d", "corpus": "corpus"}


def main(input, output, params, threads):
    spent = time_spent(params.benchmarks, params.rules, params.axis)
    note = f"All jobs together: {spent['total_seconds'].sum() / 60:.1f} minutes, added up."
    if params.reduction:
        note = f"{note} {params.reduction[0].upper()}{params.reduction[1:].rstrip('.')}."
    shapes = {
        "markdown": [text(spent, params.axis)],
        "latex": [text(spent, params.axis).map(escape)],
    }
    caption = CAPTION.format(what=params.what, axis=AXES[params.axis])
    write_table(output, spent.assign(note=params.reduction), shapes, caption, note, params.table)


def text(spent, axis):
    """Rounded numbers, empty where there are none."""
    whole = {"total_seconds": "{:.0f}", "max_seconds": "{:.1f}", "max_memory_mb": "{:.0f}"}
    rounded = {
        column: [shape.format(value) if value == value else MISSING for value in spent[column]]
        for column, shape in whole.items()
    }
    places = {axis: spent[axis].astype("string").fillna(MISSING), "jobs": spent["jobs"].astype(str)}
    return spent.assign(**places, **rounded).rename(columns=lambda name: name.replace("_", " "))


if "snakemake" in globals():
    run(main, snakemake)
