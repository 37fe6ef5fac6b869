"""Scripts are plain functions from files to files."""

import runpy
from types import SimpleNamespace

import numpy as np
import pytest

from ccc.data import Dataset
from ccc.sources import package_files
from ccc.storage import load_npz

AXES = {"design": "contradicting", "d": 20, "n": 40, "repetition": 0, "weights": "paper", "seed": 0}


@pytest.fixture
def main_of(repository):
    return lambda name: runpy.run_path(str(repository / f"workflow/scripts/{name}.py"))["main"]


def draw(main_of, file, **changes):
    params = SimpleNamespace(**AXES | changes)
    main_of("synthetic_data")(SimpleNamespace(), SimpleNamespace(data=file), params, threads=1)
    return Dataset.load(file)


def test_data_depend_on_their_place_in_the_experiment_only(main_of, tmp_path):
    first = draw(main_of, tmp_path / "first.npz")
    np.testing.assert_array_equal(first.X, draw(main_of, tmp_path / "again.npz").X)
    for change in ({"repetition": 1}, {"seed": 1}):
        assert not np.array_equal(first.X, draw(main_of, tmp_path / "other.npz", **change).X)


def test_similarity_is_written_as_a_matrix(main_of, tmp_path):
    data = draw(main_of, tmp_path / "data.npz")
    files = (
        SimpleNamespace(data=tmp_path / "data.npz"),
        SimpleNamespace(similarity=tmp_path / "S.npz"),
    )
    main_of("ledoit_wolf")(*files, SimpleNamespace(), threads=1)
    assert load_npz(tmp_path / "S.npz")["S"].shape == (data.X.shape[1],) * 2


def test_every_script_says_what_it_uses(repository):
    for script in (repository / "workflow/scripts").glob("*.py"):
        assert package_files(script), script
