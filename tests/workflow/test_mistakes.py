"""What people get wrong ends with one clear line, a non-zero exit, and nothing half-written."""

import re
import sys

import pytest

QUICK = ("--configfile", "config/quick.yaml")
NOISE = ("Using workflow specific profile", "Config file", "Assuming unrestricted", "make: ***")


def complaint(run):
    """The lines on the terminal that are not Snakemake's or make's own chatter."""
    assert run.returncode != 0
    lines = (run.stdout + run.stderr).splitlines()
    return [line for line in lines if line.strip() and not line.startswith(NOISE)]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            "  repetitions: 10",
            "  repetition: 10",
            "Error in config: unknown key 'synthetic.repetition'; "
            "did you mean 'synthetic.repetitions'?",
        ),
        (
            "  count: 300",
            "  count: many",
            "Error in config: key 'nu_grid.count': 'many' is not of type 'integer' "
            "(number of values of ν)",
        ),
        ("run: paper", "runn: paper", "Error in config: unknown key 'runn'; did you mean 'run'?"),
    ],
)
def test_a_typo_in_the_configuration(project, before, after, said):
    file = project.folder / "config/config.yaml"
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    assert complaint(project.snakemake("--cores", "1")) == [said]
    assert not (project.folder / "results").exists()


def test_a_configuration_with_code_in_it_is_refused_and_not_run(project):
    file = project.folder / "config/config.yaml"
    code = "!!python/object/apply:os.system ['touch ran']"
    file.write_text(file.read_text().replace("run: paper", f"run: {code}"))
    assert "WorkflowError" in complaint(project.snakemake("--cores", "1"))[0]
    assert not (project.folder / "ran").exists()
    assert not (project.folder / "results").exists()


def test_no_number_of_cores(project):
    (line,) = complaint(project.snakemake())
    assert "cores have to be specified" in line and "--cores N" in line
    assert not (project.folder / "results").exists()


def test_results_cannot_be_written(project):
    (project.folder / "results").write_text("in the way")
    (line,) = complaint(project.snakemake("--cores", "1"))
    assert line == (
        "Error in results: cannot write to results/paper: results is not a folder; move it away"
    )
    assert (project.folder / "results").read_text() == "in the way"


def test_python_is_too_old(project):
    old = project.folder / "python3.9"
    old.write_text(
        "#!/bin/sh\n"
        "# Runs the version test of the Makefile as if by Python 3.9.\n"
        'exec python3 -c "import sys, platform\n'
        "sys.version_info = (3, 9, 1)\n"
        "platform.python_version = lambda: '3.9.1'\n"
        '$2"\n'
    )
    old.chmod(0o755)
    (line,) = complaint(project.command("make", "setup", f"PYTHON={old}"))
    assert line == (
        f"ccc needs Python 3.11 or newer: {old} is 3.9.1; say make PYTHON=/path/to/python3.11"
    )
    assert not (project.folder / ".venv").exists()


def test_there_is_no_python(project):
    (line,) = complaint(project.command("make", "setup", "PYTHON=no-such-python"))
    assert "no no-such-python on the PATH" in line


def test_a_failing_job_says_so_in_one_line_and_keeps_its_traceback(project):
    solver = project.folder / "src/ccc/similarity.py"
    solver.write_text(solver.read_text() + "\n\ndef ledoit_wolf(X, y):\n    raise ValueError(1)\n")
    goal = "results/quick/synthetic/contradicting/d40_n40/rep0/similarity.npz"
    run = project.snakemake("--cores", "1", "--configfile", "config/quick.yaml", "--", goal)
    log = "results/quick/logs/similarity/synthetic/contradicting/d40_n40.log"
    assert run.returncode != 0
    assert (
        "similarity study=synthetic, design=contradicting, d=40, n=40: ValueError: 1 "
        f"(traceback in {log})" in run.stderr
    )
    assert "Traceback" in (project.folder / log).read_text()
    assert not (project.folder / goal).exists()


def test_a_truncated_archive_is_refused_in_one_line(project):
    (project.folder / "mine").mkdir()
    (project.folder / "mine/aclImdb_v1.tar.gz").write_bytes(b"half of it")
    goal = "results/paper/text/imdb/archive.json"
    run = project.snakemake("--cores", "1", "--config", "corpora={local: mine}", "--", goal)
    assert run.returncode != 0
    assert (
        "corpus_archive corpus=imdb: ValueError: mine/aclImdb_v1.tar.gz is truncated or altered "
        "(10 of 84125825 bytes): expected sha256:c40f74a1" in run.stderr
    )
    assert not (project.folder / goal).exists()


def test_a_folder_of_corpora_that_is_not_there_starts_no_download(project):
    goal = "results/paper/text/imdb/archive.json"
    run = project.snakemake("--cores", "1", "--config", "corpora={local: /typo}", "--", goal)
    assert run.returncode != 0
    assert (
        "corpus_archive corpus=imdb: FileNotFoundError: there is no folder /typo, which the config "
        "key corpora.local names (traceback in" in run.stderr
    )
    assert not (project.folder / "resources").exists()


def test_a_run_that_has_not_been_made_is_not_simulated(project):
    scale = project.command(sys.executable, "workflow/scale.py", *QUICK)
    (line,) = complaint(scale)
    assert re.match(
        r"scale: no benchmark or log of \w+.* \(of \d+ jobs\), nor are they in "
        r"results/quick/jobs.csv: make the run first",
        line,
    )
    assert not (project.folder / "results/quick/tables").exists()
