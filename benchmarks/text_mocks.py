"""The whole ν path of a mock of a text problem: many samples, many covariates, all pairs similar.

Words stand around centres of meaning, their similarity is exp(-|w_i - w_j|^2 / 2) for all pairs,
documents have topics, and a fifth of the words bear on the class. The documents are dense, or
sparse with a given number of different words each; columns are standardised, of sparse ones only in
effect. The path runs in a process of its own, its kernels compiled before the clock starts, and
logs where it stands. Then a row:

    seconds    wall time of the path
    worst_gap  largest relative duality gap on it
    steps      Newton steps
    peak_mb    most memory that the process held (10^6 bytes), interpreter and data included

    python benchmarks/text_mocks.py                             # two classes, as reviews are
    python benchmarks/text_mocks.py --c 20 --d 1500 --threads 2 # twenty, as newsgroups are
    python benchmarks/text_mocks.py --sparse
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from measure import Table, alone, peak_megabytes, show_log, thinned, timed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MEANINGS = 60  # centres around which words stand
DIMENSIONS = 50  # of the space they stand in
TOPIC = 0.4  # weight of a document's topics, against noise
COLUMNS = {
    "c": (2, "d"),
    "d": (4, "d"),
    "n": (5, "d"),
    "layout": (6, "s"),
    "count": (5, "d"),
    "threads": (7, "d"),
    "seconds": (9, ".1f"),
    "worst_gap": (9, ".1e"),
    "steps": (6, "d"),
    "clusters": (8, "s"),
    "peak_mb": (7, ".0f"),
}


class Mock(NamedTuple):
    """Size of a problem: classes, words, documents; different words a document, 0 if dense."""

    c: int
    d: int
    n: int
    words: int
    seed: int


def draw(mock: Mock) -> tuple[Any, NDArray[np.int64], NDArray[np.float64]]:
    """X (:class:`ccc.Standardized`), y and S."""
    import numpy as np

    import ccc
    from ccc.design import as_design

    c, d, n, words, seed = mock
    rng = np.random.default_rng(seed)
    meaning = rng.integers(MEANINGS, size=d)
    vectors = rng.standard_normal((MEANINGS, DIMENSIONS))[meaning]
    vectors += 0.9 * rng.standard_normal((d, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    S = np.exp(np.minimum(vectors @ vectors.T - 1, 0))
    S = 0.5 * (S + S.T)

    topics = rng.standard_normal((n, MEANINGS))
    draw_documents = sparse_documents if words else dense_documents
    X = ccc.Standardized.fit(draw_documents(mock, rng, topics, meaning))

    B = np.zeros((c, d))
    bearing = rng.choice(d, d // 5, replace=False)
    size = 0.5 if c > 2 else 0.25
    B[rng.integers(c, size=len(bearing)), bearing] = size * rng.uniform(-1, 1, len(bearing))
    # The class with the largest noisy logit is distributed by the softmax of the logits.
    y = (as_design(X).dot(B.T) + rng.gumbel(size=(n, c))).argmax(axis=1)
    return X, y, S


def dense_documents(mock: Mock, rng: Any, topics: Any, meaning: Any) -> Any:
    """(n, d) array: what exceeds a threshold of a topic's share plus noise."""
    import numpy as np

    latent = TOPIC * topics[:, meaning]
    latent += 0.9 * rng.standard_normal(latent.shape)
    return np.where(latent > 1.2, latent - 1.0, 0.0)


def sparse_documents(mock: Mock, rng: Any, topics: Any, meaning: Any) -> Any:
    """(n, d) CSR matrix of log counts, ``words`` non-zeros a row, some words rarer than others."""
    import numpy as np
    import scipy.sparse as sp

    popularity = -0.5 * np.log(rng.permutation(mock.d) + 1.0)
    columns = np.empty((mock.n, mock.words), dtype=np.int64)
    for rows in np.array_split(np.arange(mock.n), max(1, mock.n // 1000)):
        # The largest noisy scores are a sample without replacement.
        score = popularity + TOPIC * topics[rows][:, meaning]
        score += rng.gumbel(size=score.shape)
        columns[rows] = np.argpartition(-score, mock.words, axis=1)[:, : mock.words]
    columns.sort(axis=1)
    counts = np.log1p(rng.geometric(0.7, size=columns.size))
    starts = np.arange(mock.n + 1) * mock.words
    return sp.csr_array((counts, columns.ravel(), starts), shape=(mock.n, mock.d))


def run(mock: Mock, count: int) -> dict[str, Any]:
    """The path over ``count`` values of ν, spread over the range of the paper's grid."""
    import ccc

    warm_up = mock._replace(d=40, n=80, words=min(mock.words, 8))
    ccc.solve_path(*draw(warm_up), ccc.nu_grid(warm_up.n)[thinned(30)])
    show_log()
    problem = draw(mock)
    nus = ccc.nu_grid(mock.n)[thinned(count)]
    seconds, path = timed(ccc.solve_path, *problem, nus, progress=True)
    return {
        "seconds": seconds,
        "worst_gap": float(path.gap.max()),
        "steps": int(path.n_iter.sum()),
        "clusters": f"{path.n_clusters.min()}-{path.n_clusters.max()}",
        "peak_mb": peak_megabytes(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--c", type=int, default=2, help="classes (default 2)")
    add("--d", type=int, default=2600, help="covariates, that is, words (default 2600)")
    add("--n", type=int, default=10_000, help="samples, that is, documents (default 10000)")
    add("--sparse", action="store_true", help="X as a sparse matrix")
    add("--words", type=int, default=50, help="non-zeros of a row if sparse (default 50)")
    add("--count", type=int, default=300, help="values of ν, out of the paper's 300 (default all)")
    add("--threads", type=int, default=1, help="BLAS threads (default 1)")
    add("--seed", type=int, default=0, help="seed of the data (default 0)")
    add("--csv", type=Path, metavar="FILE", help="write the rows there, too")
    add(
        "--small", action="store_true", help="c = 2 and 4, d = 120, n = 400, 60 ν, dense and sparse"
    )
    options = parser.parse_args()
    problems = [(options.c, options.d, options.n, options.sparse)]
    if options.small:
        problems = [(c, 120, 400, sparse) for c in (2, 4) for sparse in (False, True)]
        options.count, options.words = 60, 20
    table = Table(COLUMNS, options.csv)
    for c, d, n, sparse in problems:
        mock = Mock(c, d, n, options.words if sparse else 0, options.seed)
        result = alone(run, mock, options.count, threads=options.threads)
        layout = "sparse" if sparse else "dense"
        settings = {"layout": layout, "count": options.count, "threads": options.threads}
        table.add(c=c, d=d, n=n, **settings, **result)


if __name__ == "__main__":
    main()
