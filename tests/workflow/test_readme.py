"""What the README shows is true."""

import re

import pytest


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
def test_the_example_runs(repository, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", (repository / "README.md").read_text(), re.S)
    exec(compile(example, "README.md", "exec"), {})
    assert "clusters at ν =" in capsys.readouterr().out


def test_every_file_that_the_pages_name_exists(repository):
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", (repository / page).read_text()):
            assert (repository / link).exists(), f"{page}: {link}"
