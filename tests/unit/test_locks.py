"""Lock files of dead runs are removed, those of living ones are not; one run starts at a time."""

import subprocess
import sys
import threading

import pytest

from ccc.locks import RunLocks

HOLD = """
import sys
from ccc.locks import RunLocks
locks = RunLocks(sys.argv[1])
with locks.held() as alone:
    if sys.argv[2] == "started":
        locks.started()
    print(alone, flush=True)
    input()
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".snakemake"


def left_over(folder):
    (folder / "locks").mkdir(parents=True, exist_ok=True)
    path = folder / "locks" / "0.input.lock"
    path.write_text("data.npz\n")
    return path


def other_run(folder, how_far="started", alone=True):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder), how_far],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == f"{alone}\n"
    return process


def test_a_left_over_lock_is_removed(folder):
    path = left_over(folder)
    with RunLocks(folder).held() as alone:
        assert alone and not path.exists()


def test_the_lock_of_a_living_run_stays_until_it_is_killed(folder):
    with other_run(folder) as first:
        path = left_over(folder)
        with RunLocks(folder).held() as alone:
            assert not alone and path.exists()
        first.kill()
    with RunLocks(folder).held() as alone:
        assert alone and not path.exists()


def test_the_last_of_several_runs_keeps_the_locks(folder):
    with other_run(folder) as first:
        with other_run(folder, alone=False) as second:
            path = left_over(folder)
            first.kill()
            first.wait()
            with RunLocks(folder).held() as alone:
                assert not alone and path.exists()
            second.kill()
        with RunLocks(folder).held() as alone:
            assert alone and not path.exists()


def test_a_run_waits_while_another_one_starts(folder, capfd):
    entered = threading.Event()

    def enter():
        with RunLocks(folder).held():
            entered.set()

    with other_run(folder, "starting") as first:
        waiting = threading.Thread(target=enter)
        waiting.start()
        assert not entered.wait(0.3)
        first.kill()
    waiting.join(timeout=60)
    assert entered.is_set()
    assert capfd.readouterr().err == "Waiting for another run here to start\n"


def test_locks_are_given_back(folder):
    for _ in range(2):
        with RunLocks(folder).held() as alone:
            assert alone


@pytest.mark.parametrize("fails", ["mkdir", "flock"])
def test_without_locks_a_run_is_never_alone(folder, monkeypatch, fails):
    path = left_over(folder)

    def refuse(*arguments, **settings):
        raise OSError("no locks available")

    monkeypatch.setattr({"mkdir": "pathlib.Path.mkdir", "flock": "fcntl.flock"}[fails], refuse)
    with RunLocks(folder).held() as alone:
        assert not alone
    assert path.exists()
