"""Tables: long frames beside the published numbers, and the same as Markdown and LaTeX."""

from ccc.tables.layout import SMALL_PRINT, latex_table, markdown_table, to_csv, write_table
from ccc.tables.paper import COLUMNS, KEY, compare, footnote, to_latex, to_markdown
from ccc.tables.selected import distances, measurements, side_by_side, summarise
from ccc.tables.time import time_spent

__all__ = [
    "COLUMNS",
    "KEY",
    "SMALL_PRINT",
    "compare",
    "distances",
    "footnote",
    "latex_table",
    "markdown_table",
    "measurements",
    "side_by_side",
    "summarise",
    "time_spent",
    "to_csv",
    "to_latex",
    "to_markdown",
    "write_table",
]
