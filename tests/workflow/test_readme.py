"""What the README shows is true."""

import re

import pytest


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
