"""The examples run as they are, end in a picture, and show what they say."""

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

    def run(name):
        monkeypatch.setattr(sys, "argv", [f"{name}.py", "--out", str(tmp_path)])
        runpy.run_path(str(folder / f"{name}.py"), run_name="__main__")
        plt.close("all")
        return capsys.readouterr().out

    return run


def test_every_example_is_run(repository):
    found = {path.stem for path in (repository / "examples").glob("*.py")}
    assert found == {*EXAMPLES, "comparison"}


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
