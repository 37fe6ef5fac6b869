"""Classes and odds ratios of clusters: from the model of each clustering, node by node."""

from types import SimpleNamespace

import numpy as np
import pytest

import ccc
from ccc.clusterings import Clusterings
from ccc.data.words import cluster_words
from ccc.hierarchy import cluster_tree
from ccc.odds import ClassOdds, class_odds, leading_class, odds_of_path, odds_text
from ccc.selection.map import fit_map
from ccc.thinning import spread, thinned
from ccc.validation import check_design

SIGMA = 0.7
LABELS = np.array([[0, 0, 1, 2, 3], [0, 0, 1, 2, 3], [0, 0, 1, 1, 2], [0, 0, 0, 0, 1]])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b", "c"])[rng.integers(3, size=200)]
    means = np.array([[2, 2, 0, 0, 0.0], [0, 0, 1, 2, 0], [0, 0, 0, 0, 1]])
    X = means[np.searchsorted(["a", "b", "c"], y)] + rng.standard_normal((200, 5))
    return X, y


@pytest.fixture(scope="module")
def odds(data):
    return class_odds(*data, LABELS, SIGMA)


def test_the_leading_class_and_its_lead():
    B = np.array([[3.0, 0.0, -1.0], [1.0, 0.0, -5.0], [2.5, 0.0, 4.0]])
    first, lead = leading_class(B)
    assert first.tolist() == [0, 0, 2]
    assert lead.tolist() == [0.5, 0.0, 5.0]


def test_each_clustering_has_a_model_of_its_own(data, odds):
    X, y = data
    codes = np.searchsorted(odds.classes, y)
    for row, labels in enumerate([np.arange(5), *LABELS]):
        B = fit_map(check_design(X).project(labels), codes, 3, SIGMA).B[:, labels]
        ordered = np.sort(B, axis=0)
        np.testing.assert_array_equal(odds.leading[row], B.argmax(axis=0))
        np.testing.assert_allclose(odds.log_odds[row], ordered[-1] - ordered[-2], atol=1e-4)


def test_the_table_of_words_has_the_same_values(data, odds):
    X, y = data
    frame = cluster_words(X, y, LABELS[2], SIGMA, np.array(list("vwxyz")), np.arange(5))
    frame = frame.sort_values("cluster")
    first = [LABELS[2].tolist().index(cluster) for cluster in range(3)]
    np.testing.assert_allclose(frame["odds_ratio"], np.exp(odds.log_odds[3, first]), rtol=1e-4)
    assert frame["class"].tolist() == odds.classes[odds.leading[3, first]].tolist()


def test_a_node_has_the_values_of_the_clustering_where_it_comes_together_a_root_the_last(odds):
    tree = cluster_tree(LABELS)
    leading, ratios = odds.of_nodes(tree)
    assert tree.level.tolist() == [0] * 5 + [1, 3, 4]
    np.testing.assert_array_equal(leading[:4], odds.leading[0, :4])
    np.testing.assert_allclose(ratios[:4], np.exp(odds.log_odds[0, :4]))
    # Covariate 4 is a root, which has the values of the last clustering.
    for node, (level, member) in {4: (4, 4), 5: (1, 1), 6: (3, 3), 7: (4, 0)}.items():
        assert leading[node] == odds.leading[level, member]
        assert ratios[node] == np.exp(odds.log_odds[level, member])
    assert (ratios >= 1).all()


def test_some_clusterings_of_a_path(odds):
    some = odds.take([3, 2])
    np.testing.assert_array_equal(some.log_odds, odds.log_odds[[0, 4, 3]])
    roots = cluster_tree(LABELS[:3])
    np.testing.assert_array_equal(
        odds.take([0, 1, 2]).of_nodes(roots)[1][roots.roots], np.exp(odds.log_odds[3, [0, 2, 4]])
    )
    with pytest.raises(ValueError, match=r"odds must have 5 columns and a row per level up to 4"):
        some.of_nodes(cluster_tree(LABELS))


def test_it_can_be_stored(odds, tmp_path):
    odds.save(tmp_path / "odds.npz")
    again = ClassOdds.load(tmp_path / "odds.npz")
    np.testing.assert_array_equal(again.leading, odds.leading)
    assert again.classes.tolist() == ["a", "b", "c"]


def test_a_path_has_coefficients_of_its_own(data):
    X, y = data
    path = ccc.solve_path(X, y, np.ones((5, 5)), [10.0, 0.01])
    odds = odds_of_path(path)
    assert odds.leading.shape == (3, 5)
    np.testing.assert_array_equal(odds.leading[0], path.B[1].argmax(axis=0))
    np.testing.assert_array_equal(odds.log_odds[0], odds.log_odds[2])
    assert odds.classes.tolist() == ["a", "b", "c"]
    assert odds_of_path(SimpleNamespace(nus=[1.0], B=path.B[:1], classes=path.classes))


@pytest.mark.parametrize(
    ("odds", "text"),
    [
        (1.0, "1.00"),
        (1.0749, "1.07"),
        (9.996, "10.0"),
        (12.34, "12.3"),
        (456.7, "457"),
        (999.7, "1.00e3"),
        (12345.0, "1.23e4"),
        (np.inf, "∞"),
    ],
)
def test_odds_ratios_in_three_digits(odds, text):
    assert odds_text(odds) == text


def test_clusterings_are_thinned_evenly_by_their_number_of_clusters():
    counts = np.arange(1000, 0, -1)
    places = spread(counts, 13, kept=[998])
    assert len(places) <= 13 and 998 in places
    assert counts[places][[0, -1]].tolist() == [1000, 1]
    assert (np.diff(np.log(counts[places])) < 0).all()
    assert spread(counts, 1000).tolist() == list(range(1000))
    path = Clusterings("k", counts, LABELS[counts % 4], np.full(1000, np.nan), 1.0)
    some = thinned(path, places)
    np.testing.assert_array_equal(some.nus, counts[places])
    np.testing.assert_array_equal(some.labels, path.labels[places])
