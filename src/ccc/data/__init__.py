"""Data sets: the paper's synthetic designs."""

from ccc.data.synthetic import Dataset, make_synthetic

__all__ = ["Dataset", "make_synthetic"]
