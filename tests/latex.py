"""Whether tables in LaTeX are well formed and, where there is an engine, whether they compile."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ENGINE = shutil.which("pdflatex")
DOCUMENT = r"""\documentclass{article}
\usepackage[a3paper,margin=1cm]{geometry}
\usepackage[T1]{fontenc}
\usepackage{array,booktabs,multirow}
\begin{document}
%s
\end{document}
"""


def check_structure(file: Path) -> None:
    """Environments, braces and formulas are closed, and every row is as wide as its table."""
    text = file.read_text(encoding="utf-8")
    begun, ended = (re.findall(rf"\\{word}{{(\w+)}}", text) for word in ("begin", "end"))
    assert begun[0] == ended[-1] == "table" and sorted(begun) == sorted(ended), file
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}"), file
    assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0, file
    for block in re.split(r"\\begin{tabular}", text)[1:]:
        rows = re.findall(r"^(.*) \\\\$", block, re.MULTILINE)
        widths = {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows if "multicol" not in row}
        assert widths <= {len(columns(block))}, file


def columns(block: str) -> str:
    """The letters of the columns of a tabular, from what stands behind its ``\\begin{tabular}``."""
    given = re.match(r"{((?:[^{}]|{[^{}]*})*)}", block)
    assert given, block[:80]
    return re.sub(r">?{[^{}]*}", "", given[1])


def check_compiles(files: Sequence[Path], folder: Path) -> None:
    """All of them in one document."""
    body = "\n".join(f"{file.read_text(encoding='utf-8')}\n\\clearpage" for file in files)
    (folder / "tables.tex").write_text(DOCUMENT % body, encoding="utf-8")
    run = subprocess.run(
        [str(ENGINE), "-interaction=nonstopmode", "-halt-on-error", "tables.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
    )
    assert run.returncode == 0, run.stdout[-2000:]
    assert (folder / "tables.pdf").read_bytes().startswith(b"%PDF")
