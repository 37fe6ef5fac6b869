"""Tables: long frames beside the published numbers, and the same as Markdown, LaTeX and HTML."""

from ccc.tables.covariates import covariates_frame, covariates_shape, left_out
from ccc.tables.draws import draws_frame, draws_shape
from ccc.tables.files import write_files, write_table
from ccc.tables.layout import MISSING, SMALL_PRINT, escape, latex_table, markdown_table, to_csv
from ccc.tables.paper import COLUMNS, KEY, compare, footnote, to_latex, to_markdown
from ccc.tables.real import (
    ABOUT,
    CORPUS_NAMES,
    WORD_METHOD_NAMES,
    at_clusters_frame,
    at_clusters_shapes,
    selected_frame,
    selected_shapes,
)
from ccc.tables.runtime import SOLVER_NAMES, runtime_frame, runtime_shapes
from ccc.tables.scale import chain_frame, chain_shapes, scale_frame, scale_shapes
from ccc.tables.selected import distances, measurements, side_by_side, summarise
from ccc.tables.settled import settled_frame, settled_shapes
from ccc.tables.time import time_spent
from ccc.tables.trust import trust_frame, trust_shape

__all__ = [
    "ABOUT",
    "COLUMNS",
    "CORPUS_NAMES",
    "KEY",
    "MISSING",
    "SMALL_PRINT",
    "SOLVER_NAMES",
    "WORD_METHOD_NAMES",
    "at_clusters_frame",
    "at_clusters_shapes",
    "chain_frame",
    "chain_shapes",
    "compare",
    "covariates_frame",
    "covariates_shape",
    "distances",
    "draws_frame",
    "draws_shape",
    "escape",
    "footnote",
    "latex_table",
    "left_out",
    "markdown_table",
    "measurements",
    "runtime_frame",
    "runtime_shapes",
    "scale_frame",
    "scale_shapes",
    "selected_frame",
    "selected_shapes",
    "settled_frame",
    "settled_shapes",
    "side_by_side",
    "summarise",
    "time_spent",
    "to_csv",
    "to_latex",
    "to_markdown",
    "trust_frame",
    "trust_shape",
    "write_files",
    "write_table",
]
