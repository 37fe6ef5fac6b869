"""A result that was cut short after its job is put aside, and made anew by the next run."""

import os

import pytest

from ccc.seal import check_sizes, record_sizes


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.makedirs("results/quick/tables")
    path = "results/quick/tables/scores.csv"
    with open(path, "w") as file:
        file.write("a,b\n1,2\n3,4\n")
    record_sizes([path])
    return path


def test_a_file_as_it_was_written_passes(written):
    check_sizes([written])


def test_a_file_cut_at_the_end_of_a_line_is_put_aside(written):
    os.truncate(written, 8)
    with pytest.raises(ValueError, match=rf"{written} had 8 bytes, but 12 were written"):
        check_sizes([written])
    assert not os.path.exists(written)
    assert os.path.getsize(f"{written}.damaged") == 8


def test_a_file_that_its_job_wrote_anew_passes(written):
    os.truncate(written, 8)
    record_sizes([written])
    check_sizes([written])


def test_other_files_are_none_of_its_business(written, tmp_path):
    with open("config.yaml", "w") as file:
        file.write("run: quick")
    record_sizes(["config.yaml", tmp_path / written, "results/quick", "results/quick/missing"])
    os.truncate("config.yaml", 3)
    check_sizes(["config.yaml"])
    assert os.listdir("results/quick/.sizes") == ["tables"]


def test_a_result_without_a_record_passes(written):
    os.remove("results/quick/.sizes/tables/scores.csv")
    os.truncate(written, 8)
    check_sizes([written])
