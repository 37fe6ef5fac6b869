"""Which files a script depends on is read from its imports."""

import pytest

from ccc.sources import package_files


@pytest.fixture
def files_of(tmp_path, repository, monkeypatch):
    monkeypatch.chdir(repository)

    def files_of(text):
        script = tmp_path / "script.py"
        script.write_text(text)
        return {file.removeprefix("src/ccc/") for file in package_files(script)}

    return files_of


def test_imports_are_followed_through_the_package(files_of):
    files = files_of("from ccc.path import solve_path")
    assert {"path.py", "problem.py", "duality.py", "solvers/admm.py", "results.py"} <= files


def test_a_name_leads_to_its_module_and_not_to_all_that_is_reexported(files_of):
    assert files_of("from ccc import Path") == files_of("from ccc.results import Path")
    assert "solvers/admm.py" not in files_of("from ccc import Path")


def test_a_subpackage_with_code_of_its_own_counts(files_of):
    assert "solvers/__init__.py" in files_of("from ccc.path import solve_path")


def test_imports_inside_functions_count(files_of):
    assert "metrics.py" in files_of("def f():\n    from ccc.metrics import anmi\n    return anmi")


def test_the_template_of_a_page_counts(files_of):
    files = files_of("from ccc.explorer import write_explorer")
    assert {"explorer/page.py", "explorer/template/page.html", "explorer/template/main.js"} <= files


def test_what_only_runs_the_job_does_not_count(files_of):
    assert files_of("from ccc.job import run") == set()


@pytest.mark.parametrize(
    "statement", ["import ccc", "import ccc.path", "from ccc import *", "from . import path"]
)
def test_an_import_that_hides_what_is_used_is_an_error(files_of, statement):
    with pytest.raises(ValueError, match=r"script\.py, line 2: write 'from ccc"):
        files_of(f"import os\n{statement}")
