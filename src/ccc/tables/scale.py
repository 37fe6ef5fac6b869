"""Tables of simulated runs: how long on how many cores, and which jobs decide that."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ccc.schedule import Job, Schedule, critical_path
from ccc.tables.layout import escape

__all__ = ["chain_frame", "chain_shapes", "scale_frame", "scale_shapes"]

# Of the rules that fill a run, so many are named in a line.
NAMED = 3


def scale_frame(schedules: Sequence[Schedule], note: str = "") -> pd.DataFrame:
    r"""One row per simulated run, on c cores.

    Parameters
    ----------
    schedules : sequence of Schedule
        The same jobs on more and more cores.
    note : str
        What must be said of every row.

    Returns
    -------
    DataFrame
        ``cores, timed`` (what a job that is timed holds: the machine or so many cores, see
        :func:`ccc.schedule.share_machine`), ``makespan_seconds, speedup`` (of all jobs one after
        the other), ``utilisation, held`` (shares of the cores' time, see
        :class:`ccc.schedule.Schedule`), ``bound_seconds``
        (no order of the jobs is shorter: the critical path or :math:`\sum_j s_j c_j / c`, whichever
        is longer), ``critical_path_seconds, work_seconds, jobs, chain, note``.
    """
    return pd.DataFrame([_row(schedule) for schedule in schedules]).assign(note=note)


def _row(schedule: Schedule) -> dict[str, object]:
    jobs = list(schedule.jobs.values())
    work, longest = _seconds(jobs), _seconds(critical_path(jobs))
    area = schedule.held * schedule.makespan
    return {
        "cores": schedule.cores,
        "timed": _timed(schedule),
        "makespan_seconds": schedule.makespan,
        "speedup": work / schedule.makespan if schedule.makespan else 1.0,
        "utilisation": schedule.utilisation,
        "held": schedule.held,
        "bound_seconds": max(longest, area),
        "critical_path_seconds": longest,
        "work_seconds": work,
        "jobs": len(jobs),
        "chain": ", ".join(
            f"{rule} {share:.0%}" for rule, share in _shares(schedule)[:NAMED] if share > 0
        ),
    }


def scale_shapes(frame: pd.DataFrame) -> dict[str, list[pd.DataFrame]]:
    """The table as text, for Markdown and LaTeX."""
    text = pd.DataFrame(
        {
            "cores": frame["cores"].astype(str),
            "timed jobs": frame["timed"],
            "minutes": frame["makespan_seconds"].map(_minutes),
            "at least": frame["bound_seconds"].map(_minutes),
            "speed-up": frame["speedup"].map("{:.1f}".format),
            "computing": frame["utilisation"].map("{:.0%}".format),
            "held": frame["held"].map("{:.0%}".format),
            "most of the time goes to": frame["chain"],
        }
    )
    return {"markdown": [text], "latex": [text.map(escape)]}


def chain_frame(schedules: Sequence[Schedule], note: str = "") -> pd.DataFrame:
    """One row per simulated run and rule on the chain of jobs that fills it.

    Returns
    -------
    DataFrame
        ``cores, timed, rule, jobs, seconds, share, longest, longest_seconds, note``, the rule with
        the most seconds first; ``longest`` names its longest job on the chain.
    """
    rows = []
    for schedule in schedules:
        for rule, share in _shares(schedule):
            jobs = [job for job in schedule.chain if job.rule == rule]
            longest = max(jobs, key=lambda job: job.seconds)
            rows.append(
                {
                    "cores": schedule.cores,
                    "timed": _timed(schedule),
                    "rule": rule,
                    "jobs": len(jobs),
                    "seconds": _seconds(jobs),
                    "share": share,
                    "longest": longest.name,
                    "longest_seconds": longest.seconds,
                }
            )
    columns = ["cores", "timed", "rule", "jobs", "seconds", "share", "longest", "longest_seconds"]
    return pd.DataFrame(rows, columns=columns).assign(note=note)


def chain_shapes(frame: pd.DataFrame) -> dict[str, list[pd.DataFrame]]:
    """The table as text, a block per simulated run; rules of less than a percent left out."""
    shown = frame[frame["share"] >= 0.01]
    text = pd.DataFrame(
        {
            "cores": shown["cores"].astype(str),
            "timed jobs": shown["timed"],
            "rule": shown["rule"],
            "jobs": shown["jobs"].astype(str),
            "minutes": shown["seconds"].map(_minutes),
            "share": shown["share"].map("{:.0%}".format),
            "longest of these": shown["longest"],
            "its minutes": shown["longest_seconds"].map(_minutes),
        }
    )
    blocks = [block for _, block in text.groupby(["cores", "timed jobs"], sort=False)]
    return {"markdown": blocks, "latex": [block.map(escape) for block in blocks]}


def _timed(schedule: Schedule) -> str:
    """What the jobs hold that are timed; all others hold one core."""
    jobs = schedule.jobs.values()
    if any(job.machine for job in jobs):
        return "alone"
    most = max((min(job.cores, schedule.cores) for job in jobs), default=1)
    return f"{most} cores each" if most > 1 else "–"


def _shares(schedule: Schedule) -> list[tuple[str, float]]:
    """Rules on the chain with their share of the run, the largest first."""
    seconds: dict[str, float] = {}
    for job in schedule.chain:
        seconds[job.rule] = seconds.get(job.rule, 0.0) + job.seconds
    whole = schedule.makespan or 1.0
    return sorted(
        ((rule, spent / whole) for rule, spent in seconds.items()), key=lambda pair: -pair[1]
    )


def _seconds(jobs: Sequence[Job]) -> float:
    return sum(job.seconds for job in jobs)


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f}"
