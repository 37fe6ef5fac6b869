"""What the README shows is true."""

import re

import pandas as pd
import pytest

from ccc.reproduction import judge
from ccc.tables.layout import MISSING, mean_sd


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
def test_the_examples_run(repository, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", (repository / "README.md").read_text(), re.S)
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
    told = capsys.readouterr().out
    assert "clusters, duality gap" in told and "clusters at ν =" in told


def test_the_example_of_trees_runs(repository, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (repository / "docs/trees.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(compile(example, "docs/trees.md", "exec"), {})
    assert (tmp_path / "path.html").stat().st_size > 10_000
    assert (tmp_path / "tree.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("page", ["tutorial", "howto"])
def test_the_blocks_of_a_page_run_one_after_the_other(repository, tmp_path, monkeypatch, page):
    monkeypatch.chdir(tmp_path)
    text = (repository / f"docs/{page}.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    exec(compile("\n".join(blocks), f"docs/{page}.md", "exec"), {})
    if page == "tutorial":
        made = {"path.png", "selection.png", "tree.pdf", "explorer.html"}
        assert made == {file.name for file in tmp_path.iterdir()}


def test_every_file_that_the_pages_name_exists(repository):
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", (repository / page).read_text()):
            assert (repository / link).exists(), f"{page}: {link}"


@pytest.fixture
def of_full_run(repository):
    """A table of the full run."""
    return lambda name: pd.read_csv(repository / f"results/paper/tables/{name}.csv")


def rows_of_table(text, heading):
    """Cells of the Markdown table whose first line starts so."""
    lines = text[text.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_means_shown_are_those_of_the_full_run(repository, of_full_run):
    frame = of_full_run("anmi_contradicting")
    frame = frame[(frame["measure"] == "anmi") & (frame["method"] == "proposed")]
    frame = frame[frame["selection"] == "marginal_likelihood"].set_index(["d", "n"])
    text = (repository / "README.md").read_text()
    for d, *cells in rows_of_table(text, "| d | n = 40 |"):
        rows = [frame.loc[int(d), n] for n in (40, 400, 4000)]
        shown = [
            mean_sd(row[f"{side}mean"], row[f"{side}sd"])
            for row in rows
            for side in ("", "published_")
        ]
        assert cells == shown
    assert f"gap of these solutions is {frame['worst_gap'].max():.1e}." in text


def test_the_accuracies_shown_are_those_of_the_full_run(repository, of_full_run):
    frame = of_full_run("real_at_clusters").set_index(["design", "method", "measure"])
    columns = [(corpus, m) for corpus in ("imdb", "newsgroup20") for m in ("proposed", "kmeans")]
    for size, *cells in rows_of_table((repository / "README.md").read_text(), "| clusters | IMDB"):
        rows = [frame.loc[(*c, f"heldout_accuracy_at_{size}_clusters")] for c in columns]
        shown = [
            " / ".join(
                MISSING if pd.isna(v) else f"{v:.2f}" for v in row[["mean", "published_mean"]]
            )
            for row in rows
        ]
        assert cells == shown


def test_the_gaps_that_the_findings_name_are_those_of_the_full_run(repository, of_full_run):
    text = (repository / "docs/findings.md").read_text()
    designs = [of_full_run(f"anmi_{design}") for design in ("contradicting", "agreeing")]
    for gap in (
        pd.concat(designs)["worst_gap"].max(),
        of_full_run("real_selected")["worst_gap"].max(),
    ):
        assert f"**{gap:.1e}**" in text


def test_so_many_means_agree_as_the_pages_say(repository, of_full_run):
    tables = [of_full_run(f"anmi_{design}") for design in ("contradicting", "agreeing")]
    judged = judge(pd.concat(tables))
    agrees = judged["verdict"] == "agrees"
    of_evidence = judged["selection"] == "marginal_likelihood"
    counts = [int(mask.sum()) for mask in (agrees & of_evidence, of_evidence)]
    counts += [int(mask.sum()) for mask in (~of_evidence, agrees & ~of_evidence)]
    findings = (repository / "docs/findings.md").read_text()
    assert "**{} of the {}** means".format(*counts[:2]) in findings
    assert "Of the {} means by cross-validation {} agree".format(*counts[2:]) in findings
    readme = (repository / "README.md").read_text()
    assert "{} of the {} published means".format(*counts[:2]) in readme


def test_the_hour_of_the_synthetic_run_is_that_of_its_jobs(repository, of_full_run):
    # Two at a time, they cannot take less than half of what they take together.
    (minutes,) = re.findall(
        r"in \*\*(\d+) minutes\*\*", (repository / "docs/performance.md").read_text()
    )
    together = of_full_run("time_spent")["total_seconds"].sum() / 60
    assert 0.5 * together <= int(minutes) + 0.5 <= 0.6 * together
