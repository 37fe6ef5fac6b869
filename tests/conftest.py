"""Shared by all tests: where the repository is, a browser, what hypothesis tries."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from selenium import webdriver

from tests.browser import absent, start

# A change is judged by the same examples as the one before; other examples are for other runs.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds the Snakefile."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A headless browser. Without one a test is skipped or, under CCC_NEEDS_BROWSER, fails."""
    if why := absent():
        (pytest.fail if os.environ.get("CCC_NEEDS_BROWSER") else pytest.skip)(why)
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()
