"""Print what a run has made: its tables, where the files are, how long it took."""

from __future__ import annotations

import argparse
from pathlib import Path


def summary(folder: Path, seconds: int) -> str:
    """The tables of ``folder``, its files, and the time."""
    tables = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("tables/*.md"))]
    kinds = ("tables", "figures", "explorer")
    files = sorted(file for kind in kinds for file in folder.glob(f"{kind}/*"))
    report = folder / "report.html"
    return "\n".join(
        [
            *("", *tables, "Files"),
            *(f"  {file}" for file in [*files, report] if file.exists()),
            *("", f"Done in {seconds // 60} min {seconds % 60:02d} s."),
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=int, required=True)
    arguments = parser.parse_args()
    print(summary(arguments.folder, arguments.seconds))
