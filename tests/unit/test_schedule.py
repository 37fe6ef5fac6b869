"""Simulated runs of small graphs whose length is known, and bounds that hold for every graph."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccc.schedule import Job, critical_path, simulate

A, B, C, D = Job("a", 1.0), Job("b", 2.0), Job("c", 3.0), Job("d", 4.0)
DIAMOND = [A, replace(B, needs=["a"]), replace(C, needs=["a"]), replace(D, needs=["b", "c"])]

# A busy machine is no failure.
patiently = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def names(jobs):
    return "".join(job.name for job in jobs)


@pytest.mark.parametrize(("cores", "makespan"), [(1, 10.0), (2, 8.0), (88, 8.0)])
def test_a_diamond_takes_its_longer_side(cores, makespan):
    schedule = simulate(DIAMOND, cores)
    assert schedule.makespan == makespan
    assert schedule.utilisation == schedule.held == 10.0 / (cores * makespan)
    assert names(critical_path(DIAMOND)) == "acd"
    assert names(schedule.chain) == ("abcd" if cores == 1 else "acd")


def test_independent_jobs_fill_the_cores():
    schedule = simulate([Job(str(i), 1.0) for i in range(6)], 3)
    assert schedule.makespan == 2.0 and schedule.utilisation == 1.0
    assert sorted(schedule.start.values()) == [0.0] * 3 + [1.0] * 3


def test_what_has_priority_starts_first_and_then_what_reads_most():
    jobs = [Job("a", 1.0), Job("b", 1.0, size=5), Job("c", 1.0, size=9), Job("d", 1.0, priority=1)]
    start = simulate(jobs, 1).start
    assert sorted(start, key=start.__getitem__) == ["d", "c", "b", "a"]


def test_what_is_timed_runs_alone_and_late():
    # However early it is ready: other jobs fit into free cores, and it does not.
    timed = [Job(f"timed{i}", 5.0, cores=88, machine=1, size=99) for i in range(2)]
    others = [Job("a", 2.0), Job("b", 4.0), Job("c", 4.0, needs=["a"])]
    first = [Job("first", 1.0)]
    after_first = [replace(job, needs=[*job.needs, "first"]) for job in (*timed, *others)]
    schedule = simulate(first + after_first, 2)
    # At 1 s both cores are free and the timed job reads most.
    assert schedule.start["timed0"] == 1.0 and schedule.start["timed1"] == 6.0
    assert {schedule.start[name] for name in "ab"} == {11.0} and schedule.makespan == 17.0
    assert schedule.held == (1 + 20 + 10) / 34 and schedule.utilisation == 21 / 34
    last = [replace(job, size=-1) for job in timed]
    schedule = simulate(last + others, 2)
    assert min(schedule.start["timed0"], schedule.start["timed1"]) == 6.0


def test_the_machine_is_held_by_one_job_at_a_time():
    schedule = simulate([Job("a", 1.0, machine=1), Job("b", 1.0, machine=1), Job("c", 2.0)], 3)
    assert schedule.makespan == 2.0 and schedule.start == {"a": 0.0, "c": 0.0, "b": 1.0}


def test_a_job_for_more_cores_than_there_are_gets_all():
    assert simulate([Job("a", 1.0, cores=88), Job("b", 1.0)], 4).makespan == 2.0


def test_an_empty_run_is_over_at_once():
    schedule = simulate([], 8)
    assert schedule.makespan == 0 and schedule.chain == [] and critical_path([]) == []


@pytest.mark.parametrize(
    ("jobs", "cores", "message"),
    [
        ([A], 0, "cores must be at least 1, not 0"),
        ([A, A], 1, "'a' occurs twice"),
        ([replace(A, seconds=float("nan"))], 1, "seconds of 'a' must be finite"),
        ([replace(A, seconds=-1.0)], 1, "not -1.0"),
        ([replace(A, needs=["x"])], 1, "'a' needs 'x', which is not among the jobs"),
        ([replace(A, needs=["b"]), replace(B, needs=["a"])], 1, "needs itself"),
        ([replace(A, machine=2)], 1, "'a' must hold"),
    ],
)
def test_what_is_no_run_is_refused(jobs, cores, message):
    with pytest.raises(ValueError, match=message) as error:
        simulate(jobs, cores)
    assert "\n" not in str(error.value)


@st.composite
def runs(draw, **more):
    """Jobs that need earlier ones."""
    jobs = []
    for i in range(draw(st.integers(1, 14))):
        needs = draw(st.sets(st.integers(0, max(0, i - 1)), max_size=min(i, 3)))
        fields = {name: draw(strategy) for name, strategy in more.items()}
        job = Job(f"j{i}", draw(st.integers(0, 20)), [f"j{k}" for k in needs], **fields)
        jobs.append(job)
    return jobs


ANY = {
    "cores": st.sampled_from([0, 1, 1, 2, 88]),
    "machine": st.integers(0, 1),
    "priority": st.integers(0, 2),
    "size": st.integers(0, 3),
}


@patiently
@given(runs(**ANY), st.integers(1, 10))
def test_no_job_starts_before_what_it_needs_and_no_core_is_held_twice(jobs, cores):
    schedule = simulate(jobs, cores)
    for job in jobs:
        assert all(schedule.end(need) <= schedule.start[job.name] for need in job.needs)
    for moment in set(schedule.start.values()):
        now = [job for job in jobs if schedule.start[job.name] <= moment < schedule.end(job.name)]
        assert sum(min(job.cores, cores) for job in now) <= cores
        assert sum(job.machine for job in now) <= 1


@patiently
@given(runs(**ANY), st.integers(1, 10))
def test_a_run_is_no_shorter_than_its_critical_path_nor_than_its_work(jobs, cores):
    schedule = simulate(jobs, cores)
    longest = sum(job.seconds for job in critical_path(jobs))
    area = sum(job.seconds * min(job.cores, cores) for job in jobs)
    assert schedule.makespan >= max(longest, area / cores)
    assert schedule.held <= 1


@patiently
@given(runs(**ANY), st.integers(1, 10))
def test_the_chain_fills_the_run_without_a_gap(jobs, cores):
    schedule = simulate(jobs, cores)
    chain = schedule.chain
    assert sum(job.seconds for job in chain) == schedule.makespan
    assert schedule.start[chain[0].name] == 0
    for before, job in pairwise(chain):
        assert schedule.end(before.name) == schedule.start[job.name]


@patiently
@given(runs(priority=ANY["priority"], size=ANY["size"]))
def test_one_core_does_one_job_after_the_other(jobs):
    schedule = simulate(jobs, 1)
    assert schedule.makespan == sum(job.seconds for job in jobs)


@patiently
@given(runs(priority=ANY["priority"], size=ANY["size"]), st.integers(1, 10), st.integers(0, 10))
def test_more_cores_do_not_hurt_by_more_than_graham_allows(jobs, cores, more):
    # A core is idle only while some job of the longest path runs (Graham 1966).
    schedule = simulate(jobs, cores)
    longest = sum(job.seconds for job in critical_path(jobs))
    work = sum(job.seconds for job in jobs)
    assert schedule.makespan <= work / cores + (1 - 1 / cores) * longest + 1e-9
    assert simulate(jobs, cores + more).makespan <= 2 * schedule.makespan
    assert simulate(jobs, len(jobs)).makespan == longest
