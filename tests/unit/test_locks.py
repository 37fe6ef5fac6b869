"""Lock files of dead runs are removed, those of living ones are not."""

import subprocess
import sys

from ccc import locks

HOLD = """
import sys
from ccc.locks import drop_stale_locks
print(drop_stale_locks(sys.argv[1]), flush=True)
input()
"""


def left_over(folder):
    (folder / "locks").mkdir(parents=True, exist_ok=True)
    path = folder / "locks" / "0.input.lock"
    path.write_text("data.npz\n")
    return path


def holder(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "True\n"
    return process


def test_a_left_over_lock_is_removed(tmp_path):
    path = left_over(tmp_path / ".snakemake")
    assert locks.drop_stale_locks(tmp_path / ".snakemake")
    assert not path.exists()


def test_the_lock_of_a_living_run_stays_until_it_is_killed(tmp_path):
    folder = tmp_path / ".snakemake"
    with holder(folder) as first:
        path = left_over(folder)
        assert not locks.drop_stale_locks(folder)
        assert path.exists()
        first.kill()
    assert locks.drop_stale_locks(folder)
    assert not path.exists()


def test_a_run_that_looks_twice_keeps_its_own_locks(tmp_path):
    assert locks.drop_stale_locks(tmp_path)
    path = left_over(tmp_path)
    assert locks.drop_stale_locks(tmp_path)
    assert path.exists()


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path):
    (tmp_path / "file").touch()
    assert not locks.drop_stale_locks(tmp_path / "file" / "below")


def test_a_run_that_starts_beside_a_look_has_the_lock_once_that_ends(tmp_path):
    folder = tmp_path / ".snakemake"
    with holder(folder) as look:
        path = left_over(folder)
        assert not locks.drop_stale_locks(folder)
        look.stdin.close()
        assert locks.hold_lock(folder)
    assert path.exists()
    assert locks.drop_stale_locks(folder)
    assert path.exists(), "the lock of this very run"
