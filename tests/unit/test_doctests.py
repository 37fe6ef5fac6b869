"""The examples in the docstrings of the package say what happens."""

import doctest
import importlib
import pkgutil

import pytest

import ccc

MODULES = [module.name for module in pkgutil.walk_packages(ccc.__path__, "ccc.")]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def examples_of(name):
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name))
    return [test for test in found if test.examples]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_say_what_happens(name):
    for test in examples_of(name):
        result = doctest.DocTestRunner().run(test)
        assert result.failed == 0, f"{test.name}: see the captured output"


def test_the_main_functions_have_examples():
    documented = {test.name for name in MODULES if "main" not in name for test in examples_of(name)}
    assert {"ccc.path.solve_path", "ccc.path.solve", "ccc.selection.select.select"} <= documented
    assert len(documented) >= 12
