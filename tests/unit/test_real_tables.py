"""Tables, figures and word lists of the experiments on corpora."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ccc.clusterings import Clusterings
from ccc.data.words import cluster_words, mixes_good_and_bad, rating_groups, word_groups
from ccc.plots import compactness_figure, trust_figure
from ccc.tables import (
    COLUMNS,
    at_clusters_frame,
    at_clusters_shapes,
    covariates_frame,
    covariates_shape,
    left_out,
    selected_frame,
    selected_shapes,
    settled_frame,
    settled_shapes,
    trust_frame,
    trust_shape,
)
from ccc.thinning import nearest, shown

SIZES = {"imdb": (30, 600), "newsgroup20": (20, 500)}


def path(corpus, method, counts, selected, gap=1e-9):
    counts = np.array(counts)
    return pd.DataFrame(
        {
            "corpus": corpus,
            "method": method,
            "nu": np.arange(len(counts), dtype=float),
            "n_clusters": counts,
            "gap": gap,
            "clustering": np.arange(len(counts)),
            "log_marginal_likelihood": -100.0 - counts,
            "heldout_accuracy": 0.5 + counts / 100,
            "selected": np.arange(len(counts)) == selected,
        }
    )


@pytest.fixture
def scores():
    return pd.concat(
        [
            path("imdb", "none", [30], 0, np.nan),
            path("imdb", "proposed", [30, 12, 5], 1, 3e-8),
            path("newsgroup20", "proposed", [20, 8, 2], 0),
            path("newsgroup20", "kmeans", [1, 2, 20], 1, np.nan),
        ]
    )


@pytest.fixture
def published(repository):
    return pd.read_csv(repository / "config/published.csv")


def test_the_selected_row_stands_beside_the_published_one(scores, published):
    frame = selected_frame(scores, published, SIZES, "real_selected", "a note")
    assert list(frame.columns) == COLUMNS
    rows = frame[(frame["design"] == "imdb") & (frame["method"] == "proposed")]
    values = rows.set_index("measure")
    assert values["mean"].to_dict() == {
        "log_marginal_likelihood": -112.0,
        "clusters": 12.0,
        "heldout_accuracy": 0.62,
    }
    assert values["published_mean"].to_dict() == {
        "log_marginal_likelihood": -578.4,
        "clusters": 140.0,
        "heldout_accuracy": 0.85,
    }
    assert (rows["d"] == 30).all() and (rows["n"] == 600).all()
    assert (rows["worst_gap"] == 3e-8).all()
    assert (rows["note"] == "a note; published value for 2604 covariates").all()


def test_the_selected_table_has_the_shape_of_the_papers(scores, published):
    frame = selected_frame(scores, published, SIZES, "real_selected")
    news, imdb = selected_shapes(frame)
    assert list(imdb.columns) == [
        "IMDB",
        *("marginal likelihood", "paper", "clusters", "paper", "accuracy", "paper"),
        "worst gap",
    ]
    assert imdb.to_numpy().tolist()[0] == [
        *("Proposed", "-112.0", "-578.4", "12", "140", "0.62", "0.85", "3.0e-08")
    ]
    assert imdb["IMDB"].tolist() == ["Proposed", "No Clustering"]
    assert news["Newsgroup20"].tolist() == ["Proposed", "k-means"]


def test_clusterings_with_about_so_many_clusters(scores, published):
    frame = at_clusters_frame(scores, published, SIZES, [100, 10], "real_at_clusters")
    row = frame[(frame["design"] == "imdb") & frame["measure"].str.contains("_10_")].iloc[0]
    assert row["mean"] == 0.62
    assert row["note"].startswith("12 clusters")
    assert "none" not in frame["method"].tolist()
    hundred = frame[frame["measure"].str.contains("_100_") & (frame["design"] == "imdb")].iloc[0]
    assert hundred["published_mean"] == 0.85
    news = at_clusters_shapes(frame)[0]
    assert news.to_numpy().tolist() == [
        ["100", "– (20)", "0.67", "– (20)", "0.67"],
        ["10", "0.58 (8)", "–", "– (2)", "–"],
    ]


@pytest.mark.parametrize(
    ("counts", "wanted", "place"), [([9, 4, 7], 5, 1), ([4, 6, 4], 5, 0), ([1], 100, 0)]
)
def test_the_nearest_count_and_of_two_the_smaller(counts, wanted, place):
    assert nearest(np.array(counts), wanted) == place


def test_figures_show_every_corpus_and_method(scores, published):
    figure = compactness_figure(scores, published, "made up")
    assert [axes.get_title() for axes in figure.axes] == ["Newsgroup20", "IMDB"]
    assert figure.get_suptitle() == "made up"
    marked = [line for line in figure.axes[1].lines if line.get_markersize() == 8]
    shown = [tuple(line.get_xydata()[0]) for line in marked if len(line.get_xdata())]
    assert shown == [(12, 0.62)]
    assert len(trust_figure(scores).axes) == 6


def test_the_legend_explains_every_mark_and_convex_clustering_is_on_top(scores, published):
    convex = path("imdb", "convex", [28, 26], 1)
    figure = compactness_figure(pd.concat([scores, convex]), published)
    (legend,) = figure.legends
    assert {text.get_text() for text in legend.get_texts()} == {
        *("Proposed", "Convex", "k-means", "no clustering"),
        *("large: selected by marginal likelihood", "hollow: published"),
    }
    dots = {line.get_marker(): line for line in figure.axes[1].lines if line.get_markersize() == 2}
    assert max(dots.values(), key=lambda line: line.get_zorder()) is dots["s"]
    (legend,) = compactness_figure(scores, published.iloc[:0]).legends
    assert "hollow: published" not in {text.get_text() for text in legend.get_texts()}


def test_convex_clustering_has_axes_of_its_own_and_no_number_is_there_twice(scores):
    convex = path("imdb", "convex", [28, 26], 1)
    axes = trust_figure(pd.concat([scores, convex])).axes
    proposed, own, kmeans = axes[3:]
    assert proposed.get_xlim() == kmeans.get_xlim() and proposed.get_ylim() == kmeans.get_ylim()
    assert own.get_ylim()[0] > 0.75 > 0.6 > proposed.get_ylim()[0]
    # The selected one, and the most accurate one if it is another.
    numbers = [[text.get_text() for text in panel.texts] for panel in axes]
    assert numbers == [["20"], [], ["2", "20"], ["12", "30"], ["26", "28"], []]


def test_words_of_a_cluster_speak_for_their_class():
    rng = np.random.default_rng(0)
    y = np.array(["bad", "good"])[rng.integers(2, size=300)]
    sign = np.where(y == "good", 1.0, -1.0)[:, None]
    X = np.hstack([sign, sign, -sign, 0 * sign]) + rng.standard_normal((300, 4))
    words = np.array(["great", "fine", "awful", "the"])
    frame = cluster_words(X, y, [0, 0, 1, 2], 1.0, words, [1.0, 1.0, 2.0, 0.0])
    assert frame.columns.tolist() == ["cluster", "size", "class", "odds_ratio", "words"]
    by_words = frame.set_index("words")
    assert by_words["class"].to_dict() | {"the": ""} == {
        "fine great": "good",
        "awful": "bad",
        "the": "",
    }
    assert (frame["odds_ratio"].diff().dropna() <= 0).all()
    assert by_words.loc["the", "odds_ratio"] < 1.5 < by_words.loc["awful", "odds_ratio"]
    assert by_words.loc["fine great", "size"] == 2


def test_ratings_are_grouped_by_cluster_from_the_worst():
    words = np.array(["10/10", "movie", "1/10", "*1/", "8.5/10", "1/2", "***1/"])
    labels = np.array([0, 1, 2, 2, 0, 1, 2])
    groups = rating_groups(labels, words)
    assert groups == [["1/10", "*1/", "***1/"], ["8.5/10", "10/10"]]
    assert [mixes_good_and_bad(group) for group in groups] == [True, False]


def test_words_are_grouped_in_the_order_in_which_they_are_wanted():
    words = np.array(["apple", "mac", "cherry", "lc"])
    groups = word_groups(np.array([0, 1, 0, 2]), words, ["mac", "cherry", "pear", "apple"])
    assert groups == [["mac"], ["cherry", "apple"]]


def test_trust_is_the_rank_correlation_over_distinct_clusterings():
    whole = path("imdb", "kmeans", [30, 12, 5, 5], 2)
    whole["clustering"] = [0, 1, 2, 2]
    whole["heldout_accuracy"] = [0.7, 0.9, 0.8, 0.8]
    [row] = trust_frame(whole).to_dict("records")
    # Evidence orders 30 < 12 < 5, accuracy 30 < 5 < 12.
    assert row.pop("rank_correlation") == pytest.approx(0.5)
    assert row == {
        "corpus": "imdb",
        "method": "kmeans",
        "clusterings": 3,
        "selected_clusters": 5,
        "selected_accuracy": 0.8,
        "best_clusters": 12,
        "best_accuracy": 0.9,
    }


def test_trust_has_no_correlation_where_accuracy_never_changes():
    flat = path("newsgroup20", "proposed", [20, 8, 2], 0).assign(heldout_accuracy=0.5)
    frame = trust_frame(flat)
    assert frame["rank_correlation"].isna().all()
    assert trust_shape(frame)["rank correlation"].tolist() == ["–"]


def test_what_is_shown_is_selected_or_else_the_best_that_is_a_clustering():
    evidence = [-3.0, -2.0, -1.0]
    assert shown([True, False, False], [1, 2, 3], evidence, d=3) == 0
    assert shown([False, False, True], [1, 2, 3], evidence, d=3) == 1
    assert shown([False, False, True], [1, 2, 3], evidence, d=4) == 2
    assert shown([False, True], [3, 3], evidence[:2], d=3) == 1


@pytest.fixture
def settled(scores):
    path = scores[(scores["corpus"] == "imdb") & (scores["method"] == "proposed")]
    # 30, 12 and 5 clusters; at the tighter gap the second has 11.
    labels = np.array([np.minimum(np.arange(30), m - 1) for m in (30, 11, 5)])
    tighter = Clusterings("nu", path["nu"].to_numpy(), labels, np.full(3, 1e-11), 1.0)
    return settled_frame("imdb", path.assign(same=[True, False, True]), tighter)


def test_every_penalty_stands_beside_that_of_the_tighter_path(settled):
    assert settled["n_clusters"].tolist() == [30, 12, 5]
    assert settled["n_clusters_tighter"].tolist() == [30, 11, 5]
    assert settled["selected"].tolist() == [False, True, False]
    assert (settled["worst_gap"] == 3e-8).all() and (settled["worst_gap_tighter"] == 1e-11).all()
    counts, others = settled_shapes(settled)
    assert counts.to_numpy().tolist() == [["IMDB", "3", "2", "2", "1", "3.0e-08", "1.0e-11"]]
    assert others.to_numpy().tolist() == [["IMDB", "1", "12", "11", "0.620", "yes"]]
    assert len(settled_shapes(settled.assign(same=True))) == 1


def test_paths_of_other_penalties_are_not_compared(scores):
    path = scores[(scores["corpus"] == "imdb") & (scores["method"] == "proposed")]
    other = Clusterings("nu", [5.0, 6.0, 7.0], np.zeros((3, 30), int), np.zeros(3), 1.0)
    with pytest.raises(ValueError, match="imdb: the tighter path has other penalties"):
        settled_frame("imdb", path.assign(same=True), other)


@pytest.fixture
def lasso():
    return pd.DataFrame(
        {
            "gamma": 10_000 / 2.0 ** np.arange(3),
            "n_covariates": [1, 20, 45],
            "n_embedded": [1, 18, 40],
            "log_marginal_likelihood": [-300.0, -200.04, -250.0],
            "path_gap": [1e-8, 2e-7, 1e-7],
            "sigma": 0.01,
            "selected": [False, True, False],
        }
    )


def test_the_path_of_the_covariates(lasso):
    frame = covariates_frame("imdb", lasso, 10_000)
    assert frame["log2_n_over_gamma"].tolist() == [0, 1, 2]
    assert frame["worst_gap"].max() == 2e-7
    text = covariates_shape(frame)
    assert text.to_numpy().tolist()[1] == ["IMDB", "n / 2^1", "20", "18", "-200.0", "yes"]


def test_what_was_left_out_is_a_sentence(lasso):
    problem = SimpleNamespace(without_words=3, constant_words=4)
    text = left_out("imdb", {"duplicates": 5, "undecodable": 6}, problem, lasso)
    assert text.startswith("imdb: left out 5 duplicates, 3 documents without any of the words, 4 ")
    assert text.endswith(
        ", 2 covariates without a vector; 6 documents with undecodable bytes, which were replaced."
    )
