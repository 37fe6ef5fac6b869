"""A copy of the repository that tests may run, edit and break."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

COPIED = [".gitignore", "Snakefile", "Makefile", "pyproject.toml", "requirements.lock"]
COPIED_FOLDERS = ["config", "envs", "profiles", "src", "workflow"]


@dataclass(frozen=True)
class Project:
    """A copy of the repository, with results of its own."""

    folder: Path

    def snakemake(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Snakemake in the copy, on the package of the copy."""
        return self.command(sys.executable, "-m", "snakemake", *arguments)

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the copy and keep what it says."""
        # A make that runs these tests must not reach into one that they start.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
        environment["PYTHONPATH"] = str(self.folder / "src")
        return subprocess.run(
            arguments, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )

    def planned(self, *arguments: str) -> dict[str, int]:
        """Number of jobs per rule that a run would make now."""
        run = self.snakemake("--dry-run", "--cores", "2", *arguments)
        assert run.returncode == 0, run.stdout + run.stderr
        if "Nothing to be done" in run.stdout + run.stderr:
            return {}
        stats = re.search(r"Job stats:\n.*\n[- ]+\n((?:\w+ +\d+\n)+)", run.stdout + run.stderr)
        assert stats, run.stdout + run.stderr
        rows = (line.split() for line in stats.group(1).splitlines())
        return {rule: int(count) for rule, count in rows if rule != "total"}


@pytest.fixture(scope="session")
def copy_of_repository(repository: Path) -> Callable[[Path], Project]:
    """Make a copy in the given folder, without results."""

    def copy(folder: Path) -> Project:
        folder.mkdir(exist_ok=True)
        for name in COPIED:
            shutil.copy2(repository / name, folder / name)
        for name in COPIED_FOLDERS:
            # Compiled kernels come along (times are kept), so that no test compiles them anew.
            shutil.copytree(repository / name, folder / name)
        return Project(folder)

    return copy


@pytest.fixture
def project(copy_of_repository: Callable[[Path], Project], tmp_path: Path) -> Project:
    """A copy without results."""
    return copy_of_repository(tmp_path / "copy")


@pytest.fixture(scope="session")
def quick(
    copy_of_repository: Callable[[Path], Project], tmp_path_factory: pytest.TempPathFactory
) -> Project:
    """A copy in which the quick run has been made. Tests leave its files as they found them.

    The run is made once. Where tests run in several processes, each has a copy of its own; the
    folder CCC_TEST_RUNS, if that is set, keeps it for calls of pytest that follow.
    """
    base = tmp_path_factory.getbasetemp()
    workers = os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1") != "1"
    kept = os.environ.get("CCC_TEST_RUNS") or (base.parent if workers else base)
    shared = Path(kept, "quick")
    with (shared.with_suffix(".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not shared.exists():
            project = copy_of_repository(shared.with_name(f"quick_made_by_{os.getpid()}"))
            run = project.snakemake("--cores", "2", "--configfile", "config/quick.yaml")
            assert run.returncode == 0, run.stdout + run.stderr
            project.folder.rename(shared)
    if not workers:
        return Project(shared)
    own = base / "quick"
    # Tests in another folder have this fixture anew.
    if not own.exists():
        shutil.copytree(shared, own)
    return Project(own)
