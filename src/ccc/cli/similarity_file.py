"""A similarity matrix of the user, from a file."""

from __future__ import annotations

import zipfile
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from ccc.cli.tables import read_header, read_table
from ccc.estimator.similarity import SIMILARITIES
from ccc.validation import check_similarity

__all__ = ["named_or_read"]


def named_or_read(similarity: str, covariates: list[str]) -> Any:
    """The name itself, or the matrix in the file of that name, in the order of ``covariates``."""
    if similarity in SIMILARITIES:
        return similarity
    lower = similarity.lower()
    if not lower.endswith((".npz", ".csv")):
        raise ValueError(
            f"--similarity {similarity!r} is neither {', '.join(SIMILARITIES)} nor a .npz or .csv "
            "file"
        )
    S = _read_npz(similarity) if lower.endswith(".npz") else _read_csv(similarity)
    d = len(covariates)
    if isinstance(S, pd.DataFrame):
        missing = [name for name in covariates if name not in S.index]
        if missing:
            raise ValueError(f"{similarity}: no row for the covariate {missing[0]!r}")
        S = S.loc[covariates, covariates].to_numpy()
    if S.shape != (d, d):
        raise ValueError(
            f"{similarity}: the matrix has shape {S.shape}, the table has {d} covariates"
        )
    return check_similarity(S, d, similarity)


def _read_csv(path: str) -> pd.DataFrame:
    """A square table with the names of the covariates in the first row and column."""
    names = read_header(path)
    corner, columns = names[0], names[1:]
    table = read_table(path, names, names, [corner], None)
    rows = table.text(corner).tolist()
    if rows != columns:
        raise ValueError(f"{path}: the first column must hold the names of the others, in order")
    return pd.DataFrame(table.numbers(columns), rows, columns)


def _read_npz(path: str) -> Any:
    """An array ``S``, with ``names`` a frame; or a sparse matrix as scipy stores it."""
    try:
        stored = np.load(path, allow_pickle=False)
        if isinstance(stored, np.ndarray):
            raise ValueError("it holds one array, as a .npy file does")
        with stored as archive:
            found = archive.files
            if "format" in found and "indptr" in found:
                return sp.csr_array(sp.load_npz(path))
            arrays = {name: archive[name] for name in ("S", "names") if name in found}
    except (zipfile.BadZipFile, EOFError, KeyError, ValueError) as error:
        raise ValueError(f"{path}: not a complete .npz file: {error}") from None
    if "S" not in arrays:
        raise ValueError(f"{path}: no array named S, only {', '.join(found) or 'nothing'}")
    S = arrays["S"]
    if "names" not in arrays:
        return S
    names = [str(name) for name in arrays["names"].ravel()]
    if S.ndim != 2 or S.shape[0] != S.shape[1]:
        raise ValueError(f"{path}: S must be square, got shape {S.shape}")
    if len(names) != len(S) or len(set(names)) != len(names):
        raise ValueError(f"{path}: names must be {len(S)} different names, one for each row of S")
    return pd.DataFrame(S, names, names)
