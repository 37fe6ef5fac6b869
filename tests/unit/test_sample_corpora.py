"""The samples have the layout of the official files and the structure that the methods need."""

import tarfile
import zipfile
from collections import Counter

import numpy as np
import pytest

from ccc.data.corpora import NEWSGROUPS, read_corpus, without_duplicates
from ccc.data.sample import (
    FILLERS,
    OPINIONS,
    TOPICS,
    write_sample_glove,
    write_sample_imdb,
    write_sample_newsgroups,
)

WRITERS = {
    "imdb": lambda path, seed: write_sample_imdb(path, seed, 40, 12, 3),
    "newsgroup20": lambda path, seed: write_sample_newsgroups(path, seed, 60, 5),
    "glove": lambda path, seed: write_sample_glove(path, 10, seed),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sample")


@pytest.fixture(scope="module")
def reviews(folder):
    write_sample_imdb(folder / "reviews.tar.gz")
    return read_corpus("imdb", folder / "reviews.tar.gz")


@pytest.fixture(scope="module")
def posts(folder):
    write_sample_newsgroups(folder / "posts.tar.gz")
    return read_corpus("newsgroup20", folder / "posts.tar.gz")


@pytest.fixture(scope="module")
def vectors(folder):
    write_sample_glove(folder / "glove.zip", dim=100)
    with zipfile.ZipFile(folder / "glove.zip") as archive:
        lines = archive.read("glove.6B.100d.txt").decode().splitlines()
    table = [line.split(" ") for line in lines]
    assert {len(row) for row in table} == {101}
    vectors = {row[0]: np.array(row[1:], dtype=float) for row in table}
    assert len(vectors) == len(table)
    return {word: vector / np.linalg.norm(vector) for word, vector in vectors.items()}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_seed_decides_every_byte(tmp_path, kind, monkeypatch):
    contents = []
    for name, seed, clock in (("a", 0, 1e9), ("b", 0, 1.7e9), ("c", 1, 1e9)):
        monkeypatch.setattr("time.time", lambda clock=clock: clock)
        WRITERS[kind](tmp_path / name, seed)
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1] != contents[2]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]


@pytest.mark.parametrize("kind", WRITERS)
def test_each_sample_says_what_it_is(tmp_path, kind):
    WRITERS[kind](tmp_path / "x", 0)
    if kind == "glove":
        with zipfile.ZipFile(tmp_path / "x") as archive:
            readme = archive.read("README.txt").decode()
    else:
        with tarfile.open(tmp_path / "x") as archive:
            name = "aclImdb/README" if kind == "imdb" else "README"
            readme = archive.extractfile(name).read().decode()
    assert readme.startswith("SAMPLE: made by ccc.data.sample, not the")


def test_the_reviews_have_the_official_layout(folder, reviews):
    counts = Counter(id.rsplit("/", 1)[0] for id in reviews.ids.tolist())
    quarters = dict.fromkeys(["train/neg", "train/pos", "test/neg", "test/pos"], 300)
    assert counts == {**quarters, "train/unsup": 400}
    for id, label in zip(reviews.ids.tolist(), reviews.labels.tolist(), strict=True):
        rating = int(id.rsplit("_", 1)[1])
        assert label == ("good movie" if rating >= 7 else "bad movie" if rating else "")
        assert rating not in (5, 6)
    with tarfile.open(folder / "reviews.tar.gz") as archive:
        names = archive.getnames()
        assert archive.getmember("aclImdb/train/pos").isdir()
        urls = archive.extractfile("aclImdb/test/urls_pos.txt").read()
    assert "aclImdb/train/unsup/0_0.txt" in names
    assert urls.count(b"\n") == 300


def test_the_reviews_have_ratings_markup_and_opinions(reviews):
    by_label = {
        label: [t for t, own in zip(reviews.texts, reviews.labels, strict=True) if own == label]
        for label in ("good movie", "bad movie", "")
    }
    for token in ("7/10", "8/10", "9/10", "10/10"):
        assert any(text.endswith(f" {token}") for text in by_label["good movie"])
    for token in (" 1/10", " 2/10", " *1/2"):
        assert any(text.endswith(token) for text in by_label["bad movie"])
        assert not any(text.endswith(token) for text in by_label["good movie"])
    assert 0.1 < np.mean(["<br /><br />" in text for text in reviews.texts]) < 0.9
    words = {label: Counter(" ".join(texts).lower().split()) for label, texts in by_label.items()}
    for label, other in (("good movie", "bad movie"), ("bad movie", "good movie")):
        for word in OPINIONS[label]:
            assert words[label][word] > words[other][word] > 0
            assert words[""][word] > 0


@pytest.mark.parametrize("kind", ["reviews", "posts"])
def test_documents_have_40_to_80_words_and_some_are_copies(kind, request):
    corpus = request.getfixturevalue(kind)
    bodies = corpus.texts if kind == "reviews" else [t.split("\n\n", 1)[1] for t in corpus.texts]
    lengths = [len(body.replace("<br /><br />", " ").split()) for body in bodies]
    assert min(lengths) >= 40
    assert max(lengths) <= 90  # and a rating or a line with accents
    fewer = without_duplicates(corpus)
    assert fewer.duplicates == (12 if kind == "reviews" else 20)
    # A copy never contradicts the label of its original.
    labels = {}
    for text, label in zip(corpus.texts, corpus.labels.tolist(), strict=True):
        labels.setdefault(text, set()).add(label)
    assert all(len(own - {""}) < 2 for own in labels.values())
    if kind == "reviews":
        assert (fewer.labels == "").sum() == 396


def test_the_posts_have_the_official_layout(folder, posts):
    counts = Counter(id.rsplit("/", 1)[0] for id in posts.ids.tolist())
    assert counts == {
        f"{part}/{group}": size
        for part, size in (("train", 60), ("test", 40))
        for group in NEWSGROUPS
    }
    for text in posts.texts:
        head, body = text.split("\n\n", 1)
        keys = [line.split(": ")[0] for line in head.split("\n")]
        assert keys == ["From", "Subject", "Organization", "Lines"]
        assert head.endswith(f"Lines: {body.count(chr(10))}")
    accented = [text for text in posts.texts if "café in Zürich" in text]
    assert 20 < len(accented) < 250
    with tarfile.open(folder / "posts.tar.gz") as archive:
        contents = [archive.extractfile(m).read() for m in archive if m.isfile()]
    with pytest.raises(UnicodeDecodeError):
        b"".join(contents).decode()


def test_a_post_speaks_of_its_group(posts):
    hits = 0
    for text, group in zip(posts.texts, posts.labels.tolist(), strict=True):
        words = Counter(text.split("\n\n", 1)[1].lower().replace(".", "").split())
        said = {name: sum(words[w] for w in TOPICS[name]) for name in NEWSGROUPS}
        hits += max(said, key=said.get) == group
    assert 0.8 < hits / len(posts) < 1


def test_no_word_is_in_two_families():
    families = [*TOPICS.values(), *OPINIONS.values(), FILLERS]
    assert max(Counter(word for words in families for word in words).values()) == 1
    assert set(NEWSGROUPS) < set(TOPICS)
    assert {len(words) for words in TOPICS.values()} == {12}


def test_vectors_of_a_family_are_close(vectors):
    def cosines(one, other):
        return [
            vectors[a] @ vectors[b]
            for a in one
            for b in other
            if a != b and a in vectors and b in vectors
        ]

    good, bad = OPINIONS.values()
    for words in (*TOPICS.values(), good, bad):
        assert np.mean(cosines(words, words)) == pytest.approx(0.8, abs=0.05)
    assert np.mean(cosines(good, bad)) == pytest.approx(0.4, abs=0.15)
    assert np.mean(cosines(good, FILLERS)) == pytest.approx(0, abs=0.1)
    assert np.mean(cosines(TOPICS["sci.med"], TOPICS["rec.autos"])) == pytest.approx(0, abs=0.4)


def test_vectors_lack_a_few_words(vectors):
    words = {word for family in (*(TOPICS | OPINIONS).values(), FILLERS) for word in family}
    assert set(vectors) < words
    assert 0.9 < len(vectors) / len(words) < 1


@pytest.mark.parametrize(
    ("write", "sizes", "named"),
    [
        (write_sample_imdb, {"n_labelled": 6}, "n_labelled"),
        (write_sample_imdb, {"n_labelled": 0}, "n_labelled"),
        (write_sample_imdb, {"n_duplicates": 401}, "n_duplicates"),
        (write_sample_newsgroups, {"n_posts": 30}, "n_posts"),
        (write_sample_newsgroups, {"n_duplicates": -1}, "n_duplicates"),
    ],
)
def test_sizes_that_do_not_divide_are_refused(tmp_path, write, sizes, named):
    with pytest.raises(ValueError, match=f"{named} must be a multiple"):
        write(tmp_path / "x", **sizes)
    assert not list(tmp_path.iterdir())


def test_reviews_may_all_be_labelled(tmp_path):
    write_sample_imdb(tmp_path / "x", n_labelled=8, n_unlabelled=0, n_duplicates=0)
    assert len(read_corpus("imdb", tmp_path / "x")) == 8
