"""Runs that tests start, stop, and look into."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

# Every kind of job that computes: data, folds, three methods, and text.
TABLES = ("anmi_contradicting", "words_imdb", "ratings")
# And whatever else a run has, but for what is timed.
MORE_TABLES = (*TABLES, "anmi_agreeing", "synthetic_variants", "real_selected", "words_newsgroup20")
# Enough for what happens once: two chains of jobs that do not need each other.
FEW_TABLES = ("words_imdb", "words_newsgroup20")
# Tables and figures with measured times.
MEASURED = {
    "runtime",
    "time_spent",
    "runtime_time_spent",
    "real_time_spent",
    "runtime_scaling",
    "runtime_accuracy",
}
LONGEST_SECONDS = 600


class Disturbed:
    """A copy of the repository in which runs are started and stopped.

    They make the tables of these names, or everything if there are none.
    """

    def __init__(self, project, names=TABLES):
        self.project, self.folder, self.names = project, project.folder, names
        self.results = self.folder / "results/quick"
        self.started = []

    def start(self, *arguments, cores=2, cwd=None, targets=None):
        """Start a run in a session of its own, so that all its processes can be killed."""
        if targets is None:
            targets = [f"results/quick/tables/{name}.csv" for name in self.names]
        log = self.folder / f"run{time.monotonic_ns()}.log"
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *arguments]
        command += ["--configfile", str(self.folder / "config/quick.yaml")]
        with log.open("w") as output:
            process = subprocess.Popen(
                [*command, "--", *targets],
                cwd=cwd or self.folder,
                env=os.environ | {"PYTHONPATH": str(self.folder / "src")},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # Tests that run in the background were told to ignore it.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        process.log = log
        self.started.append(process)
        return process

    def finish(self, *arguments, **options):
        """A plain run from here to the end; what it did."""
        process = self.start(*arguments, **options)
        said = self.wait(process)
        assert process.returncode == 0, said
        return jobs_in(said)

    def fail(self, **options):
        """A run that fails; what it says."""
        process = self.start(**options)
        said = self.wait(process)
        assert process.returncode == 1, said
        return said

    @staticmethod
    def wait(process):
        process.wait(timeout=LONGEST_SECONDS)
        return process.log.read_text()

    def stop(self):
        """End what a failed test has left behind."""
        for process in self.started:
            if process.poll() is None:
                kill_session(process)
                process.wait()

    def has_the_tables_of(self, other):
        """Whether the tables are, byte for byte, those of another run."""
        files = [f"{name}.{kind}" for name in self.names for kind in ("csv", "md", "tex", "html")]
        ours, theirs = (run.folder / "results/quick/tables" for run in (self, other))
        return all((ours / file).read_bytes() == (theirs / file).read_bytes() for file in files)

    def partial_files(self):
        return [path for path in (self.folder / "results").rglob("*") if path.suffix == ".part"]


def products(folder, kinds=("tables", "figures")):
    """Tables and figures without measured times, by name."""
    files = [file for kind in kinds for file in (folder / "results/quick" / kind).iterdir()]
    return {
        file.name: file.read_bytes()
        for file in files
        if file.stem not in MEASURED and file.suffix != ".damaged"
    }


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


@contextmanager
def own_disk(folder, size):
    """A disk of a size at ``folder``; gives a function that mounts it with other options.

    Permissions do not stop root, who runs the tests in many containers; what a disk refuses does.
    """

    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"cannot mount a small disk: {mounted.stderr.strip()}")
    try:
        yield lambda options: subprocess.run(
            ["mount", "-o", f"remount,{options}", str(folder)], check=True
        )
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
