"""ANMI: the published normaliser, and what it must satisfy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.metrics import anmi


@pytest.mark.parametrize("d, published", [(40, 0.60), (200, 0.69), (1000, 0.70)])
def test_five_blocks_score_what_the_paper_prints(d, published):
    truth = np.repeat(np.arange(10), d // 10)
    assert round(anmi(truth, truth // 2), 2) == published


def test_arithmetic_is_an_option():
    truth = np.repeat(np.arange(10), 100)
    assert anmi(truth, truth // 2, average="arithmetic") == pytest.approx(0.82, abs=0.01)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=30), st.permutations(range(5)))
def test_equal_partitions_score_one_under_any_names(labels, names):
    assert anmi(labels, [names[label] for label in labels]) == pytest.approx(1.0)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_is_symmetric_and_at_most_one(pairs):
    a, b = zip(*pairs, strict=True)
    assert anmi(a, b) == pytest.approx(anmi(b, a), abs=1e-9)
    assert anmi(a, b) <= 1 + 1e-9


@pytest.mark.parametrize(
    "arguments, message",
    [
        (([0, 1], [0, 1], "median"), "average.*'max'.*'median'"),
        (([0, 1], [0, 1, 2]), r"labels.*\(2,\).*\(3,\)"),
        (([], []), "labels_true.*non-empty"),
        (([[0, 1]], [[0, 1]]), r"labels_true.*\(1, 2\)"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        anmi(*arguments)
