"""Shared by all tests: where the repository is."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds the Snakefile."""
    return Path(__file__).resolve().parents[1]
