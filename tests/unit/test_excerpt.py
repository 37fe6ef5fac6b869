"""What of a tree is shown, and that what is not shown is counted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccc.excerpt import choose_roots, excerpt
from ccc.hierarchy import cluster_tree
from ccc.odds import ClassOdds

NAMES = list("abcdefgh")
# a-e come together step by step, f and g at once, h never.
LABELS = np.array(
    [
        [0, 0, 1, 2, 3, 4, 5, 6],
        [0, 0, 0, 2, 3, 4, 5, 6],
        [0, 0, 0, 2, 2, 4, 4, 6],
        [0, 0, 0, 0, 0, 4, 4, 6],
    ]
)


@pytest.fixture
def tree():
    return cluster_tree(LABELS)


@pytest.fixture
def odds():
    leading = np.zeros((5, 8), dtype=int)
    leading[:, 5:7] = 1
    ratios = np.array([1.5, 1.4, 1.3, 1.2, 1.05, 1.1, 2.0, 9.0])
    return ClassOdds(np.array(["good", "bad"]), leading, np.tile(np.log(ratios), (5, 1)))


def outline(branch):
    """A branch as nested text."""
    parts = [leaf.text for leaf in branch.leaves] + [outline(part) for part in branch.inner]
    parts += [f"+{branch.hidden}"] if branch.hidden else []
    return f"{branch.text}({' '.join(parts)})" if parts else branch.text


def outlines(*arguments, **settings):
    return [outline(branch) for branch in excerpt(*arguments, **settings)]


def test_all_of_a_tree(tree, odds):
    assert outlines(tree, NAMES, odds) == ["5(3(c 2(a b)) 2(d e))", "2(g f)", "h"]


def test_without_odds(tree):
    branches = excerpt(tree, NAMES)
    assert sorted(map(outline, branches)) == ["2(f g)", "5(3(c 2(a b)) 2(d e))", "h"]
    assert all(branch.leading == -1 and np.isnan(branch.odds) for branch in branches)


def test_weak_covariates_are_counted_where_they_hang(tree, odds):
    assert outlines(tree, NAMES, odds, min_odds=1.1) == [
        # The cluster of d and e has one covariate left and is not a node any more.
        "5(d 3(c 2(a b)) +1)",
        "2(g +1)",
        "h",
    ]
    assert outlines(tree, NAMES, odds, min_odds=1.1, always=[5])[1] == "2(g f)"
    assert outlines(tree, NAMES, odds, min_odds=99)[0] == "5(+5)"


def test_the_strongest_of_a_root(tree, odds):
    assert outlines(tree, NAMES, odds, most=2) == ["5(2(a b) +3)", "2(g f)", "h"]
    assert outlines(tree, NAMES, odds, most=2, always=[4])[0] == "5(a e +3)"
    assert outlines(tree, NAMES, odds, min_odds=99, least=2) == ["5(2(a b) +3)", "2(g f)", "h"]
    assert outlines(tree, NAMES, odds, min_odds=99, least=3, most=1)[0] == "5(a +4)"


def test_few_levels(tree, odds):
    assert outlines(tree, NAMES, odds, levels=1)[0] == "5(d e 3(a b c))"
    assert outlines(tree, NAMES, odds, levels=9) == outlines(tree, NAMES, odds)


def test_roots_by_covariate_and_by_class(tree, odds):
    def texts(**wanted):
        return outlines(tree, NAMES, odds, choose_roots(tree, odds, **wanted))

    assert texts(covariates=[3, 7, 4]) == ["5(3(c 2(a b)) 2(d e))", "h"]
    assert texts(label="bad", count=3) == ["2(g f)"]
    # A cluster comes before a covariate of its own, however strong that is.
    assert texts(label="good", count=1) == ["5(3(c 2(a b)) 2(d e))"]
    assert texts(covariates=[5], label="good", count=2) == [
        "5(3(c 2(a b)) 2(d e))",
        "2(g f)",
        "h",
    ]
    assert texts() == []


@settings(deadline=None)
@given(st.data())
def test_every_covariate_is_shown_or_counted(data):
    d, k = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 6))
    rows = st.lists(st.lists(st.integers(0, 3), min_size=d, max_size=d), min_size=k, max_size=k)
    labels = np.array(data.draw(rows))
    ratios = data.draw(st.lists(st.floats(1, 2), min_size=d, max_size=d))
    odds = ClassOdds(
        np.arange(2), np.zeros((k + 1, d), dtype=int), np.tile(np.log(ratios), (k + 1, 1))
    )
    tree = cluster_tree(labels)
    branches = excerpt(
        tree,
        [str(j) for j in range(d)],
        odds,
        min_odds=data.draw(st.floats(0.9, 2)),
        least=data.draw(st.integers(0, d)),
        most=data.draw(st.none() | st.integers(1, d)),
        levels=data.draw(st.none() | st.integers(1, k)),
    )
    assert sorted(branch.size for branch in branches) == sorted(tree.size[tree.roots])

    def check(branch, root):
        parts = [*branch.leaves, *branch.inner]
        if branch.is_leaf:
            assert not parts and not branch.hidden
            return 1
        assert branch.text == str(branch.size)
        assert len(parts) >= 2 or root
        below = sum(check(part, False) for part in parts) + branch.hidden
        assert below == branch.size
        return below

    for branch in branches:
        check(branch, True)


def test_mistakes_are_named(tree, odds):
    with pytest.raises(ValueError, match="names must have 8 entries like the tree, got 2"):
        excerpt(tree, ["a", "b"])
    with pytest.raises(ValueError, match=r"label must be a class of odds, got 'ugly' \(good, bad"):
        choose_roots(tree, odds, label="ugly", count=1)
