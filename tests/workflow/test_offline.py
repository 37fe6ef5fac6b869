"""Without network and copies of the corpora: what can be made is made, what is missing is named."""

import re
import shutil
import sys

import pytest

from tests.workflow.conftest import Project

NOWHERE = "http://127.0.0.1:9"  # nothing listens there
MADE = ["anmi_contradicting", "anmi_agreeing", "synthetic_variants", "runtime", "time_spent"]


@pytest.fixture
def without_corpora(quick, tmp_path):
    """The quick run with its synthetic paths, and nothing that comes after them or from corpora."""
    folder = tmp_path / "copy"
    shutil.copytree(quick.folder, folder)
    for what in ("tables", "text", "explorer"):
        shutil.rmtree(folder / "results/quick" / what)
    for figure in (folder / "results/quick/figures").glob("[rlt]*"):
        figure.unlink()
    (folder / "results/quick/REPRODUCTION.html").unlink()
    settings = folder / "config/quick.yaml"
    text = settings.read_text()
    assert "source: sample" in text
    settings.write_text(text.replace("source: sample", "source: official"))
    return Project(folder)


@pytest.fixture
def environment(tmp_path):
    """A virtual environment for make, which is that of the tests."""
    tools = tmp_path / "venv/bin"
    tools.mkdir(parents=True)
    for name, command in (("python", ""), ("snakemake", "-m snakemake")):
        (tools / name).write_text(f'#!/bin/sh\nexec {sys.executable} {command} "$@"\n')
        (tools / name).chmod(0o755)
    (tools.parent / ".ready").touch()
    return f"VENV={tools.parent}"


def test_offline_only_what_needs_a_corpus_is_missing(without_corpora, environment, monkeypatch):
    monkeypatch.delenv("CCC_DATA", raising=False)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, NOWHERE)
    run = without_corpora.command("make", "quick", "CORES=2", environment)
    assert run.returncode != 0
    for job, file in (
        ("corpus_archive corpus=imdb", "aclImdb_v1.tar.gz"),
        ("corpus_archive corpus=newsgroup20", "20news-bydate.tar.gz"),
        ("glove_archive corpus=newsgroup20", "glove.6B.zip"),
    ):
        (line,) = (line for line in run.stderr.splitlines() if line.startswith(f"{job}: "))
        assert re.search(
            rf"{re.escape(file)} could not be downloaded from \S+ \(ProxyError\).*: "
            rf"put {re.escape(file)}( or \S+)* into resources, or name the folder that has it "
            "in the config key corpora.local or the environment variable CCC_DATA",
            line,
        )
    results = without_corpora.folder / "results/quick"
    tables = {file.stem for file in results.glob("tables/*.csv")}
    assert tables.issuperset(MADE)
    assert not any(name.startswith(("real_s", "real_a", "words")) for name in tables)
    assert not list((without_corpora.folder / "resources").glob("*"))

    report = (results / "report.html").read_text()
    assert "anmi_contradicting.html" in report and "runtime_scaling.png" in report
    assert "real_selected.html" not in report
    assert run.stderr.splitlines()[-2] == (
        "Some jobs failed; what the others made is in results/quick/report.html"
    )
