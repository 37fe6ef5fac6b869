r"""Which covariates to keep: the set with the highest evidence (the paper's appendix).

The evidence of a set of covariates is that of :mod:`ccc.selection.laplace` with every one of them a
cluster of its own, and all others left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ccc.magnitude import LARGEST
from ccc.progress import Progress
from ccc.selection.clusterings import distinct_rows
from ccc.selection.coordinates import Floats
from ccc.selection.laplace import evidence
from ccc.selection.map import fit_map
from ccc.validation import check_design, check_labels, check_sigma

__all__ = ["score_supports"]


def score_supports(
    X: Any, y: Any, supports: Any, sigma: float, progress: bool = False
) -> pd.DataFrame:
    r"""Evidence of sets of covariates.

    Parameters
    ----------
    X, y : as in :func:`ccc.log_marginal_likelihood`
    supports : (k, d) array of bool
        Sets that occur several times are evaluated once. Neighbours should be alike: each fit
        starts from the one before.
    sigma : float
        Standard deviation of the prior.
    progress : bool
        Show a bar on a terminal.

    Returns
    -------
    DataFrame
        A row per set: n_covariates, log_marginal_likelihood, gap (nats, of the MAP).
    """
    design = check_design(X, largest=LARGEST)
    classes, codes = check_labels(y, design.shape[0])
    sigma = check_sigma(sigma)
    sets = np.asarray(supports)
    if sets.dtype != bool or sets.ndim != 2 or sets.shape[1] != design.shape[1]:
        raise ValueError(
            f"supports must be a boolean array with {design.shape[1]} columns, got "
            f"{sets.dtype} of shape {sets.shape}"
        )
    distinct, position = distinct_rows(sets.astype(np.int64))
    values, gaps = np.empty((2, len(distinct)))
    B: Floats = np.zeros((len(classes), design.shape[1]))
    b0: Floats | None = None
    with Progress(len(distinct), progress, symbol="sets", counted="covariates") as bar:
        for i, row in enumerate(distinct.astype(bool)):
            if not row.any():
                values[i], gaps[i] = _no_covariates(codes), 0.0
            else:
                part = design.columns(np.flatnonzero(row))
                start = None if b0 is None else (B[:, row], b0)
                fit = fit_map(part, codes, len(classes), sigma, start)
                values[i], gaps[i] = evidence(part, fit, sigma), fit.gap
                B[:, row], b0 = fit.B, fit.b0
            bar.step(i + 1, int(row.sum()), float(gaps[i]))
    columns = {"n_covariates": sets.sum(axis=1)}
    columns |= {"log_marginal_likelihood": values[position], "gap": gaps[position]}
    return pd.DataFrame(columns)


def _no_covariates(y: NDArray[np.int64]) -> float:
    """The likelihood of intercepts alone, at the class frequencies."""
    counts = np.bincount(y)
    return float(counts @ np.log(counts / counts.sum()))
