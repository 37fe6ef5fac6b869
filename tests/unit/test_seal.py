"""A result that was cut short after its job is put aside, and made anew."""

import os

import pytest

from ccc.seal import check_sizes, forget_sizes, put_aside_damaged, record_sizes


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


def test_all_damaged_files_of_a_run_are_put_aside_before_it(written):
    others = ["results/quick/a.npz", "results/quick/deep/er/b.csv", "results/quick/whole.csv"]
    os.makedirs("results/quick/deep/er")
    for path in others:
        with open(path, "w") as file:
            file.write("twelve bytes")
    record_sizes(others)
    for path in (written, *others[:2]):
        os.truncate(path, 5)
    assert sorted(put_aside_damaged("results/quick")) == [
        f"{path} had 5 bytes, but 12 were written: it is put aside as {name}.damaged"
        for path, name in (
            ("results/quick/a.npz", "a.npz"),
            ("results/quick/deep/er/b.csv", "b.csv"),
            (written, "scores.csv"),
        )
    ]
    assert os.path.exists("results/quick/whole.csv") and not os.path.exists(written)
    assert put_aside_damaged("results/quick") == []


def test_files_that_are_gone_or_left_over_are_no_damage(written):
    # A record that was being written when its process was killed.
    with open("results/quick/.sizes/tables/.scores.csv.x.part", "w") as file:
        file.write("1")
    os.remove(written)
    assert put_aside_damaged("results/quick") == []
    assert put_aside_damaged("results/none") == []


def test_a_job_that_was_killed_among_its_files_leaves_no_damage(written):
    forget_sizes([written, "results/quick/never_written", "config.yaml"])
    os.truncate(written, 8)
    assert put_aside_damaged("results/quick") == []
    check_sizes([written])
