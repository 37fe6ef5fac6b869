"""Figures show what they are given, and are the same file every time."""

import numpy as np
import pandas as pd
import pytest

from ccc.data import make_synthetic
from ccc.plots import design_figure, path_figure, save_figure


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


def test_files_are_the_same_from_run_to_run(scores, tmp_path):
    def write(folder):
        (tmp_path / folder).mkdir()
        names = [tmp_path / folder / name for name in ("figure.pdf", "figure.png")]
        save_figure(path_figure(scores, n_true=10), *names)
        return [name.read_bytes() for name in names]

    assert write("first") == write("second")
