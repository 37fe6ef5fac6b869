"""Table of runtimes: ours beside the published ones, and every solver against the exact one."""

import pandas as pd

from ccc.job import run
from ccc.tables import SOLVER_NAMES, escape, runtime_frame, runtime_shapes, write_table

CAPTION = (
    "Minutes per path of ν on the {design} design, mean and, in brackets, standard deviation over "
    "repetitions, ours beside the published. A star marks what is extrapolated from the number of "
    "ν in square brackets; '> t*' that not one ν was solved within its limit, which extrapolates "
    "to more than t minutes for a path. Below: time relative to the exact solver on the same data; "
    "worst certified relative gap, in brackets what else than success a solver said of how many "
    "ν; largest memory; seconds of setup, compilation included, which do not count. One thread "
    "each, {company} ({machine})."
)


def main(input, output, params, threads):
    times = pd.concat([pd.read_csv(file) for file in input.times], ignore_index=True)
    published = pd.read_csv(input.published)
    frame = runtime_frame(times, published, params.table, params.reduction)
    machine = "; ".join(times["machine"].unique())
    company = (
        "alone on the machine"
        if params.cores == "all"
        else f"not alone on the machine: {params.cores} cores each, other jobs on the rest"
    )
    caption = CAPTION.format(design=frame["design"].iloc[0], company=company, machine=machine)
    shapes = runtime_shapes(frame)
    in_latex = [shape.map(escape) for shape in shapes]
    write_table(
        output,
        frame.assign(machine=machine),
        {"markdown": shapes, "latex": in_latex},
        caption,
        remarks(frame, params.reduction),
        params.table,
    )


def remarks(frame, reduction):
    """How often each solver was timed, and the worst gap of ours."""
    counts = {}
    for method, rows in frame.groupby("method", sort=False):
        fewest, most = rows["repetitions"].min(), rows["repetitions"].max()
        text = str(most) if fewest == most else f"{fewest}–{most}"
        counts.setdefault(text, []).append(SOLVER_NAMES[method])
    times = "; ".join(f"{count}: {', '.join(names)}" for count, names in counts.items())
    gap = frame.loc[frame["method"] == "exact", "worst_gap"].max()
    sentences = [f"Repetitions: {times}.", f"Worst relative gap of the exact solver: {gap:.1e}."]
    if reduction:
        sentences.append(f"{reduction[0].upper()}{reduction[1:]}.")
    return " ".join(sentences)


if "snakemake" in globals():
    run(main, snakemake)
