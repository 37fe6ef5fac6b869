"""Which files of this package a script depends on, read from their import statements.

Snakemake does not see changes inside an installed package, so the rules of the workflow name the
files of ``ccc`` that their script uses as inputs. Those are found here and not listed by hand: a
list would fall behind the code.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["package_files"]

ROOT = Path(__file__).parent

# These run the workflow or describe it; no number depends on them.
NO_RESULT_DEPENDS_ON = frozenset({"ccc.job", "ccc.config", "ccc.sources"})


def package_files(script: str | os.PathLike[str]) -> list[str]:
    """Files of ``ccc`` that ``script`` reaches through its imports, sorted.

    Only the names that are imported count: ``from ccc import solve_path`` leads to the module that
    defines ``solve_path`` and to what that module imports, not to all that ``ccc`` re-exports.
    Imports inside functions count as well, and so do the files in folders named ``template`` beside
    a module. Paths are relative to the current folder.

    Raises
    ------
    ValueError
        For ``import ccc``, ``from ccc import *`` and relative imports, which do not say what
        is used.
    """
    reached: set[str] = set()
    waiting = [*_imports(Path(script))]
    while waiting:
        module = _defining_module(*waiting.pop())
        if module not in reached and module not in NO_RESULT_DEPENDS_ON:
            reached.add(module)
            waiting += _imports(_file_of(module))
    files = {_file_of(module) for module in reached}
    templates = {file for folder in {f.parent for f in files} for file in folder.glob("template/*")}
    return sorted(map(os.path.relpath, files | templates))


@cache
def _file_of(module: str) -> Path:
    """The file of a module of this package; a package is its ``__init__.py``."""
    base = ROOT.joinpath(*module.split(".")[1:])
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


@cache
def _is_module(name: str) -> bool:
    return _file_of(name).is_file()


@cache
def _imports(file: Path) -> tuple[tuple[str, str], ...]:
    """Pairs (module, name) that ``file`` imports from this package."""
    return tuple(_import_statements(ast.parse(file.read_text(encoding="utf-8")), file))


def _import_statements(tree: ast.Module, file: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            unclear = [alias.name for alias in node.names if _is_ours(alias.name)]
        elif isinstance(node, ast.ImportFrom) and node.level:
            unclear = ["." * node.level + (node.module or "")]
        elif isinstance(node, ast.ImportFrom) and _is_ours(node.module or ""):
            unclear = [f"{node.module}.*" for alias in node.names if alias.name == "*"]
            yield from ((str(node.module), alias.name) for alias in node.names)
        else:
            continue
        if unclear:
            raise ValueError(
                f"{file}, line {node.lineno}: write 'from ccc.<module> import <name>' and not "
                f"{unclear[0]!r}, so that the workflow knows what is used"
            )


def _is_ours(module: str) -> bool:
    return module.split(".")[0] == "ccc"


@cache
def _defining_module(module: str, name: str) -> str:
    """Where ``from module import name`` leads: past re-exports, to the code itself."""
    if _is_module(f"{module}.{name}"):
        return f"{module}.{name}"
    if _file_of(module).name == "__init__.py":
        exported = _reexports(_file_of(module))
        if name in exported:
            return _defining_module(exported[name], name)
    return module


@cache
def _reexports(init: Path) -> dict[str, str]:
    """Name to module, for what an ``__init__.py`` merely passes on."""
    return {name: module for module, name in _imports(init) if not _is_module(f"{module}.{name}")}
