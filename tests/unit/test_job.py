"""A job runs with its threads, writes its log, and fails with one line."""

import logging
import os
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from ccc.job import limit_threads, log_to, run


class Files(SimpleNamespace):
    """Named files, which Snakemake also lists one after the other."""

    def __iter__(self):
        return iter(vars(self).values())


def job(log, **changes):
    fields = {
        "rule": "proposed_path",
        "wildcards": {"d": "40"},
        "input": Files(),
        "output": Files(),
        "params": SimpleNamespace(),
        "threads": 1,
        "log": [str(log)],
    }
    return SimpleNamespace(**fields | changes)


def test_main_gets_what_the_rule_says(tmp_path):
    seen = {}

    def main(input, output, params, threads):
        seen.update(input=input, threads=threads)
        logging.getLogger("ccc").info("working")

    description = job(tmp_path / "deep" / "job.log", threads=2)
    run(main, description)
    assert seen == {"input": description.input, "threads": 2}
    text = (tmp_path / "deep" / "job.log").read_text()
    assert "started with 2 thread(s)" in text and "working" in text and "done in" in text


def test_failure_is_one_line_on_the_terminal_and_a_traceback_in_the_log(tmp_path, capsys):
    def main(input, output, params, threads):
        raise ValueError("X has a NaN\nin column 3")

    with pytest.raises(SystemExit) as stop:
        run(main, job(tmp_path / "job.log"))
    assert stop.value.code == 1
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "proposed_path d=40: ValueError: X has a NaN in column 3 "
        f"(traceback in {tmp_path / 'job.log'})"
    ]
    assert "Traceback (most recent call last)" in (tmp_path / "job.log").read_text()


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A result that a job has written."""
    monkeypatch.chdir(tmp_path)
    os.makedirs("results/quick")
    path = "results/quick/table.csv"

    def main(input, output, params, threads):
        with open(output.csv, "w") as file:
            file.write("twelve bytes")

    run(main, job("job.log", output=Files(csv=path)))
    return path


def test_a_damaged_input_is_one_line_and_nothing_is_done(table, capsys):
    os.truncate(table, 5)
    with pytest.raises(SystemExit):
        run(pytest.fail, job("job.log", input=Files(csv=table)))
    assert capsys.readouterr().err == (
        f"proposed_path d=40: ValueError: {table} had 5 bytes, but 12 were written: it is put "
        "aside as table.csv.damaged, and the next run makes it anew (traceback in job.log)\n"
    )


def test_a_job_that_fails_leaves_no_size_of_the_last_one(table):
    def main(input, output, params, threads):
        os.truncate(output.csv, 5)
        raise ValueError("half done")

    with pytest.raises(SystemExit):
        run(main, job("job.log", output=Files(csv=table)))
    run(lambda *_: None, job("job.log", input=Files(csv=table)))


def test_warnings_go_to_the_log(tmp_path):
    with log_to(tmp_path / "job.log"):
        warnings.warn("gap too large", UserWarning, stacklevel=1)
    assert "gap too large" in (tmp_path / "job.log").read_text()


def test_log_is_closed_and_logging_restored(tmp_path):
    before = list(logging.getLogger().handlers)
    with log_to(tmp_path / "job.log"):
        assert len(logging.getLogger().handlers) == len(before) + 1
    assert logging.getLogger().handlers == before


@pytest.mark.parametrize("threads", [1, 2])
def test_blas_uses_no_more_threads_than_the_job_has(threads):
    np.ones((2, 2)) @ np.ones((2, 2))
    with limit_threads(threads):
        pools = [pool["num_threads"] for pool in threadpool_info()]
    assert pools and max(pools) <= threads


def test_numba_is_told_too(monkeypatch):
    import numba

    before = numba.get_num_threads()
    try:
        with limit_threads(1):
            assert numba.get_num_threads() == 1
    finally:
        numba.set_num_threads(before)


def test_numba_that_is_not_loaded_yet_reads_it_from_the_environment(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "8")
    monkeypatch.delitem(__import__("sys").modules, "numba")
    with limit_threads(1):
        assert os.environ["NUMBA_NUM_THREADS"] == "1"
