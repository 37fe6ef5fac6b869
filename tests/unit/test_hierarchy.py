"""The tree of a path is a tree whatever the path does, and the path itself where that is nested."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.hierarchy import cluster_tree, lasting, path_tree, tree_rows, up_to


@st.composite
def paths(draw):
    """Clusterings that have nothing to do with each other, with repeated rows now and then."""
    d, k = draw(st.integers(1, 12)), draw(st.integers(1, 7))
    row = st.lists(st.integers(0, 3), min_size=d, max_size=d)
    distinct = draw(st.lists(row, min_size=1, max_size=k))
    order = draw(st.lists(st.integers(0, len(distinct) - 1), min_size=k, max_size=k))
    return np.array([distinct[i] for i in order])


@st.composite
def nested_paths(draw):
    """Clusters that only ever merge."""
    d = draw(st.integers(1, 12))
    rows = [np.arange(d)]
    for _ in range(draw(st.integers(0, 6))):
        row = rows[-1]
        merged = draw(st.lists(st.sampled_from(sorted(set(row.tolist()))), max_size=3))
        rows.append(np.where(np.isin(row, merged), min(merged, default=0), row))
    return np.array(rows)


def blocks(row):
    return {frozenset(np.flatnonzero(row == label).tolist()) for label in set(row.tolist())}


def sets_of(tree):
    return [frozenset(tree.members(node).tolist()) for node in range(len(tree))]


@settings(deadline=None)
@given(paths())
def test_roots_are_the_clusters_at_nu0_and_leaves_the_covariates_once_each(labels):
    tree = cluster_tree(labels)
    sets = sets_of(tree)
    assert sorted(map(sorted, (sets[root] for root in tree.roots))) == sorted(
        map(sorted, blocks(labels[-1]))
    )
    assert [sets[leaf] for leaf in range(tree.d)] == [{j} for j in range(labels.shape[1])]
    assert tree.d == labels.shape[1] == sum(tree.size[tree.roots])
    assert [len(members) for members in sets] == tree.size.tolist()


@settings(deadline=None)
@given(paths())
def test_every_inner_node_has_its_children_apart_and_nothing_else(labels):
    tree = cluster_tree(labels)
    sets = sets_of(tree)
    assert len(set(sets)) == len(sets), "a block stands in the tree once"
    for node, children in enumerate(tree.children):
        if node < tree.d:
            assert not children and tree.level[node] == 0
            continue
        assert len(children) >= 2
        assert sum(len(sets[child]) for child in children) == len(sets[node])
        assert frozenset().union(*(sets[child] for child in children)) == sets[node]
        assert all(child < node and tree.level[child] < tree.level[node] for child in children)


@settings(deadline=None)
@given(paths())
def test_covariates_join_at_the_smallest_nu_from_which_on_they_stay_together(labels):
    tree = cluster_tree(labels)
    for i in range(tree.d):
        for j in range(i):
            above_j = ancestors(tree, j)
            common = next((node for node in ancestors(tree, i) if node in above_j), None)
            together = labels[:, i] == labels[:, j]
            if not together[-1]:
                assert common is None
            else:
                apart = np.flatnonzero(~together)
                assert tree.level[common] == (apart[-1] + 2 if len(apart) else 1)


def ancestors(tree, node):
    found = [node]
    while tree.parent[found[-1]] >= 0:
        found.append(int(tree.parent[found[-1]]))
    return found


@settings(deadline=None)
@given(nested_paths())
def test_a_nested_path_is_its_own_tree(labels):
    for row, lasting_row in zip(labels, lasting(labels), strict=True):
        assert blocks(row) == blocks(lasting_row)
    everything = set().union(*(blocks(row) for row in labels))
    tree = cluster_tree(labels)
    assert set(sets_of(tree)) == everything
    for node, members in enumerate(sets_of(tree)):
        rows = [k for k, row in enumerate(labels, start=1) if members in blocks(row)]
        assert tree.level[node] == (0 if node < tree.d else rows[0])


@settings(deadline=None)
@given(paths(), st.randoms(use_true_random=False))
def test_names_and_order_of_covariates_do_not_matter(labels, random):
    d = labels.shape[1]
    order = np.array(random.sample(range(d), d))
    tree, other = cluster_tree(labels), cluster_tree(7 - 2 * labels[:, order])

    def described(tree, names):
        return {
            (frozenset(names[list(members)].tolist()), int(level), size)
            for members, level, size in zip(
                sets_of(tree), tree.level, tree.size.tolist(), strict=True
            )
        }

    assert described(tree, np.arange(d)) == described(other, order)


@settings(deadline=None)
@given(paths(), st.data())
def test_repeated_rows_add_no_node(labels, data):
    times = data.draw(
        st.lists(st.integers(1, 3), min_size=len(labels), max_size=len(labels)), label="times"
    )
    tree, repeated = cluster_tree(labels), cluster_tree(np.repeat(labels, times, axis=0))
    np.testing.assert_array_equal(tree.parent, repeated.parent)
    first = np.concatenate([[0], 1 + np.cumsum([0, *times[:-1]])])
    np.testing.assert_array_equal(first[tree.level], repeated.level)


@settings(deadline=None)
@given(paths(), st.sets(st.integers(1, 7)))
def test_a_tree_of_some_levels_is_that_of_the_blocks_on_them(labels, kept):
    tree = cluster_tree(labels)
    fewer = tree.at_levels(kept)
    rows = lasting(labels)
    wanted = sorted({k for k in kept if k <= len(rows)} | {len(rows)})
    expected = cluster_tree(rows[[k - 1 for k in wanted]])
    assert set(sets_of(fewer)) == set(sets_of(expected))
    for sets, parents in ((sets_of(t), t.parent) for t in (fewer, expected)):
        pairs = {(sets[i], sets[p]) for i, p in enumerate(parents.tolist()) if p >= 0}
        assert pairs == {
            (sets_of(fewer)[i], sets_of(fewer)[p])
            for i, p in enumerate(fewer.parent.tolist())
            if p >= 0
        }


def test_covariates_that_separate_again_join_where_they_stay():
    # 0 and 1 are together, apart, and together for good; 2 joins and leaves.
    tree = cluster_tree([[0, 0, 1], [0, 1, 1], [0, 0, 1]])
    assert tree.parent.tolist() == [3, 3, -1, -1]
    assert tree.level.tolist() == [0, 0, 0, 3]
    assert tree.roots.tolist() == [3, 2]


def test_one_clustering_is_a_flat_tree():
    tree = cluster_tree([[0, 1, 0, 2, 1]])
    assert tree.parent.tolist() == [5, 6, 5, -1, 6, -1, -1]
    assert tree.size.tolist() == [1, 1, 1, 1, 1, 2, 2]


def test_a_path_is_read_up_to_nu0_in_whatever_order():
    nus = [8.0, 1.0, 4.0, 2.0]
    labels = np.array([[0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 0, 1], [0, 0, 1, 2]])
    assert up_to(nus, 2).tolist() == [1, 3, 2]
    tree = path_tree(SimpleNamespace(nus=nus, labels=labels), 2)
    assert tree.level.tolist() == [0, 0, 0, 0, 2, 3]
    assert tree.parent.tolist() == [4, 4, 5, -1, 5, -1]
    kmeans = SimpleNamespace(nus=nus, labels=labels, parameter="k")
    assert tree_rows(kmeans, 2).tolist() == [2]
    flat = path_tree(kmeans, 2)
    assert flat.parent.tolist() == [4, 4, 4, -1, -1]


def test_a_long_path_of_many_covariates_takes_no_time():
    rng = np.random.default_rng(0)
    labels = np.array([rng.integers(max(2, 2600 - 8 * k), size=2600) // 3 for k in range(300)])
    start = time.process_time()
    tree = cluster_tree(labels)
    assert time.process_time() - start < 5
    assert tree.size[tree.roots].sum() == 2600


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cluster_tree([0, 1]), "labels must have a row per nu"),
        (lambda: cluster_tree(np.zeros((0, 3), int)), r"labels must have a row .*, got \(0, 3\)"),
        (lambda: cluster_tree([[0.5, 1.0]]), "labels must be integers, got float64"),
        (lambda: up_to([1.0, 2.0], 2), "index must be a position in nus, 0 to 1, got 2"),
        (lambda: up_to([1.0, np.nan], 0), "nus must be finite"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
