"""Figures show what they are given, and are the same file every time."""

import numpy as np
import pandas as pd
import pytest

from ccc.data import make_synthetic
from ccc.plots import design_figure, evidence_figure, path_figure, save_figure


@pytest.fixture
def data():
    return make_synthetic("contradicting", d=40, n=40, seed=0)


@pytest.fixture
def scores():
    nu = 40 * 2.0 ** -np.arange(5)
    frame = pd.DataFrame({"nu": nu, "anmi": 0.5, "n_clusters": [1, 5, 10, 20, 40]})
    return pd.concat(frame.assign(n=40, repetition=r, selected=np.arange(5) == 2) for r in range(3))


def test_design_figure_shows_the_first_covariates(data):
    figure = design_figure(data.labels, data.B_true.argmax(axis=0), data.S_true, count=20)
    numbers = [text.get_text() for text in figure.axes[0].texts]
    clusters, classes = numbers[:20], numbers[20:]
    assert clusters == [str(k) for k in (1, 2, 3, 4, 5) for _ in range(4)]
    assert classes == [str(k) for k in (1, 2, 3, 4, 1) for _ in range(4)]


def test_design_figure_has_a_bar_per_block_of_similar_covariates(data):
    figure = design_figure(data.labels, data.B_true.argmax(axis=0), data.S_true, count=20)
    bars = [patch for patch in figure.axes[0].patches if patch.get_y() < 0]
    assert [round(bar.get_width(), 1) for bar in bars] == [7.9, 7.9, 3.9]


def test_path_figure_marks_one_point_per_repetition(scores):
    figure = path_figure(scores, n_true=10, title="quick run")
    for axes in figure.axes:
        assert len(axes.collections) == 3
        assert all(len(dots.get_offsets()) == 1 for dots in axes.collections)
    assert figure.get_suptitle() == "quick run"


def test_agreeing_design_has_a_bar_per_cluster():
    data = make_synthetic("agreeing", d=40, n=40, seed=0)
    figure = design_figure(data.labels, data.B_true.argmax(axis=0), data.S_true, count=20)
    bars = [patch for patch in figure.axes[0].patches if patch.get_y() < 0]
    assert [round(bar.get_width(), 1) for bar in bars] == [3.9] * 5


@pytest.fixture
def evidences(scores):
    evidence = np.tile([-9.0, -5.0, -1.0, -1.0, -500.0], 3)
    sizes = [(d, n) for d in (40, 200) for n in (40, 400, 4000)]
    frame = scores.assign(log_marginal_likelihood=evidence)
    frame["n_clusters"] = np.tile([1, 5, 10, 10, 40], 3)
    return pd.concat(frame.assign(d=d, n=n) for d, n in sizes)


def test_evidence_figure_has_a_panel_per_size_and_the_best_of_each_path_at_zero(evidences):
    panels = evidence_figure(evidences, title="quick run").axes
    assert len(panels) == 6
    for axes in panels:
        dots, rings = (collection.get_offsets() for collection in axes.collections)
        # Two of the five look the same.
        assert len(dots) == 4 * 3
        assert dots[:, 0].min() == 0 and dots[:, 0].max() == 499
        np.testing.assert_allclose(rings, [[0.0, 0.5]] * 3)


def test_files_are_the_same_from_run_to_run(scores, tmp_path):
    def write(folder):
        (tmp_path / folder).mkdir()
        names = [tmp_path / folder / name for name in ("figure.pdf", "figure.png")]
        save_figure(path_figure(scores, n_true=10), *names)
        return [name.read_bytes() for name in names]

    assert write("first") == write("second")
