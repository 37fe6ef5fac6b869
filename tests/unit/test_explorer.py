"""The explorer's file: what is in it can be read again, and nothing in it can break out."""

import base64
import html.parser
import json
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ccc
from ccc.explorer import write_explorer
from ccc.explorer.encode import encode_labels, encode_odds, odds_codes, varints
from ccc.odds import ClassOdds, odds_text

NUS = np.array([4.0, 1.0, 2.0])
LABELS = np.array([[0, 0, 0], [0, 1, 2], [0, 0, 1]])


def path(**more):
    return SimpleNamespace(nus=NUS, labels=LABELS, **more)


def data_of(file):
    """What the page will read."""
    text = file.read_text(encoding="utf-8")
    return json.loads(
        re.search(r'<script type="application/json" id="data">(.*?)</script>', text)[1]
    )


class Numbers:
    """The other end of the packing, written down once more."""

    def __init__(self, text):
        self.bytes = iter(base64.b64decode(text))

    def next(self):
        value = shift = 0
        for byte in self.bytes:
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise EOFError

    def all_read(self):
        return next(self.bytes, None) is None


def unpacked_labels(text, count, d):
    numbers, row, rows = Numbers(text), list(range(d)), []
    for _ in range(count):
        place = 0
        for _ in range(numbers.next()):
            place += numbers.next()
            row[place] = numbers.next()
        rows.append(list(row))
    assert numbers.all_read()
    return np.array(rows)


def unpacked_odds(text, leaders):
    d = leaders.shape[1]
    numbers, code, leading, levels = Numbers(text), [0] * d, [0] * d, []
    for row in [np.arange(d), *leaders]:
        now = [[0] * d, [0] * d]
        for j, leader in enumerate(row.tolist()):
            if leader == j:
                token = numbers.next()
                zigzag, other = divmod(token, 2)
                now[0][j] = code[j] + (-(zigzag + 1) // 2 if zigzag % 2 else zigzag // 2)
                now[1][j] = numbers.next() if other else leading[j]
            now[0][j], now[1][j] = now[0][leader], now[1][leader]
        code, leading = now
        levels.append(now)
    assert numbers.all_read()
    return np.array(levels)


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**40)))
def test_integers_survive_the_packing(values):
    numbers = Numbers(base64.b64encode(varints(np.array(values, dtype=np.int64))))
    assert [numbers.next() for _ in values] == values
    assert numbers.all_read()


@settings(deadline=None)
@given(st.data())
def test_clusterings_classes_and_odds_survive_the_packing(data):
    d, k, c = (data.draw(st.integers(1, most)) for most in (9, 6, 300))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    labels = rng.integers(d, size=(k, d))
    leaders = np.array([[row.tolist().index(label) for label in row] for row in labels])
    levels = np.vstack([np.arange(d), leaders])
    leading, log_odds = rng.integers(c, size=(k + 1, d)), 3 * rng.exponential(size=(k + 1, d))
    of_cluster = np.arange(k + 1)[:, None], levels
    odds = ClassOdds(np.arange(c), leading[of_cluster], log_odds[of_cluster])
    np.testing.assert_array_equal(unpacked_labels(encode_labels(labels), k, d), leaders)
    codes, classes = unpacked_odds(encode_odds(labels, odds), leaders).transpose(1, 0, 2)
    np.testing.assert_array_equal(classes, odds.leading)
    np.testing.assert_array_equal(codes, odds_codes(np.exp(odds.log_odds)))


@settings(deadline=None)
@given(st.floats(1, 1e6))
def test_odds_are_packed_as_they_are_printed(odds):
    code = int(odds_codes(np.array([odds]))[0])
    value = (code % 900 + 100) * 10.0 ** (code // 900 - 2)
    # A tie may be rounded either way.
    assert abs(value - odds) <= 0.5001 * 10.0 ** (np.floor(np.log10(odds)) - 2)
    assert odds_text(value) == odds_text(float(f"{value:.3g}"))


def test_the_path_goes_from_fine_to_coarse(tmp_path):
    file = tmp_path / "page.html"
    write_explorer(file, path(), ["a", "b", "c"], selected=2, evidence=[-3.0, -1.0, np.nan])
    data = data_of(file)
    assert data["nus"] == [1.0, 2.0, 4.0] and data["selected"] == 1
    assert unpacked_labels(data["labels"], 3, 3).tolist() == [[0, 1, 2], [0, 0, 2], [0, 0, 0]]
    assert data["series"] == [{"name": "evidence", "values": [-1.0, None, -3.0]}]
    assert data["classes"] is None and data["nested"]
    write_explorer(file, path(parameter="k"), ["a", "b", "c"], selected=2)
    data = data_of(file)
    assert data["nus"] == [4.0, 2.0, 1.0] and data["selected"] == 1
    assert data["symbol"] == "k" and not data["nested"] and data["series"] == []


def test_equal_neighbours_are_stored_once(tmp_path):
    file = tmp_path / "page.html"
    twice = SimpleNamespace(nus=np.arange(4.0), labels=LABELS[[1, 1, 2, 2]])
    write_explorer(file, twice)
    data = data_of(file)
    assert data["rows"] == [0, 0, 1, 1] and data["names"] == ["1", "2", "3"]
    assert unpacked_labels(data["labels"], 2, 3).tolist() == [[0, 1, 2], [0, 0, 2]]


def test_a_path_and_its_selection_are_enough(tmp_path):
    data = ccc.data.make_synthetic("contradicting", d=20, n=40, seed=0)
    S = ccc.similarity.ledoit_wolf(data.X, data.y)
    fitted = ccc.solve_path(data.X, data.y, S, [0.01, 1.0, 40.0])
    chosen = ccc.select(fitted, data.X, data.y, sigma=0.1)
    file = tmp_path / "page.html"
    write_explorer(file, fitted, selected=chosen)
    stored = data_of(file)
    assert stored["selected"] == chosen.index
    np.testing.assert_allclose(
        stored["series"][0]["values"], chosen.scores["log_marginal_likelihood"], rtol=1e-7
    )
    assert [kind["name"] for kind in stored["classes"]] == ["0", "1", "2", "3"]
    cv = SimpleNamespace(index=1, scores=pd.DataFrame({"accuracy": [0.1, 0.2, 0.3]}))
    write_explorer(file, fitted, selected=cv)
    assert data_of(file)["series"] == [{"name": "held-out accuracy", "values": [0.1, 0.2, 0.3]}]


HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--",
    "{{script}} {{data}}",
    "\u2028\u2029\x00\x07",
    "日本語 🙂 \ud800",
    "&lt;b&gt; \" ' ` ${x}",
    "a\\b\nc",
]


def test_hostile_names_stay_names(tmp_path):
    file = tmp_path / "page.html"
    d = len(HOSTILE)
    odds = ClassOdds(np.array(HOSTILE[:2]), np.zeros((2, d), dtype=int), np.zeros((2, d)))
    one = SimpleNamespace(nus=[1.0], labels=np.zeros((1, d), dtype=int))
    write_explorer(file, one, HOSTILE, odds=odds, title=HOSTILE[0], remarks=HOSTILE[1])
    data = data_of(file)
    assert data["names"] == HOSTILE
    assert data["title"] == HOSTILE[0] and data["classes"][0]["name"] == HOSTILE[0]

    class Page(html.parser.HTMLParser):
        scripts, title, inside = 0, "", None

        def handle_starttag(self, tag, attributes):
            self.scripts += tag == "script"
            self.inside = tag

        def handle_data(self, text):
            if self.inside == "title":
                self.title += text

        def handle_endtag(self, tag):
            self.inside = None

    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    assert page.scripts == 2 and page.title == HOSTILE[0]


def test_nothing_is_loaded_from_anywhere(tmp_path):
    file = tmp_path / "page.html"
    write_explorer(file, path())
    text = file.read_text(encoding="utf-8")
    # The name of a kind of picture, which nobody fetches.
    assert re.findall(r"https?://[^\"' ]+", text) == ["http://www.w3.org/2000/svg"]
    assert "default-src 'none'" in text
    assert not re.search(r"<(link|script|img)[^>]+(src|href)=\"(?!data:,\")", text)
    assert "{{" not in text.split('id="data">')[0]


def test_a_long_path_of_many_covariates_is_a_small_file(tmp_path):
    rng = np.random.default_rng(0)
    d, k, c = 2600, 300, 20
    gaps = rng.exponential(size=d - 1)
    labels = np.array(
        [np.concatenate([[0], np.cumsum(gaps > t)]) for t in np.geomspace(1e-3, 9, k)]
    )
    astray = rng.integers(d, size=(k, 7))
    np.put_along_axis(labels, astray, d + np.arange(7)[None], axis=1)
    levels = np.vstack([np.arange(d), labels])
    log_odds = np.empty(levels.shape)
    for row, values in zip(levels, log_odds, strict=True):
        _, first, inverse = np.unique(row, return_index=True, return_inverse=True)
        values[:] = (0.01 * first % 1 * rng.uniform(0.9, 1.1, len(first)))[inverse]
    odds = ClassOdds(np.arange(c), np.sort(levels % c, axis=1), log_odds)
    file = tmp_path / "page.html"
    smooth = SimpleNamespace(nus=np.arange(1.0, k + 1), labels=labels)
    write_explorer(file, smooth, [f"word{j}" for j in range(d)], odds=odds)
    assert file.stat().st_size < 2e6
    # Clusterings that have nothing to do with each other, as those of k-means.
    rough = SimpleNamespace(nus=smooth.nus, labels=rng.integers(500, size=(k, d)), parameter="k")
    write_explorer(file, rough, [f"word{j}" for j in range(d)])
    assert file.stat().st_size < 4e6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"names": ["a"]}, "names must have 3 entries like path.labels, got 1"),
        ({"selected": 3}, "selected must be a position in path.nus, 0 to 2, got 3"),
        ({"selected": "best"}, "selected must be a position in path.nus, 0 to 2, got 'best'"),
        ({"evidence": [1.0]}, r"evidence must have shape \(3,\) like path.nus, got \(1,\)"),
        (
            {"odds": ClassOdds(np.arange(2), np.zeros((3, 3), int), np.zeros((3, 3)))},
            r"odds must have shape \(4, 3\), .* got \(3, 3\)",
        ),
    ],
)
def test_mistakes_are_named(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        write_explorer(tmp_path / "page.html", path(), **arguments)
    assert list(tmp_path.iterdir()) == []
