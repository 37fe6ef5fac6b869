"""Runs that are killed, interrupted, or robbed of their disk end in the same tables as others."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

# Every kind of job that computes: data, folds, three methods, and text.
TABLES = ("anmi_contradicting", "words_imdb", "ratings")
# And whatever else a run has, but for what is timed.
MORE_TABLES = (*TABLES, "anmi_agreeing", "synthetic_variants", "real_selected", "words_newsgroup20")
# Enough for what happens once: two chains of jobs that do not need each other.
FEW_TABLES = ("words_imdb", "words_newsgroup20")
LONGEST_SECONDS = 600


class Disturbed:
    """A copy of the repository in which runs are started and stopped."""

    def __init__(self, project, names=TABLES):
        self.project, self.folder, self.names = project, project.folder, names

    def start(self, arguments=(), cores=2, cwd=None):
        """Start a run in a session of its own, so that all its processes can be killed."""
        log = self.folder / f"run{time.monotonic_ns()}.log"
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
        command += ["--configfile", str(self.folder / "config/quick.yaml")]
        with log.open("w") as output:
            process = subprocess.Popen(
                [*command, "--", *(f"results/quick/tables/{name}.csv" for name in self.names)],
                cwd=cwd or self.folder,
                env=os.environ | {"PYTHONPATH": str(self.folder / "src")},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # Tests that run in the background were told to ignore it.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        process.log = log
        return process

    def finish(self, **options):
        """A plain run from here to the end; what it did."""
        process = self.start(**options)
        said = self.wait(process)
        assert process.returncode == 0, said
        return jobs_in(said)

    @staticmethod
    def wait(process):
        process.wait(timeout=LONGEST_SECONDS)
        return process.log.read_text()

    def has_the_tables_of(self, other):
        """Whether the tables are, byte for byte, those of another run."""
        files = [f"{name}.{kind}" for name in self.names for kind in ("csv", "md", "tex", "html")]
        ours, theirs = (run.folder / "results/quick/tables" for run in (self, other))
        return all((ours / file).read_bytes() == (theirs / file).read_bytes() for file in files)


def jobs_in(said):
    """Jobs that a run has finished: rule and wildcards."""
    blocks = re.findall(r"^(?:local)?rule (\w+):\n((?:    .*\n)+)", said, re.MULTILINE)
    names = {}
    for rule, body in blocks:
        number = re.search(r"jobid: (\d+)", body).group(1)
        wildcards = re.search(r"wildcards: (.*)", body)
        names[number] = f"{rule} {wildcards.group(1) if wildcards else ''}".strip()
    return {names[number] for number in re.findall(r"Finished jobid: (\d+)", said)}


def kill_session(process, how=signal.SIGKILL):
    """Send a signal to every process that the run has started."""
    os.killpg(process.pid, how)


def wait_until(condition, process):
    end = time.monotonic() + LONGEST_SECONDS
    while not condition():
        assert process.poll() is None, process.log.read_text()
        assert time.monotonic() < end, process.log.read_text()
        time.sleep(0.05)


def processes_of(process, script):
    """Numbers of the processes of a run that carry out a script of the workflow."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/cmdline") as file:
                words = file.read().split("\0")
            if not entry.isdigit() or os.getsid(int(entry)) != process.pid:
                continue
            # The shell that Snakemake starts has the script inside one long word.
            if any(word.endswith(f".{script}.py") and " " not in word for word in words):
                found.append(int(entry))
        except (OSError, ProcessLookupError):
            continue
    return found


@pytest.fixture
def disturbed_often(copy_of_repository, tmp_path):
    return Disturbed(copy_of_repository(tmp_path / "copy"))


@pytest.fixture
def disturbed(copy_of_repository, tmp_path):
    return Disturbed(copy_of_repository(tmp_path / "copy"), FEW_TABLES)


@pytest.fixture
def finished(quick, tmp_path):
    """A copy of the finished quick run, records of Snakemake and all."""
    folder = tmp_path / "copy"
    shutil.copytree(quick.folder, folder)
    return Disturbed(type(quick)(folder))


def partial_files(folder):
    return [path for path in (folder / "results").rglob("*") if path.suffix == ".part"]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_that_is_killed_at_random_moments(disturbed_often, quick, seed):
    moments = random.Random(seed)
    done, kills = set(), 0
    while True:
        process = disturbed_often.start()
        try:
            process.wait(timeout=moments.uniform(6, 15))
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
    assert kills >= 2
    assert disturbed_often.has_the_tables_of(quick)


def test_a_run_that_is_interrupted_from_the_keyboard(disturbed, quick):
    process = disturbed.start()
    wait_until(lambda: len(jobs_in(process.log.read_text())) > 4, process)
    kill_session(process, signal.SIGINT)
    first = jobs_in(disturbed.wait(process))
    assert process.returncode != 0
    assert not partial_files(disturbed.folder)
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


@pytest.mark.parametrize(
    "damaged",
    [
        "synthetic/contradicting/d40_n40/rep0/similarity.npz",
        "synthetic/contradicting/d40_n400/proposed_selected.csv",
        "text/imdb/proposed_scores.csv",
        "text/imdb/features.npz",
    ],
)
def test_a_result_that_is_cut_short_by_hand(finished, quick, damaged):
    path = finished.folder / "results/quick" / damaged
    content = path.read_bytes()
    # At the end of a line, where a table looks whole.
    short = content[: len(content) // 2].rpartition(b"\n")[0] + b"\n"
    path.write_bytes(short)
    process = finished.start()
    said = finished.wait(process)
    assert process.returncode == 1
    assert (
        f"results/quick/{damaged} had {len(short)} bytes, but {len(content)} were written" in said
    )
    finished.finish()
    assert finished.has_the_tables_of(quick)


def test_a_second_run_beside_the_first(disturbed, quick):
    first = disturbed.start()
    wait_until(lambda: jobs_in(first.log.read_text()), first)
    second = disturbed.start()
    assert "cannot be locked" in disturbed.wait(second)
    assert second.returncode == 1
    said = disturbed.wait(first)
    assert first.returncode == 0, said
    assert disturbed.has_the_tables_of(quick)


def test_a_full_disk(disturbed, quick):
    results = disturbed.folder / "results"
    results.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(results)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"cannot mount a small disk: {mounted.stderr.strip()}")
    try:
        process = disturbed.start()
        said = disturbed.wait(process)
        assert process.returncode == 1
        assert "No space left on device" in said
        assert not partial_files(disturbed.folder)
        first = jobs_in(said)
        larger = ["mount", "-o", "remount,size=500m", str(results)]
        subprocess.run(larger, check=True)
        assert not first & disturbed.finish()
        assert disturbed.has_the_tables_of(quick)
    finally:
        subprocess.run(["umount", "--lazy", str(results)], check=True)


def test_one_core_and_another_folder_give_the_same_tables(copy_of_repository, quick, tmp_path):
    there = Disturbed(copy_of_repository(tmp_path / "a folder, with spaces"), MORE_TABLES)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    there.finish(
        cores=1,
        cwd=elsewhere,
        arguments=(
            "--snakefile",
            str(there.folder / "Snakefile"),
            "--directory",
            str(there.folder),
        ),
    )
    assert there.has_the_tables_of(quick)


def test_the_same_run_twice(finished, quick):
    shutil.rmtree(finished.folder / "results/quick")
    finished.finish()
    assert finished.has_the_tables_of(quick)
