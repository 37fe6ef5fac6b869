"""Tokens, stems and tf-idf."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from ccc.data.features import TextFeatures, count_matrix, tfidf_features
from ccc.data.text import Tokens, read_tokens, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A great movie, 7/10!", ["a", "great", "movie", "7/10"]),
        ("I rate it 8.5/10. Or (10/10)?", ["i", "rate", "it", "8.5/10", "or", "10/10"]),
        ("*1/2 out of ****", ["*1/", "2", "out", "of"]),
        ("***1/2 (out of four)", ["***1/", "2", "out", "of", "four"]),
        ("don't can't DON'T", ["do", "n't", "ca", "n't", "do", "n't"]),
        ("The movie's plot, they'll see", ["the", "movie", "'s", "plot", "they", "'ll", "see"]),
        ("don\u2019t", ["do", "n't"]),
        ("low-budget sci-fi -- really", ["low-budget", "sci-fi", "really"]),
        ("one<br /><br />two", ["one", "two"]),
        ("3 < 4 and 5 > 2", ["3", "4", "and", "5", "2"]),
        ("1,000 dollars, 3.5 stars in 1990s", ["1,000", "dollars", "3.5", "stars", "in", "1990s"]),
        ("user@host.edu 486dx2", ["user", "host", "edu", "486dx2"]),
        ("caf\u00e9 na\u00efve", ["caf\u00e9", "na\u00efve"]),
        ("'quoted'", ["quoted"]),
        ("x" * 40 + " " + "y" * 41, ["x" * 40]),
        ("", []),
    ],
)
def test_tokens(text, tokens):
    assert tokenize(text) == tokens


@pytest.fixture
def tokens():
    return read_tokens(
        ["Movies movie bad", "", "The movie; acting acted act 7/10", "bad BAD acted"]
    )


def test_stems_are_counted_and_the_most_frequent_comes_first(tokens):
    assert tokens.words.tolist() == ["act", "bad", "movi", "7/10", "the"]
    assert tokens.counts.tolist() == [4, 3, 3, 1, 1]
    assert len(tokens) == 4


def test_documents_keep_their_order(tokens):
    assert tokens.document(0) == ["movi", "movi", "bad"]
    assert tokens.document(1) == []
    assert tokens.document(2) == ["the", "movi", "act", "act", "act", "7/10"]


def test_forms_of_a_stem_come_most_frequent_first(tokens):
    assert tokens.forms_of(0) == ["acted", "act", "acting"]
    assert tokens.forms_of(2) == ["movie", "movies"]


def test_tokens_saved_and_read_back(tokens, tmp_path):
    tokens.save(tmp_path / "tokens.npz")
    again = Tokens.load(tmp_path / "tokens.npz")
    assert [again.document(i) for i in range(4)] == [tokens.document(i) for i in range(4)]
    assert again.forms_of(2) == ["movie", "movies"]


def test_no_documents_at_all():
    tokens = read_tokens([])
    assert len(tokens) == 0
    assert len(tokens.words) == 0


def test_counts_of_the_most_frequent_words(tokens):
    expected = [[0, 1, 2], [0, 0, 0], [3, 0, 1], [1, 2, 0]]
    assert count_matrix(tokens, 3).toarray().tolist() == expected
    assert count_matrix(tokens, 99).shape == (4, 5)


WORDS = ["apple", "banana", "cherry", "grape", "lemon", "melon"]


@pytest.fixture
def corpus():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, size=rng.integers(2, 9))) for _ in range(60)]
    labels = np.where(np.arange(60) < 40, np.where(np.arange(60) % 4 == 0, "b", "a"), "")
    return texts, labels


def features(corpus, **more):
    texts, labels = corpus
    return tfidf_features(read_tokens(texts), labels, **({"n_train": 20, "vocabulary": 6} | more))


def test_values_are_those_of_scikit_learn(corpus):
    ours = features(corpus)
    texts, labels = corpus
    vectorizer = TfidfVectorizer()
    theirs = vectorizer.fit_transform(
        [text for text, label in zip(texts, labels, strict=True) if label]
    )
    columns = [vectorizer.vocabulary_[shown] for shown in ours.shown]
    both = np.vstack([ours.X_train.toarray(), ours.X_test.toarray()])
    key = lambda rows: rows[np.lexsort(rows.T)]  # noqa: E731 - the split has reordered them
    assert key(both) == pytest.approx(key(theirs.toarray()[:, columns]))


def test_the_split_is_stratified_fixed_and_without_the_unlabelled(corpus):
    ours = features(corpus)
    assert ours.X_train.shape[0] == 20
    assert ours.X_test.shape[0] == 20
    assert (ours.y_train == "b").sum() == (ours.y_test == "b").sum() == 5
    assert (features(corpus).X_train != ours.X_train).nnz == 0
    assert (features(corpus, seed=1).X_train != ours.X_train).nnz > 0


def test_standardised_pooled_or_on_the_training_documents(corpus):
    pooled, train = features(corpus), features(corpus, statistics="train")
    both = np.vstack([pooled.X_train.toarray(), pooled.X_test.toarray()])
    assert pooled.centre == pytest.approx(both.mean(axis=0))
    assert pooled.scale == pytest.approx(both.std(axis=0))
    assert train.centre == pytest.approx(train.X_train.toarray().mean(axis=0))


def test_what_cannot_be_used_is_left_out_and_counted():
    texts = ["apple banana melon"] * 10 + ["cherry apple melon"] * 10 + ["..."] * 3 + ["zebra"] * 5
    labels = np.array(["a", "b"] * 10 + ["a"] * 3 + [""] * 5)
    found = tfidf_features(read_tokens(texts), labels, n_train=10)
    assert found.without_words == 3
    # Nobody to learn from has seen a zebra, and all have the same share of apples and melons.
    assert found.shown.tolist() == ["banana", "cherry"]
    assert found.constant_words == 3
    assert found.X_train.shape[0] + found.X_test.shape[0] == 20


def test_features_saved_and_read_back(corpus, tmp_path):
    ours = features(corpus)
    ours.save(tmp_path / "features.npz")
    again = TextFeatures.load(tmp_path / "features.npz")
    assert (again.X_test != ours.X_test).nnz == 0
    assert again.words.tolist() == ours.words.tolist()
    assert again.without_words == ours.without_words


def test_fewer_words(corpus):
    ours = features(corpus)
    part = ours.take(np.array([3, 1]))
    assert part.words.tolist() == [ours.words[3], ours.words[1]]
    assert (part.X_test.toarray() == ours.X_test.toarray()[:, [3, 1]]).all()
    assert part.train.centre.tolist() == ours.centre[[3, 1]].tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_train": 40}, "n_train must be positive and below the 40 labelled documents, got 40"),
        ({"statistics": "test"}, "statistics must be one of pooled, train, got 'test'"),
    ],
)
def test_bad_input_is_named(corpus, change, message):
    with pytest.raises(ValueError, match=message):
        features(corpus, **change)


def test_labels_of_another_length_are_named(corpus):
    texts, labels = corpus
    with pytest.raises(ValueError, match=r"labels must have shape \(60,\)"):
        tfidf_features(read_tokens(texts), labels[1:], n_train=20)
