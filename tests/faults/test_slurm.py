"""The quick run as jobs of a real Slurm, some of them cancelled: the same tables as without."""

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.disturbed import products

QUICK = ("--configfile", "config/quick.yaml")
SLURM = (
    *("--workflow-profile", "profiles/slurm", "--default-resources", "slurm_partition=here"),
    # There is no accounting, and jobs are short.
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "3"),
    *("--latency-wait", "10", "--slurm-keep-successful-logs"),
    # A group that asks for more cores than any node has is never started.
    *("--cores", str(min(4, os.cpu_count() or 1))),
)
# One of each kind is cancelled while it runs: a job of its own, and a group of them.
CANCELLED = ("cross_validation", "selection")
TIMED = ("path_time", "accuracy")
LONGEST_MINUTES = 30


@dataclass(frozen=True)
class Run:
    """A finished run: where, what it said, what ran at the same moment, what was cancelled."""

    folder: Path
    output: str
    moments: list[frozenset[str]]
    cancelled: dict[str, str]


@pytest.fixture(scope="module")
def slurm(repository):
    """A Slurm of one node, for as long as these tests take."""
    script = repository / "scripts/slurm-here"

    def here(command):
        return subprocess.run([script, command], capture_output=True, text=True, check=False)

    was_running = here("status").returncode == 0
    started = here("start")
    if started.returncode == 2:
        pytest.skip(started.stderr.strip())
    assert started.returncode == 0, started.stderr
    yield
    if not was_running:
        stopped = here("stop")
        assert stopped.returncode == 0, stopped.stderr


def running():
    """Numbers of the jobs that run now, and the rules or groups that they are of."""
    squeue = ["squeue", "--noheader", "--states=running", "--format=%i %k"]
    lines = subprocess.run(squeue, capture_output=True, text=True, check=True).stdout.splitlines()
    jobs = dict(line.split(maxsplit=1) for line in lines)
    return {number: comment.removeprefix("rule_") for number, comment in jobs.items()}


@pytest.fixture(scope="module")
def run(slurm, copy_of_repository, tmp_path_factory):
    """The quick run through the profile; on the way a job of each kind is cancelled."""
    folder = copy_of_repository(tmp_path_factory.mktemp("slurm") / "copy").folder
    log = folder / "snakemake.log"
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    moments, cancelled = [], {}
    end = time.monotonic() + 60 * LONGEST_MINUTES
    with log.open("w") as output:
        command = [sys.executable, "-m", "snakemake", *QUICK, *SLURM]
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            while process.poll() is None:
                assert time.monotonic() < end, f"longer than {LONGEST_MINUTES} minutes:\n" + tail(
                    log
                )
                jobs = running()
                moments.append(frozenset(jobs.values()))
                for number, name in jobs.items():
                    kind = next((kind for kind in CANCELLED if name.startswith(kind)), None)
                    if kind and kind not in cancelled:
                        subprocess.run(["scancel", number], check=True)
                        cancelled[kind] = number
                time.sleep(0.5)
        finally:
            process.kill()
    assert process.returncode == 0, tail(log)
    return Run(folder, log.read_text(), moments, cancelled)


def tail(log):
    return "\n".join(log.read_text().splitlines()[-60:])


def test_tables_and_figures_are_those_of_a_run_without_slurm(run, quick):
    slurm, local = (products(project.folder) for project in (run, quick))
    assert slurm.keys() == local.keys() and len(slurm) > 50
    assert [name for name in slurm if slurm[name] != local[name]] == []


def test_cancelled_jobs_were_submitted_again(run):
    assert run.cancelled.keys() == set(CANCELLED)
    for number in run.cancelled.values():
        # Of a group only what Slurm itself has to say is shown.
        said = rf"(SLURM-job '{number}' failed, |JOB {number} ON ).*CANCELLED"
        assert re.search(said, run.output)
    assert run.output.count("Trying to restart job") == len(CANCELLED)


def test_nothing_is_left_to_do(run, quick):
    assert type(quick)(run.folder).planned(*QUICK) == {}


def test_what_is_timed_has_the_node_to_itself(run):
    timed = [moment for moment in run.moments if any(name.startswith(TIMED) for name in moment)]
    assert timed and all(len(moment) == 1 for moment in timed)
    others = [moment for moment in run.moments if moment not in timed]
    assert max(map(len, others)) > 1
    logs = (run.folder / "results/quick/logs/path_time").rglob("*.log")
    assert all("started with 1 thread(s)" in log.read_text() for log in logs)


def test_short_jobs_are_submitted_together(run):
    # A group is called after itself and the rules in it, a single job after its rule.
    names = {folder.name for folder in (run.folder / "results/slurm_logs").iterdir()}
    for group in ("data", "selection", "kernels", "documents"):
        assert any(name.startswith(f"group_{group}_") for name in names)
    assert not {"rule_synthetic_data", "rule_similarity", "rule_scores"} & names


def test_logs_of_slurm_are_in_one_place(run):
    logs = {file.stem for file in (run.folder / "results/slurm_logs").rglob("*.log")}
    assert set(run.cancelled.values()) <= logs
    assert not (run.folder / ".snakemake/slurm_logs").exists()
