"""Pictures of trees: nothing covers anything, at any size and with any words."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import FancyBboxPatch

from ccc.hierarchy import cluster_tree
from ccc.odds import ClassOdds
from ccc.palette import class_colours, dark, numbered
from ccc.plots import legend_figure, plot_tree, save_figure

LONG = "donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
AWKWARD = ["$x_1^{2}$", "a\nb\tc", "", "</svg>", "…", "%_&#{}~\\", "\ud800", "7/10", "*1/", LONG]


def random_tree(d, c=2, depth=8, seed=0):
    """Covariates on a line that come together when they are close enough, and odds of theirs."""
    rng = np.random.default_rng(seed)
    gaps = rng.exponential(size=d - 1)
    labels = np.array(
        [
            np.concatenate([[0], np.cumsum(gaps > threshold)])
            for threshold in np.linspace(0.1, 6, depth)
        ]
    )
    leading = rng.integers(c, size=(depth + 1, d))
    classes = np.array([f"a.class.of.twenty.{k}" for k in range(c)])
    return cluster_tree(labels), ClassOdds(classes, leading, rng.exponential(size=(depth + 1, d)))


def words(d, seed=0):
    rng = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyzW/10"))
    drawn = ["".join(rng.choice(letters, rng.integers(1, 15))) for _ in range(d)]
    return [*AWKWARD[: d // 2], *drawn][:d]


def text_extents(figure):
    renderer = FigureCanvasAgg(figure).get_renderer()
    texts = [text for axes in figure.axes for text in axes.texts if text.get_text()]
    return texts, [text.get_window_extent(renderer).extents for text in texts]


def overlapping(extents):
    """Pairs of rectangles that share more than a rounding of a pixel."""
    x0, y0, x1, y1 = np.array(extents).T
    slack = 0.3
    wide = np.minimum.outer(x1, x1) - np.maximum.outer(x0, x0) > slack
    high = np.minimum.outer(y1, y1) - np.maximum.outer(y0, y0) > slack
    return np.argwhere(np.triu(wide & high, k=1))


def assert_clear(figure):
    texts, extents = text_extents(figure)
    for i, j in overlapping(extents):
        raise AssertionError(f"{texts[i].get_text()!r} and {texts[j].get_text()!r} overlap")
    width, height = figure.get_size_inches() * figure.dpi
    x0, y0, x1, y1 = np.array(extents).T
    assert x0.min() >= 0 and y0.min() >= 0 and x1.max() <= width and y1.max() <= height


def shown(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


@pytest.mark.parametrize("d", [2, 3, 7, 20, 60, 300])
@pytest.mark.parametrize("c", [2, 20])
def test_no_two_labels_overlap(d, c):
    tree, odds = random_tree(d, c)
    names = words(d)
    figure = plot_tree(tree, names, odds, title=f"A picture of {d} words of {c} classes. " * 4)
    assert_clear(figure)
    for name in set(names) - set(AWKWARD):
        assert name in shown(figure)


@pytest.mark.parametrize("c", [2, 20])
def test_one_covariate_alone(c):
    odds = ClassOdds(np.arange(c), np.zeros((2, 1), dtype=int), np.zeros((2, 1)))
    figure = plot_tree(cluster_tree([[0]]), ["word"], odds)
    assert_clear(figure)
    assert {"word", "1.00", "0"} <= set(shown(figure))


def test_long_words_are_cut_to_the_width_and_none_is_read_as_a_formula():
    tree, odds = random_tree(20, seed=1)
    figure = plot_tree(tree, [LONG] * 10 + AWKWARD, odds, width=1.6)
    assert_clear(figure)
    assert any(text.startswith("donau") and text.endswith("…") for text in shown(figure))
    assert "$x_1^{2}$" in shown(figure) and "a·b·c" in shown(figure)


def test_a_chain_of_three_hundred_levels():
    # One more covariate joins at every level.
    d = 301
    labels = np.array([np.maximum(np.arange(d) - k, 0) for k in range(1, d)])
    tree = cluster_tree(labels)
    assert_clear(plot_tree(tree, words(d), levels=None))
    few = plot_tree(tree, words(d), levels=6)
    assert_clear(few)
    assert few.get_figheight() < 15


def test_labels_lie_within_their_boxes():
    tree, odds = random_tree(40, c=20)
    figure = plot_tree(tree, words(40), odds)
    _, extents = text_extents(figure)
    axes = figure.axes[0]
    boxes = np.array(
        [
            patch.get_window_extent().extents
            for patch in axes.patches
            if isinstance(patch, FancyBboxPatch)
        ]
    )
    for x0, y0, x1, y1 in extents:
        inside = (boxes[:, 0] <= x0) & (boxes[:, 2] >= x1)
        # Descenders may touch the edge.
        inside &= (boxes[:, 1] <= y0 + 1) & (boxes[:, 3] >= y1 - 1)
        assert inside.sum() == 1


def test_leaves_show_words_inner_nodes_sizes_and_below_them_odds():
    labels = np.array([[0, 0, 1], [0, 0, 0]])
    odds = ClassOdds(
        np.array(["bad", "good"]),
        np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]]),
        np.log([[1.5, 1.25, 3.0], [1.4, 1.4, 3.0], [1.1, 1.1, 1.1]]),
    )
    figure = plot_tree(cluster_tree(labels), ["awful", "dull", "great"], odds)
    assert shown(figure) == [
        *("1.10", "3", "3.00", "great"),
        *("1.40", "2", "1.50", "awful", "1.25", "dull"),
        *("bad", "good"),
    ]


def test_what_is_not_drawn_is_counted():
    tree, odds = random_tree(30, seed=2)
    figure = plot_tree(tree, words(30), odds, min_odds=2.0)
    assert_clear(figure)
    assert any(text.startswith("+") for text in shown(figure))


def test_nothing_to_draw():
    tree, odds = random_tree(5)
    assert "no cluster to show" in shown(plot_tree(tree, words(5), odds, roots=[]))


def test_a_picture_is_a_column_wide_or_two_if_it_is_long():
    short, long = (
        plot_tree(tree, words(d), odds).get_size_inches()
        for d in (30, 300)
        for tree, odds in [random_tree(d, c=20)]
    )
    assert short[0] == pytest.approx(3.4) and short[1] < 9
    assert long[0] == pytest.approx(7.0)


def test_the_legend_names_every_class():
    for c in (2, 5, 20, 33):
        classes = [f"talk.politics.{k}" for k in range(c)]
        figure = legend_figure(classes, title="Classes")
        assert_clear(figure)
        assert set(classes) <= set(shown(figure))
        assert (str(c) in shown(figure)) == numbered(c)


def test_colours_differ_and_beyond_seven_classes_there_are_numbers():
    for c in range(1, 21):
        assert len(set(class_colours(c))) == c
    assert len(class_colours(45)) == 45
    assert not numbered(7) and numbered(8)
    assert dark("#000000") and dark("#72190E") and not dark("#F7F056")


def test_files_are_the_same_from_run_to_run(tmp_path):
    tree, odds = random_tree(30, c=20)

    def write(name):
        files = [tmp_path / f"{name}.{kind}" for kind in ("pdf", "png")]
        save_figure(plot_tree(tree, words(30), odds), *files)
        return [file.read_bytes() for file in files]

    assert write("first") == write("second")
