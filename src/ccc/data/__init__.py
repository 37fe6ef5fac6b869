"""Data sets: the paper's synthetic designs, and corpora from archives to features of words."""

from ccc.data.synthetic import Dataset, make_synthetic

__all__ = ["Dataset", "make_synthetic"]
