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


def time_spent(folder: str | os.PathLike[str], rules: Collection[str]) -> pd.DataFrame:
    """Jobs, seconds and memory per rule and number of covariates.

    Parameters
    ----------
    folder : path
        Holds files ``<rule>/.../d<d>_n<n>....jsonl`` or ``<rule>.jsonl``, a line per job.
    rules : collection of str
        Those that count.

    Returns
    -------
    DataFrame
        ``rule, d, jobs, total_seconds, max_seconds, max_memory_mb``, the costliest rule first;
        ``d`` is empty where a rule has none, memory where a job was too short to be measured.
        Seconds are wall time, of jobs with one thread each: Snakemake looks at the processor time
        of a job every half minute only, and misses what comes after the last look.
    """
    rows = [_axes(file) | _costs(job) for file, job in _jobs(folder)]
    jobs = pd.DataFrame(rows, columns=["rule", "d", "seconds", "memory"])
    jobs = jobs[jobs["rule"].isin(list(rules))].astype({"d": "Int64"})
    spent = (
        jobs.groupby(["rule", "d"], dropna=False)
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
        spent.assign(cost=cost).sort_values(["cost", "rule", "d"]).drop(columns="cost")
    ).reset_index(drop=True)


def _jobs(folder: str | os.PathLike[str]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every line of every benchmark file, with the file's place in ``folder``."""
    root = Path(folder)
    for file in sorted(root.rglob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield file.relative_to(root), json.loads(line)


def _axes(file: Path) -> dict[str, object]:
    size = re.search(r"/d(\d+)_n\d+", file.as_posix())
    return {"rule": file.parts[0].removesuffix(".jsonl"), "d": int(size[1]) if size else None}


def _costs(job: dict[str, Any]) -> dict[str, object]:
    memory = pd.to_numeric(job.get("max_rss"), errors="coerce")  # type: ignore[call-overload]
    return {"seconds": job["s"], "memory": memory}
