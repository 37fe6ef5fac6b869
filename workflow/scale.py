"""How long a run would take on other numbers of cores, from the jobs of one that has been made.

The graph of jobs is Snakemake's own; their lengths are in the benchmark files or, for parts of the
run that were made elsewhere, in its jobs.csv, which is brought up to date. Writes the tables scale
and scale_chain and the figure scale beside those of the run.

python workflow/scale.py                                       results/paper
python workflow/scale.py synthetic                             of it, one part
python workflow/scale.py --configfile config/quick.yaml        results/quick
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pandas as pd
from snakemake.api import SnakemakeApi
from snakemake.settings.enums import Quietness
from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, ResourceSettings

from ccc.config import reduction
from ccc.plots import save_figure, scale_figure
from ccc.schedule import Job, share_machine, simulate
from ccc.storage import new_file
from ccc.tables import chain_frame, chain_shapes, scale_frame, scale_shapes, write_table

CORES = [1, 2, 8, 32, 88]
# What runs alone could hold so many cores instead (runtime.cores in the configuration).
SHARE = 8
RECORD = "jobs.csv"
CAPTION = (
    "The run on other numbers of cores: its {count} jobs, as long as each took, under Snakemake's "
    "scheduler. What is timed runs alone, or holds some cores each (runtime.cores). Minutes from "
    "start to end, and what no order of the jobs is shorter than; how much faster than one job "
    "after the other; the share of the cores' time in which one computes or is held by a job; the "
    "rules of the jobs that, one after the other, fill the run."
)
CHAIN = (
    "What decides how long the run takes: jobs that one after the other fill it, each waiting for "
    "the files or the cores of the one before, by rule."
)
FOOTNOTE = (
    "Simulated. That many jobs at once slow each other down, and what Snakemake itself takes, is "
    "not in it."
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", help="parts of the run (default: all of it)")
    parser.add_argument("--configfile", type=Path, nargs="+", default=[Path("config/config.yaml")])
    parser.add_argument("--cores", type=int, nargs="+", default=CORES)
    parser.add_argument("--output", type=Path, help="folder (default: that of the run)")
    arguments = parser.parse_args()

    jobs, config = jobs_of_run(arguments.configfile, arguments.targets, max(arguments.cores))
    counts = sorted(set(arguments.cores))
    schedules = [simulate(jobs, cores) for cores in counts]
    if any(job.machine for job in jobs):
        shared = share_machine(jobs, SHARE)
        schedules += [simulate(shared, cores) for cores in counts if cores > SHARE]
    folder = arguments.output or Path("results", config["run"])
    write_record(folder / RECORD, jobs)
    note = reduction(config)
    footnote = f"{FOOTNOTE} {note[:1].upper()}{note[1:].rstrip('.')}." if note else FOOTNOTE

    scale, chain = scale_frame(schedules, note), chain_frame(schedules, note)
    caption = CAPTION.format(count=len(jobs))
    write(folder, "scale", scale, scale_shapes(scale), caption, footnote)
    write(folder, "scale_chain", chain, chain_shapes(chain), CHAIN, footnote)
    figures = folder / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    save_figure(scale_figure(scale, note), figures / "scale.pdf", figures / "scale.png")
    print((folder / "tables/scale.md").read_text(encoding="utf-8"))
    print((folder / "tables/scale_chain.md").read_text(encoding="utf-8"))


def write(folder: Path, name: str, frame: Any, shapes: Any, caption: str, footnote: str) -> None:
    """The files of a table."""
    base = folder / "tables" / name
    base.parent.mkdir(parents=True, exist_ok=True)
    kinds = {"csv": "csv", "markdown": "md", "latex": "tex", "html": "html"}
    output = SimpleNamespace(**{kind: f"{base}.{suffix}" for kind, suffix in kinds.items()})
    write_table(output, frame, shapes, caption, footnote, name)


def jobs_of_run(configfiles: list[Path], targets: list[str], cores: int) -> tuple[list[Job], dict]:
    """The jobs of a run with their lengths, and its configuration."""
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            snakefile=Path("Snakefile"),
            config_settings=ConfigSettings(configfiles=configfiles),
            resource_settings=ResourceSettings(cores=cores),
        )
        # A dry run knows all jobs, whether they have to be run or not. Snakemake prints its graph
        # in several ways, but none of them has files, threads and priorities.
        workflow.dag(DAGSettings(targets=set(targets))).execute_workflow(executor="dryrun")
        dag, config = workflow._workflow.dag, dict(workflow._workflow.globals["config"])
        every = {name_of(job): job for job in dag.jobs}
        measured = measures_of(every, Path("results", config["run"], RECORD))
        jobs = [
            Job(
                name=name,
                seconds=measured[name].seconds,
                needs=[name_of(needed) for needed in dag.dependencies[job]],
                cores=job.threads,
                machine=job.resources.get("machine", 0),
                priority=job.rule.priority,
                size=measured[name].size,
                rule=job.rule.name,
            )
            for name, job in every.items()
        ]
        return jobs, config


def name_of(job: Any) -> str:
    """Rule and wildcards."""
    wildcards = " ".join(f"{key}={value}" for key, value in job.wildcards_dict.items())
    return f"{job.rule.name} {wildcards}".strip()


class Measured(NamedTuple):
    """How long a job took, and how large its input was (bytes)."""

    seconds: float
    size: int


def measures_of(every: dict[str, Any], record: Path) -> dict[str, Measured]:
    """What is known of jobs: from their own files or, where those are not there, a record."""
    files = {name: files_of(job) for name, job in every.items()}
    made = {name for name, own in files.items() if all(file.exists() for file in own if file)}
    known = read_record(record)
    missing = sorted(set(every) - made - set(known))
    if missing:
        sys.exit(
            f"scale: no benchmark or log of {missing[0]} (of {len(missing)} jobs), nor are they in "
            f"{record}: make the run first, or name a part of it that has been made: synthetic, "
            "runtime or real"
        )
    lengths = seconds_of({name: files[name] for name in made})
    return {
        name: Measured(lengths[name], sum(size_of(file) for file in job.input))
        if name in made
        else known[name]
        for name, job in every.items()
    }


def read_record(file: Path) -> dict[str, Measured]:
    """Jobs by name, if there is such a file."""
    if not file.exists():
        return {}
    rows = pd.read_csv(file).itertuples()
    return {row.job: Measured(row.seconds, row.input_bytes) for row in rows}


def write_record(file: Path, jobs: list[Job]) -> None:
    """Bring the record of a run up to date; jobs that are not among these stay."""
    new = {job.name: Measured(job.seconds, job.size) for job in jobs}
    rows = sorted((read_record(file) | new).items())
    frame = pd.DataFrame(
        [(name, round(row.seconds, 2), row.size) for name, row in rows],
        columns=["job", "seconds", "input_bytes"],
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    with new_file(file) as fresh:
        frame.to_csv(fresh, index=False)


def size_of(file: str) -> int:
    """Bytes of a file, 0 of one that is not there."""
    path = Path(file)
    return path.stat().st_size if path.exists() else 0


def files_of(job: Any) -> tuple[Path | None, Path | None]:
    """Benchmark and log of a job; without either it does nothing itself."""
    return Path(job.benchmark) if job.benchmark else None, Path(job.log[0]) if job.log else None


def seconds_of(files: dict[str, tuple[Path | None, Path | None]]) -> dict[str, float]:
    """How long jobs took, by their benchmark and log files.

    Tables and figures have no benchmark: they count as the time in their log and what it takes to
    start a job, the median of the difference where there are both.
    """
    logged = {job: seconds_in_log(log) if log else 0.0 for job, (_, log) in files.items()}
    timed = {
        job: json.loads(benchmark.read_text().splitlines()[-1])["s"]
        for job, (benchmark, _) in files.items()
        if benchmark
    }
    start = statistics.median([timed[job] - logged[job] for job in timed] or [0.0])
    return {
        job: timed[job] if job in timed else logged[job] + start if log else 0.0
        for job, (_, log) in files.items()
    }


def seconds_in_log(log: Path) -> float:
    """The last line of a job's log says how long it took, without its start."""
    found = re.findall(r"done in ([\d.]+) s$", log.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        sys.exit(f"scale: {log} does not say how long its job took: it did not end, or not well")
    return float(found[-1])


if __name__ == "__main__":
    main()
