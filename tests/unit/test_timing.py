"""Timing in limited processes: what is reported, what is killed, what is extrapolated."""

import os
import signal
import time

import numpy as np
import pytest

from ccc.data import make_synthetic
from ccc.graph import graph_of
from ccc.grid import nu_grid
from ccc.similarity import ledoit_wolf
from ccc.timing import Outcome, accuracy_of, describe_machine, path_time, run_limited, spread
from ccc.timing.paths import summary

LIMITS = {"seconds": 60.0, "setup_seconds": 300.0}


def counting(last):
    yield {"threads": os.environ["OMP_NUM_THREADS"]}
    for value in range(last):
        yield {"value": value}


def endless():
    yield {}
    yield {"value": 1}
    time.sleep(1000)


def slow_to_start():
    time.sleep(1000)
    yield {}


def greedy():
    yield {}
    held = np.ones(50_000_000)
    time.sleep(1000)
    yield {"sum": held.sum()}


def failing():
    yield {}
    raise ValueError("no such\nthing")


def dying(number):
    yield {}
    os.kill(os.getpid(), number)


def test_reports_come_back_in_order():
    outcome = run_limited(counting, 3, **LIMITS)
    assert outcome.ending == "finished"
    assert outcome.setup == {"threads": "1"}
    assert [report["value"] for report in outcome.reports] == [0, 1, 2]


def test_the_environment_of_the_caller_is_left_alone(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    run_limited(counting, 1, **LIMITS)
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


def test_what_takes_too_long_is_killed_and_keeps_its_reports():
    start = time.perf_counter()
    outcome = run_limited(endless, seconds=2.0, setup_seconds=60.0)
    assert (outcome.ending, outcome.reports) == ("time", [{"value": 1}])
    assert 2.0 <= outcome.seconds < 20
    assert time.perf_counter() - start < 60


def test_a_setup_that_takes_too_long_is_killed():
    outcome = run_limited(slow_to_start, seconds=60.0, setup_seconds=3.0)
    assert outcome.ending == "time" and outcome.setup is None


def test_too_much_memory_is_an_ending():
    outcome = run_limited(greedy, memory_mb=300, **LIMITS)
    assert (outcome.ending, outcome.message) == ("memory", "more than 300 MB")
    assert outcome.setup == {} and outcome.reports == []
    assert 300 < outcome.peak_mb < 3000 and outcome.seconds < 30


def test_an_error_is_an_ending_with_one_line():
    outcome = run_limited(failing, **LIMITS)
    assert (outcome.ending, outcome.message) == ("failed", "ValueError: no such thing")


@pytest.mark.parametrize(
    ("number", "ending"), [(signal.SIGSEGV, "failed"), (signal.SIGKILL, "memory")]
)
def test_a_crash_is_an_ending(number, ending):
    assert run_limited(dying, number, **LIMITS).ending == ending


@pytest.mark.parametrize("length", [1, 2, 7, 300])
def test_a_spread_visits_every_position_once_and_its_beginnings_are_even(length):
    order = spread(length)
    assert sorted(order) == list(range(length))
    if length == 300:
        assert order[:3] == [150, 75, 225]
        assert np.diff(sorted([0, *order[:15], 300])).max() <= 300 / 16 + 1


READY = {"seconds": 1.0, "one_by_one": True}


def report(seconds, solved=1, gap=1e-7, status="optimal", then="nu"):
    return {
        "solved": solved,
        "seconds": seconds,
        "gap": gap,
        "statuses": {status: max(solved, 1)},
        "iterations": 10 * solved,
        "peak_mb": 100.0,
        "next": then,
    }


def test_some_values_are_extrapolated_to_all():
    reports = [report(2.0), report(4.0, gap=1e-3, status="optimal_inaccurate")]
    row = summary(Outcome(READY, reports, "time", seconds=7.0, unfinished=1.0), 300)
    assert (row["seconds"], row["basis"], row["solved"]) == (900.0, "extrapolated", 2)
    assert row["statuses"] == "1 optimal, 1 optimal_inaccurate"
    assert (row["worst_gap"], row["iterations"], row["setup_seconds"]) == (1e-3, 10, 1.0)


def test_a_value_that_was_not_finished_counts_if_it_is_slower_than_the_others():
    row = summary(Outcome(READY, [report(1.0)], "time", seconds=40.0, unfinished=39.0), 300)
    assert (row["seconds"], row["solved"]) == (300 * 40 / 2, 1)


def test_what_a_start_took_that_was_not_finished_does_not_count():
    reports = [report(0.0, solved=0), report(2.0, then="start")]
    row = summary(Outcome(READY, reports, "time", seconds=40.0, unfinished=30.0), 300)
    assert (row["seconds"], row["solved"]) == (600.0, 1)
    # The same on the way to the ν itself.
    row = summary(
        Outcome(READY, [*reports, report(0.0, solved=0)], "time", seconds=40.0, unfinished=30.0),
        300,
    )
    assert row["seconds"] == 300 * 32 / 2


def test_a_whole_path_that_was_not_finished_takes_at_least_its_time():
    reports = [report(0.1), report(0.0, solved=0, then="path")]
    row = summary(Outcome(READY, reports, "time", seconds=60.0, unfinished=59.0), 300)
    assert (row["seconds"], row["basis"]) == (59.0, "extrapolated")
    row = summary(Outcome(READY, reports, "time", seconds=20.0, unfinished=19.0), 300)
    assert row["seconds"] == 30.0


def test_only_the_first_value_counts_where_none_was_solved_but_its_start():
    reports = [report(0.0, solved=0)]
    row = summary(Outcome(READY, reports, "time", seconds=20.0, unfinished=5.0), 300)
    assert row["at_least"] == 300 * 5.0


def test_a_value_without_a_solution_is_not_solved():
    reports = [report(2.0), report(0.01, solved=0, gap=0.9, status="failed")]
    row = summary(Outcome(READY, reports), 2)
    assert (row["seconds"], row["basis"], row["solved"]) == (4.0, "extrapolated", 1)
    assert row["statuses"] == "1 failed, 1 optimal" and row["worst_gap"] == 1e-7
    none = summary(Outcome(READY, reports[1:]), 2)
    assert np.isnan(none["seconds"]) and none["basis"] == "failed"


def test_a_crash_after_some_values_is_told():
    row = summary(Outcome(READY, [report(2.0)], "failed", "ended by SIGSEGV"), 300)
    assert (row["basis"], row["ending"]) == ("extrapolated", "failed")
    assert row["message"] == "ended by SIGSEGV"


def test_a_whole_path_counts_alone():
    row = summary(Outcome(READY, [report(2.0), report(30.0, solved=300)]), 300)
    assert (row["seconds"], row["basis"], row["solved"]) == (30.0, "path", 300)


def test_a_gap_that_is_not_a_number_is_the_worst():
    row = summary(Outcome(READY, [report(1.0), report(1.0, gap=np.nan)]), 2)
    assert row["worst_gap"] == np.inf


def test_nothing_solved_tells_why():
    late = Outcome(READY, [], "time", seconds=20.0, unfinished=20.0)
    row = summary(late, 300)
    assert np.isnan(row["seconds"]) and (row["basis"], row["at_least"]) == ("time", 300 * 20.0)
    whole = Outcome(READY | {"one_by_one": False}, [], "time", seconds=20.0)
    assert summary(whole, 300)["at_least"] == 20.0
    unready = summary(Outcome(None, [], "time", seconds=20.0), 300)
    assert (unready["basis"], unready["at_least"], unready["setup_seconds"]) == ("setup", 20, 20)
    row = summary(Outcome(None, [], "memory", "too much", peak_mb=7.0), 300)
    assert (row["basis"], row["message"], row["peak_mb"]) == ("memory", "too much", 7.0)
    assert np.isnan(row["at_least"])


@pytest.fixture(scope="module")
def problem():
    data = make_synthetic("contradicting", d=20, n=20, seed=0)
    return data.X, data.y, ledoit_wolf(data.X, data.y)


@pytest.mark.parametrize("solver", ["exact", "admm", "ecos", "scs", "clarabel"])
def test_every_solver_can_be_timed(problem, solver):
    row = path_time(*problem, nu_grid(20, 3, 5.0), solver, **LIMITS)
    assert (row["basis"], row["solved"]) == ("path", 3)
    assert 0 < row["seconds"] < 60
    assert 0 <= row["worst_gap"] < (0.1 if solver == "admm" else 1e-4)
    assert row["peak_mb"] > 50 and row["message"] == "" and row["setup_seconds"] > 0
    edges = graph_of(problem[2]).n_edges
    assert row["size"] == ("" if solver in ("exact", "admm") else f"{edges} + 80 cones")


def test_an_unknown_solver_fails_with_its_name(problem):
    row = path_time(*problem, nu_grid(20, 3, 5.0), "magic", **LIMITS)
    assert row["basis"] == "failed" and "'magic'" in row["message"]


def test_more_time_buys_a_smaller_gap(problem):
    points = accuracy_of(*problem, 1.0, "clarabel", **LIMITS)
    assert points[0]["gap"] > 1e-3 > 1e-7 > points[-1]["gap"]
    (exact,) = accuracy_of(*problem, 1.0, "exact", **LIMITS)
    assert exact["gap"] < 1e-10 and exact["seconds"] > 0
    iterations = accuracy_of(*problem, 1.0, "admm", **LIMITS)
    assert iterations[0]["gap"] > iterations[-1]["gap"]


def test_a_solver_that_is_stopped_says_so_at_its_end(problem):
    points = accuracy_of(*problem, 1.0, "scs", seconds=0.001, setup_seconds=300)
    assert points[-1]["status"].startswith("stopped") and np.isnan(points[-1]["gap"])


def test_the_machine_is_described():
    text = describe_machine()
    assert "cores" in text and "GB" in text and "clarabel" in text
