"""The cluster explorer: a path as one HTML file that needs nothing else."""

from ccc.explorer.page import write_explorer

__all__ = ["write_explorer"]
