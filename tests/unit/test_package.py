"""What ``import ccc`` gives, and what it does not cost."""

import subprocess
import sys

import pytest

import ccc


@pytest.mark.parametrize("name", ccc.__all__)
def test_every_public_name_is_there(name):
    assert getattr(ccc, name) is not None
    assert name in dir(ccc)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="module 'ccc' has no attribute 'solv'"):
        ccc.solv  # noqa: B018


def test_functions_are_themselves_even_after_their_modules_were_imported():
    import ccc.path
    import ccc.similarity

    assert ccc.solve is ccc.path.solve
    assert ccc.nu_grid(4, count=1) == [4.0]


def test_importing_the_package_loads_nothing_else():
    code = "import sys, ccc; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numba", "sklearn", "scipy", "numpy", "matplotlib"} & set(loaded.stdout.split())


def test_the_workflow_reads_its_configuration_without_waiting_for_solvers():
    code = "import sys, ccc.config, ccc.sources; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numba", "sklearn", "scipy", "cvxpy"} & set(loaded.stdout.split())
