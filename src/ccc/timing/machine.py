"""On what a time was measured."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

__all__ = ["describe_machine"]

LIBRARIES = ("numpy", "scipy", "numba", "cvxpy", "ecos", "scs", "clarabel")


def describe_machine() -> str:
    """Processor, cores, memory, system and versions, as one sentence."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    versions = [f"{name} {version}" for name in LIBRARIES if (version := _version(name))]
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}, "
        f"Python {platform.python_version()}, {', '.join(versions)}"
    )


def _version(library: str) -> str:
    """Of an installed library; empty for one that is not."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    """The processor's name where the system tells it, else its kind."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
