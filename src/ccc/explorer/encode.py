r"""Clusterings and odds ratios of a whole path in few bytes.

All numbers are variable-length integers, seven bits to a byte, the lowest first, and then base64.

A cluster is called by its smallest covariate, its *leader*, so that a name does not change when
others merge. For each clustering come the covariates whose leader changed since the one before
(at first every covariate leads itself): how many, then for each the distance from the last one and
its leader.

An odds ratio is rounded to three digits, :math:`m \cdot 10^{e - 2}` with 100 ≤ m ≤ 999, and is the
number q = 900 e + m - 100. For each level and cluster, in the order of leaders, comes 2 z + s:
z is the difference of q from what its leader had on the level before (0 at first), with its sign in
the lowest bit; s says whether the class is another, which then follows.
"""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray

from ccc.odds import ClassOdds

__all__ = ["encode_labels", "encode_odds", "leaders", "odds_codes", "varints"]

Integers = NDArray[np.int64]
LARGEST = 1e300


def varints(values: Integers) -> bytes:
    """Non-negative integers, seven bits to a byte, the highest bit set but in the last byte."""
    values = np.asarray(values, dtype=np.int64)
    groups = np.maximum(1, -(-np.frexp(values.astype(np.float64))[1] // 7))
    starts = np.cumsum(groups) - groups
    out = np.empty(int(groups.sum()), dtype=np.uint8)
    for group in range(int(groups.max(initial=0))):
        has = groups > group
        more = (groups[has] > group + 1) * 128
        out[starts[has] + group] = (values[has] >> 7 * group & 127) + more
    return out.tobytes()


def leaders(labels: Integers) -> Integers:
    """(d,) the smallest covariate in the cluster of each."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return first[inverse]


def encode_labels(labels: Integers) -> str:
    """Clusterings (K, d) as text."""
    before = np.arange(labels.shape[1])
    parts = []
    for row in labels:
        now = leaders(row)
        changed = np.flatnonzero(now != before)
        pairs = np.stack([np.diff(changed, prepend=0), now[changed]], axis=1)
        parts.append(varints(np.concatenate([[len(changed)], pairs.ravel()])))
        before = now
    return base64.b64encode(b"".join(parts)).decode("ascii")


def odds_codes(odds: NDArray[np.float64]) -> Integers:
    """The numbers q of odds ratios of at least 1."""
    odds = np.clip(odds, 1.0, LARGEST)
    exponent = np.floor(np.log10(odds))
    digits = np.rint(odds / 10.0 ** (exponent - 2))
    # A logarithm may miss a power of ten by rounding, as may the rounding to three digits.
    exponent, digits = (
        np.where(digits < 100, exponent - 1, exponent),
        np.where(digits < 100, np.rint(odds / 10.0 ** (exponent - 3)), digits),
    )
    carried = digits > 999
    exponent, digits = exponent + carried, np.where(carried, 100, digits)
    return (900 * exponent + digits - 100).astype(np.int64)


def encode_odds(labels: Integers, odds: ClassOdds) -> str:
    """Odds and classes on the level of single covariates and of each clustering (K, d)."""
    d = labels.shape[1]
    codes = odds_codes(np.exp(np.minimum(odds.log_odds, np.log(LARGEST))))
    code, leading = np.zeros(d, dtype=np.int64), np.zeros(d, dtype=np.int64)
    parts = []
    for k, row in enumerate([np.arange(d), *labels]):
        first = np.unique(leaders(row))
        step = codes[k, first] - code[first]
        other = odds.leading[k, first] != leading[first]
        tokens = 2 * np.where(step < 0, -2 * step - 1, 2 * step) + other
        values = np.empty(len(first) + int(other.sum()), dtype=np.int64)
        place = np.arange(len(first)) + np.cumsum(other) - other
        values[place] = tokens
        values[place[other] + 1] = odds.leading[k, first[other]]
        parts.append(varints(values))
        code, leading = codes[k], odds.leading[k]
    return base64.b64encode(b"".join(parts)).decode("ascii")
