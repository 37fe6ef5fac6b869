"""Copies of the repository and the quick run, as for the tests of the workflow."""

import shutil
import signal

import pytest

from tests.faults.disturbed import FEW_TABLES, TABLES, Disturbed
from tests.workflow.conftest import copy_of_repository, quick

__all__ = ["copy_of_repository", "quick"]

LONGEST_MINUTES = 15


@pytest.fixture(autouse=True)
def time_limit():
    """A test that hangs ends, and shows where. What several tests share is not counted."""

    def stop(*_):
        pytest.fail(f"longer than {LONGEST_MINUTES} minutes")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(60 * LONGEST_MINUTES)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def disturbed_in(copy_of_repository):
    """Make a copy in the given folder; runs that are left in it are killed."""
    made = []

    def make(folder, names=TABLES):
        made.append(Disturbed(copy_of_repository(folder), names))
        return made[-1]

    yield make
    for copy in made:
        copy.stop()


@pytest.fixture
def disturbed_often(disturbed_in, tmp_path):
    return disturbed_in(tmp_path / "copy")


@pytest.fixture
def disturbed(disturbed_in, tmp_path):
    return disturbed_in(tmp_path / "copy", FEW_TABLES)


@pytest.fixture
def finished(quick, tmp_path):
    """A copy of the finished quick run, records of Snakemake and all."""
    folder = tmp_path / "copy"
    shutil.copytree(quick.folder, folder)
    copy = Disturbed(type(quick)(folder))
    yield copy
    copy.stop()
