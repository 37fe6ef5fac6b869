"""The examples run as they are, end in a picture, and show what they say."""

import os
import runpy
import sys

import matplotlib.pyplot as plt
import pytest

EXAMPLES = {"breast_cancer": 0.95, "digits": 0.97, "wine": 0.92}


@pytest.fixture
def run(repository, tmp_path, monkeypatch, capsys):
    """Run an example as a script; what it prints."""
    folder = repository / "examples"
    monkeypatch.syspath_prepend(folder)

    def run(name, *options):
        monkeypatch.setattr(sys, "argv", [f"{name}.py", "--out", str(tmp_path), *options])
        runpy.run_path(str(folder / f"{name}.py"), run_name="__main__")
        plt.close("all")
        return capsys.readouterr().out

    return run


def test_every_example_is_run(repository):
    found = {path.stem for path in (repository / "examples").glob("*.py")}
    assert found == {*EXAMPLES, "newsgroups", "comparison"}


@pytest.mark.parametrize(("name", "accuracy"), EXAMPLES.items())
def test_fewer_parameters_and_still_accurate(name, accuracy, run, tmp_path):
    header, *rows, last = run(name).splitlines()
    assert header.split("  ")[-1].strip() == "held-out accuracy"
    ours, agglomeration, plain = ([float(x) for x in row.split()[-3:]] for row in rows)
    assert ours[1] == agglomeration[1] < 0.6 * plain[1]
    assert ours[2] > accuracy
    if name == "digits":
        assert ours[2] > agglomeration[2]
    assert last == f"picture: {tmp_path / name}.png"
    picture = plt.imread(tmp_path / f"{name}.png")
    assert picture.shape[0] > 300 and picture[..., :3].std() > 0.05


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--sample"], id="sample"),
        pytest.param(
            [],
            id="real",
            marks=pytest.mark.skipif(
                "CCC_DATA" not in os.environ,
                reason="needs 20 Newsgroups and GloVe in the folder CCC_DATA",
            ),
        ),
    ],
)
def test_words_are_clustered(options, run, tmp_path):
    _, *rows, last = run("newsgroups", *options).splitlines()
    ours, agglomeration, plain = ([float(x) for x in row.split()[-3:]] for row in rows)
    assert ours[1] == agglomeration[1] < 0.3 * plain[1]
    assert ours[2] > agglomeration[2] and ours[2] > plain[2] - 0.03
    assert last == f"picture: {tmp_path / 'newsgroups.png'}"


def test_without_a_corpus_one_line_says_what_is_missing(run, tmp_path, monkeypatch):
    monkeypatch.setenv("CCC_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "20news-bydate.tar.gz").write_bytes(b"not an archive")
    with pytest.raises(SystemExit, match=r"newsgroups\.py: .*20news-bydate\.tar\.gz .*altered"):
        run("newsgroups")
    assert not (tmp_path / "newsgroups.png").exists()
