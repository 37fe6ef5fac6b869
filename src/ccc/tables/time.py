"""What a run has cost, from the benchmark files that Snakemake writes for each job."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

__all__ = ["time_spent"]


# Where the value of an axis stands in the name of a benchmark file.
AXES = {
    "d": (re.compile(r"/d(\d+)_n\d+"), int),
    "corpus": (re.compile(r"^[^/]+/([^/_.]+)"), str),
}


def time_spent(
    folder: str | os.PathLike[str], rules: Collection[str], axis: str = "d"
) -> pd.DataFrame:
    """Jobs, seconds and memory per rule and number of covariates, or per rule and corpus.

    Parameters
    ----------
    folder : path
        Holds files ``<rule>/.../d<d>_n<n>....jsonl``, ``<rule>/<corpus>....jsonl`` or
        ``<rule>.jsonl``, a line per job.
    rules : collection of str
        Those that count.
    axis : {"d", "corpus"}

    Returns
    -------
    DataFrame
        ``rule, <axis>, jobs, total_seconds, max_seconds, max_memory_mb``, the costliest rule
        first; the axis is empty where a rule has none, memory where a job was too short to be
        measured.
        Seconds are wall time, of jobs with one thread each: Snakemake looks at the processor time
        of a job every half minute only, and misses what comes after the last look.
    """
    rows = [_place(file, axis) | _costs(job) for file, job in _jobs(folder)]
    jobs = pd.DataFrame(rows, columns=["rule", axis, "seconds", "memory"])
    jobs = jobs[jobs["rule"].isin(list(rules))]
    if axis == "d":
        jobs = jobs.astype({"d": "Int64"})
    spent = (
        jobs.groupby(["rule", axis], dropna=False)
        .agg(
            jobs=("seconds", "size"),
            total_seconds=("seconds", "sum"),
            max_seconds=("seconds", "max"),
            max_memory_mb=("memory", "max"),
        )
        .reset_index()
    )
    cost = -spent.groupby("rule")["total_seconds"].transform("sum")
    return (
        spent.assign(cost=cost).sort_values(["cost", "rule", axis]).drop(columns="cost")
    ).reset_index(drop=True)


def _jobs(folder: str | os.PathLike[str]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every line of every benchmark file, with the file's place in ``folder``."""
    root = Path(folder)
    for file in sorted(root.rglob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield file.relative_to(root), json.loads(line)


def _place(file: Path, axis: str) -> dict[str, object]:
    pattern, kind = AXES[axis]
    found = pattern.search(file.as_posix())
    return {"rule": file.parts[0].removesuffix(".jsonl"), axis: kind(found[1]) if found else None}


def _costs(job: dict[str, Any]) -> dict[str, object]:
    memory = pd.to_numeric(job.get("max_rss"), errors="coerce")  # type: ignore[call-overload]
    return {"seconds": job["s"], "memory": memory}
