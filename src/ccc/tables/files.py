"""The four files of a table: long CSV, Markdown, LaTeX, and an HTML page with all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ccc.pages import page
from ccc.storage import new_file
from ccc.tables.layout import latex_table, markdown_table, to_csv

__all__ = ["write_files", "write_table"]


def write_table(
    output: Any,
    frame: pd.DataFrame,
    shapes: Mapping[str, Sequence[pd.DataFrame]],
    caption: str,
    footnote: str,
    label: str,
) -> None:
    """Lay out a table and write its files.

    Parameters
    ----------
    output : object with ``csv``, ``markdown``, ``latex``, ``html``
        The files' names.
    frame : DataFrame
        The long table.
    shapes : mapping
        ``"markdown"`` and ``"latex"`` to frames of text, one below the other.
    caption, footnote : str
        Plain text above and below.
    label : str
        The table's name.
    """
    markdown = markdown_table(shapes["markdown"], caption, footnote)
    latex = latex_table(shapes["latex"], caption, footnote, label)
    write_files(output, frame, markdown, latex, label)


def write_files(output: Any, frame: pd.DataFrame, markdown: str, latex: str, label: str) -> None:
    """Write a table that is laid out; the parameters are those of :func:`write_table`."""
    texts = {
        output.csv: to_csv(frame),
        output.markdown: markdown,
        output.latex: latex,
        output.html: page(label, markdown, frame),
    }
    for name, text in texts.items():
        with new_file(name) as file:
            file.write_text(text, encoding="utf-8")
