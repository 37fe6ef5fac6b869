"""Plots of an estimator show its path and its choice, in axes of the user or in new ones."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_wine

from ccc import ConvexCovariateClustering
from ccc.plots import plot_path, plot_selection


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def three(wine):
    return ConvexCovariateClustering(nus=15, sigma=1.0).fit(*wine)


@pytest.fixture(scope="module")
def two(wine):
    X, y = wine
    settings = {"nu": "cv", "nus": 6, "cv": 3, "sigma": 1.0}
    return ConvexCovariateClustering(**settings).fit(X[y < 2], y[y < 2])


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_a_line_per_covariate_and_a_panel_per_class(three):
    axes = three.plot_path()
    assert len(axes) == 3
    for k, panel in enumerate(axes):
        lines = np.array(panel.collections[0].get_segments())
        assert lines.shape == (13, 15, 2)
        np.testing.assert_allclose(lines[:, ::-1, 1].T, three.path_.B[:, k])
        assert panel.lines[0].get_xdata()[0] == three.nu_
        assert panel.get_title() == f"class {k}"


def test_two_classes_have_one_panel_of_log_odds(two):
    axes = two.plot_path()
    lines = np.array(axes.collections[0].get_segments())
    B = two.path_.B
    np.testing.assert_allclose(lines[:, ::-1, 1].T, B[:, 1] - B[:, 0])
    assert axes.get_ylabel() == "log-odds of 1"


def test_colours_are_those_of_the_chosen_clusters(three):
    colours = three.plot_path()[0].collections[0].get_colors()
    sizes = np.bincount(three.labels_)
    for k in np.flatnonzero(sizes > 1):
        assert len(np.unique(colours[three.labels_ == k], axis=0)) == 1
    titles = [text.get_text() for text in plt.gcf().axes[0].get_legend().get_texts()]
    assert len(titles) == (sizes > 1).sum()
    assert titles[0].endswith(f"+ {sizes.max() - 1} more")


@pytest.mark.parametrize("fitted", ["three", "two"])
def test_the_ring_is_the_choice(fitted, request):
    estimator = request.getfixturevalue(fitted)
    axes = estimator.plot_selection()
    ring = axes.collections[-1].get_offsets()
    np.testing.assert_allclose(ring, [[estimator.n_clusters_, estimator.selection_.score]])
    assert len(axes.get_legend().get_texts()) == 2


def test_axes_of_the_user_are_used(two, three):
    figure, (left, right) = plt.subplots(1, 2)
    assert plot_path(two, left) is left
    assert plot_selection(two, right) is right
    assert plt.get_fignums() == [figure.number]
    with pytest.raises(ValueError, match="ax must hold 3 axes, got 2"):
        plot_path(three, [left, right])
