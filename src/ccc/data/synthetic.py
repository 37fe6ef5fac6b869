r"""The synthetic designs of Section 4 and the appendix.

Ten ground-truth clusters of equal size; covariate i of cluster g has one non-zero weight, for
class ``g mod c``; samples of class y are drawn from :math:`N(B_{y,\cdot}, S^*)`. In the
*contradicting* design each block of :math:`S^*` covers two neighbouring clusters, which belong to
different classes; in the *agreeing* design the blocks are the clusters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ccc.storage import Stored
from ccc.validation import check_whole

__all__ = ["DESIGNS", "WEIGHTS", "Dataset", "make_synthetic"]

DESIGNS = ("contradicting", "agreeing")
WEIGHTS = ("paper", "released")
N_CLASSES = 4
N_CLUSTERS = 10
SIMILARITY = 0.9


@dataclass(frozen=True)
class Dataset(Stored):
    """Samples ``X`` (n, d), classes ``y`` (n,), and the truth: labels, S* and B."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    labels: NDArray[np.int64]
    S_true: NDArray[np.float64]
    B_true: NDArray[np.float64]
    name: str


def cluster_weights(kind: str) -> NDArray[np.float64]:
    """Weight of each ground-truth cluster.

    ``"paper"``: 0.5 × cluster id, with ids 1..10, as in the text (id 0 would be an all-zero
    cluster); ``"released"``: 0.5 + 5k/9, k = 0..9, as in the authors' code.
    """
    k = np.arange(N_CLUSTERS, dtype=np.float64)
    return 0.5 * (k + 1) if kind == "paper" else 0.5 + 5 * k / 9


def make_synthetic(
    design: str = "contradicting",
    d: int = 40,
    n: int = 400,
    seed: int | np.random.SeedSequence = 0,
    weights: str = "paper",
) -> Dataset:
    """Draw one data set of the paper's synthetic experiments.

    Parameters
    ----------
    design : {"contradicting", "agreeing"}
    d : int
        Number of covariates, a multiple of 10.
    n : int
        Number of samples, a multiple of 4.
    seed : int or SeedSequence
    weights : {"paper", "released"}
        See :func:`cluster_weights`.

    Examples
    --------
    >>> import ccc
    >>> data = ccc.data.make_synthetic("agreeing", d=40, n=400)
    >>> data.X.shape, len(set(data.y)), len(set(data.labels))
    ((400, 40), 4, 10)
    """
    for name, value, allowed in (("design", design, DESIGNS), ("weights", weights, WEIGHTS)):
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    for name, number, divisor in (("d", d, N_CLUSTERS), ("n", n, N_CLASSES)):
        check_whole(number, name)
        if number < divisor or number % divisor:
            raise ValueError(f"{name} must be a positive multiple of {divisor}, got {number}")
    try:
        rng = np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise ValueError(
            f"seed must be an integer of at least 0 or a SeedSequence, got {seed!r}"
        ) from None
    labels = np.repeat(np.arange(N_CLUSTERS), d // N_CLUSTERS)
    blocks = labels // 2 if design == "contradicting" else labels
    B_true = np.zeros((N_CLASSES, d))
    B_true[labels % N_CLASSES, np.arange(d)] = cluster_weights(weights)[labels]
    S_true = np.where(blocks[:, None] == blocks, SIMILARITY, 0.0)
    np.fill_diagonal(S_true, 1.0)
    y = np.repeat(np.arange(N_CLASSES), n // N_CLASSES)
    # N(0, S*) as a shared factor per block plus noise per covariate: no d x d factorisation.
    shared = rng.standard_normal((n, blocks.max() + 1))[:, blocks]
    own = rng.standard_normal((n, d))
    X = B_true[y] + np.sqrt(SIMILARITY) * shared + np.sqrt(1 - SIMILARITY) * own
    return Dataset(X, y, labels, S_true, B_true, f"{design}_d{d}_n{n}")
