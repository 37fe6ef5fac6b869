"""Runs that are killed, interrupted, or started twice end in the same tables as others."""

import os
import random
import shutil
import signal
import subprocess
import time

import pytest

from tests.faults.disturbed import (
    MORE_TABLES,
    jobs_in,
    kill_session,
    processes_of,
    wait_until,
)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_that_is_killed_at_random_moments(disturbed_often, quick, seed):
    moments = random.Random(seed)
    done, kills = set(), 0
    while True:
        process = disturbed_often.start()
        try:
            # First while it starts and plans; later it has more and more time, so that it ends.
            process.wait(timeout=moments.uniform(0.5, 4 * 1.4**kills))
        except subprocess.TimeoutExpired:
            kill_session(process)
            process.wait()
            kills += 1
        said = process.log.read_text()
        now = jobs_in(said)
        assert not done & now, "done once, and again"
        done |= now
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, said
    assert kills >= 3
    assert disturbed_often.has_the_tables_of(quick)


def test_a_run_that_is_interrupted_from_the_keyboard(disturbed, quick):
    process = disturbed.start()
    wait_until(lambda: len(jobs_in(process.log.read_text())) > 4, process)
    kill_session(process, signal.SIGINT)
    first = jobs_in(disturbed.wait(process))
    assert process.returncode != 0
    assert not disturbed.partial_files()
    assert not first & disturbed.finish()
    assert disturbed.has_the_tables_of(quick)


def test_a_single_job_that_is_killed(disturbed, quick):
    process = disturbed.start()
    wait_until(lambda: processes_of(process, "text_features"), process)
    os.kill(processes_of(process, "text_features")[0], signal.SIGKILL)
    first = jobs_in(disturbed.wait(process))
    assert process.returncode == 1
    assert any(job.startswith("words_table") for job in first), "the others go on"
    assert sum(job.startswith("text_features") for job in first) == 1
    second = disturbed.finish()
    assert not first & second
    assert any(job.startswith("text_features") for job in second)
    assert disturbed.has_the_tables_of(quick)


def test_two_runs_at_once(disturbed, quick):
    pairs = 4
    for pair in range(pairs):
        runs = [disturbed.start(), disturbed.start()]
        while all(run.poll() is None for run in runs):
            time.sleep(0.05)
        ended, working = sorted(runs, key=lambda run: run.returncode is None)
        refused(disturbed, ended)
        if pair < pairs - 1:
            kill_session(working)
            working.wait()
    wait_until(lambda: jobs_in(working.log.read_text()), working)
    refused(disturbed, disturbed.start())
    said = disturbed.wait(working)
    assert working.returncode == 0, said
    assert disturbed.has_the_tables_of(quick)


def refused(disturbed, process):
    """A run ends without having done anything, since there is another one."""
    said = disturbed.wait(process)
    assert process.returncode == 1 and "cannot be locked" in said
    assert not jobs_in(said)


def test_one_core_and_another_folder_give_the_same_tables(disturbed_in, quick, tmp_path):
    there = disturbed_in(tmp_path / "a folder, with spaces", MORE_TABLES)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place = ("--snakefile", str(there.folder / "Snakefile"), "--directory", str(there.folder))
    there.finish(*place, cores=1, cwd=elsewhere)
    assert there.has_the_tables_of(quick)


def test_the_same_run_twice(finished, quick):
    shutil.rmtree(finished.results)
    finished.finish()
    assert finished.has_the_tables_of(quick)
