"""Word vectors: trained, read, looked up, and the similarities they give."""

import zipfile

import numpy as np
import pytest

from ccc.data.embeddings import WordVectors, look_up, read_glove, word2vec
from ccc.data.text import read_tokens
from ccc.similarity import embedding_similarity

GLOVE = "good 1 0 0.5\nbad -1 0 0.25\nmovie 0 2 0\n"


@pytest.fixture
def archive(tmp_path):
    file = tmp_path / "glove.6B.zip"
    with zipfile.ZipFile(file, "w") as out:
        out.writestr("glove.6B.3d.txt", GLOVE)
        out.writestr("glove.6B.2d.txt", "good 1 0\n")
    return file


def test_vectors_are_read_from_the_archive_and_from_a_text_file(archive, tmp_path):
    (tmp_path / "glove.txt").write_text(GLOVE)
    for file in (archive, tmp_path / "glove.txt"):
        vectors = read_glove(file, 3)
        assert vectors.words.tolist() == ["good", "bad", "movie"]
        assert vectors.vectors.tolist() == [[1, 0, 0.5], [-1, 0, 0.25], [0, 2, 0]]


def test_only_wanted_words_are_kept(archive, tmp_path):
    assert read_glove(archive, 3, {"movie", "absent"}).words.tolist() == ["movie"]
    read_glove(archive, 3).save(tmp_path / "glove.npz")
    assert read_glove(tmp_path / "glove.npz", 3, {"bad"}).vectors.tolist() == [[-1, 0, 0.25]]


def test_a_file_with_more_arrays_is_read_and_one_with_fewer_is_named(archive, tmp_path):
    whole = read_glove(archive, 3)
    file = tmp_path / "glove.npz"
    np.savez(file, words=whole.words, vectors=whole.vectors, rank=np.arange(3))
    assert read_glove(file, 3).words.tolist() == ["good", "bad", "movie"]
    np.savez(file, words=whole.words, rank=np.arange(3))
    with pytest.raises(ValueError, match=r"glove\.npz has no array 'vectors': it holds .*'rank'"):
        read_glove(file, 3)


def test_another_dimension_is_told(archive, tmp_path):
    with pytest.raises(ValueError, match=r"no vectors of dimension 300: it holds glove\.6B\.3d"):
        read_glove(archive, 300)
    read_glove(archive, 3).save(tmp_path / "glove.npz")
    with pytest.raises(ValueError, match=r"glove\.npz holds vectors of dimension 3, not 50"):
        read_glove(tmp_path / "glove.npz", 50)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("worse 1 2", "line 2: 2 numbers after 'worse', expected 3"),
        ("worse 1 2 x", "line 2: .*'x'"),
    ],
)
def test_a_broken_line_is_named(tmp_path, line, message):
    (tmp_path / "glove.txt").write_text(f"good 1 0 0.5\n{line}\n")
    with pytest.raises(ValueError, match=message):
        read_glove(tmp_path / "glove.txt", 3)


def test_the_first_name_with_a_vector_counts():
    vectors = WordVectors(np.array(["act", "movie"]), np.array([[1, 2], [3, 4]], np.float32))
    found, mask = look_up(vectors, [["films", "movie", "act"], ["zebra"], ["act"]])
    assert found.tolist() == [[3, 4], [0, 0], [1, 2]]
    assert mask.tolist() == [True, False, True]


def test_word2vec_is_reproducible_and_puts_words_of_a_kind_together():
    rng = np.random.default_rng(0)
    kinds = (["good", "great", "fine"], ["bad", "weak", "poor"])
    frames = ("a {} day of sun", "that {} rain and mud")
    texts = [frames[k].format(rng.choice(kinds[k])) for k in rng.integers(2, size=3000)]
    tokens = read_tokens(texts)
    first, again = (word2vec(tokens, range(3000), dimension=8, seed=1) for _ in range(2))
    assert first.words.tolist() == again.words.tolist()
    assert (first.vectors == again.vectors).all()
    W, found = look_up(first, [[word] for kind in kinds for word in kind])
    assert found.all()
    S = embedding_similarity(W)
    within = [S[0, 1], S[1, 2], S[3, 4], S[4, 5]]
    assert min(within) > S[:3, 3:].max()


def test_similarity_is_the_paper_s_kernel():
    W = np.array([[3.0, 0.0], [0.0, 2.0], [-1.0, 0.0]])
    S = embedding_similarity(W)
    assert pytest.approx(np.exp([[0, -1, -2], [-1, 0, -1], [-2, -1, 0]])) == S
    raw = embedding_similarity(W, normalise=False)
    assert raw[0, 1] == pytest.approx(np.exp(-13 / 2))


def test_a_vector_without_direction_is_named():
    with pytest.raises(ValueError, match="zeros only in row 1"):
        embedding_similarity([[1.0, 0.0], [0.0, 0.0]])
