"""Both forms of a corpus give the same documents, in an order that is that of no file."""

import hashlib
import io
import lzma
import random
import re
import tarfile

import numpy as np
import pytest

from ccc.data.archives import locate
from ccc.data.corpora import CORPORA, GLOVE, NEWSGROUPS, Corpus, read_corpus, without_duplicates

HEADER = b"split\tclass\tid\trating\ttext\n"
REVIEWS = {
    "train/neg/2_1": b"Dull.",
    "train/neg/10_4": b"Tabs\tin\tthe\ttext, and <br /> breaks",
    "train/pos/0_9": "Superb, naïve \u2028 and long".encode(),
    "test/neg/0_2": " Dull.\u2028".encode(),
    "test/pos/7_10": b"",
    "train/unsup/0_0": b"Dull.",
    "train/unsup/1_0": b"Whatever",
}
POSTS = {
    "train/alt.atheism/9999": b"From: a\n\nfirst",
    "train/alt.atheism/10000": b"From: b\n\ncaf\xe9 in Z\xfcrich",
    "train/sci.space/5": b"orbit",
    "test/alt.atheism/1": b"later",
}
# In the official archive of the reviews the features are larger than any text may be.
IMDB_BESIDES = {
    "aclImdb/README": b"notes",
    "aclImdb/imdb.vocab": b"the",
    "aclImdb/train/urls_pos.txt": b"http://example.org",
    "aclImdb/train/labeledBow.feat": bytes(11_000_000),
    "aclImdb/train/pos/._0_9.txt": b"left by a Macintosh",
}


def write_tar(path, members, mode="w:gz"):
    with tarfile.open(path, mode) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def imdb_tar(path, reviews, mode="w:gz", besides=()):
    members = {f"aclImdb/{name}.txt": content for name, content in reviews.items()}
    return write_tar(path, {**dict(besides), **members}, mode)


def imdb_table(path, reviews):
    lines = [re.sub(r"[/_]", "\t", name).encode() + b"\t" + text for name, text in reviews.items()]
    path.write_bytes(lzma.compress(HEADER + b"".join(line + b"\n" for line in lines)))
    return path


def news_tar(path, posts, mode="w:gz", besides=()):
    members = {f"20news-bydate-{name}": content for name, content in posts.items()}
    return write_tar(path, {**dict(besides), **members}, mode)


def shuffled(documents, seed=0):
    return dict(random.Random(seed).sample(list(documents.items()), len(documents)))


def assert_same(one, other):
    for name in one.__dataclass_fields__:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_the_reviews_are_read_as_they_are(tmp_path):
    corpus = read_corpus("imdb", imdb_tar(tmp_path / "x", REVIEWS, besides=IMDB_BESIDES))
    assert corpus.ids.tolist() == list(REVIEWS)
    assert corpus.parts.tolist() == ["train"] * 3 + ["test"] * 2 + ["unsup"] * 2
    bad, good = "bad movie", "good movie"
    assert corpus.labels.tolist() == [bad, bad, good, bad, good, "", ""]
    assert corpus.texts[1] == "Tabs\tin\tthe\ttext, and <br /> breaks"
    assert corpus.texts[2] == "Superb, naïve \u2028 and long"
    assert (corpus.name, len(corpus), corpus.duplicates) == ("imdb", 7, 0)


def test_both_forms_of_the_reviews_are_the_same_corpus(tmp_path):
    official = imdb_tar(tmp_path / "a.tar.gz", shuffled(REVIEWS), besides=IMDB_BESIDES)
    table = imdb_table(tmp_path / "b.tsv.xz", shuffled(REVIEWS, seed=1))
    assert list(shuffled(REVIEWS)) != list(shuffled(REVIEWS, seed=1))
    assert_same(read_corpus("imdb", official), read_corpus("imdb", str(table)))


def test_the_form_is_told_by_content_and_not_by_name(tmp_path):
    official = imdb_tar(tmp_path / "wrong.tsv.xz", REVIEWS)
    table = imdb_table(tmp_path / "wrong.tar.gz", REVIEWS)
    assert_same(read_corpus("imdb", official), read_corpus("imdb", table))


def test_a_leading_dot_in_the_names_makes_no_difference(tmp_path):
    plain = read_corpus("imdb", imdb_tar(tmp_path / "a", REVIEWS))
    dotted = {f"./aclImdb/{name}.txt": content for name, content in REVIEWS.items()}
    assert_same(plain, read_corpus("imdb", write_tar(tmp_path / "b", dotted)))


@pytest.mark.parametrize("write", [imdb_tar, imdb_table])
def test_bytes_that_are_no_text_are_replaced_and_counted(tmp_path, write):
    reviews = {"train/pos/0_9": b"caf\xe9 and \xff", "train/pos/1_9": "café".encode()}
    corpus = read_corpus("imdb", write(tmp_path / "x", reviews))
    assert corpus.texts == ["caf\ufffd and \ufffd", "café"]
    assert corpus.undecodable == ("train/pos/0_9",)


@pytest.mark.parametrize("mode", ["w:gz", "w:xz", "w"])
def test_posts_are_latin_1_in_the_order_of_their_numbers(tmp_path, mode):
    path = news_tar(tmp_path / "x", shuffled(POSTS), mode, besides={"README": b"notes"})
    corpus = read_corpus("newsgroup20", path)
    assert corpus.ids.tolist() == list(POSTS)
    assert corpus.labels.tolist() == ["alt.atheism"] * 2 + ["sci.space", "alt.atheism"]
    assert corpus.parts.tolist() == ["train"] * 3 + ["test"]
    assert corpus.texts[1] == "From: b\n\ncafé in Zürich"
    assert corpus.undecodable == ()


@pytest.mark.parametrize("folder", ["train/meh", "valid/pos", "test/unsup"])
def test_an_unknown_class_of_reviews_is_named(tmp_path, folder):
    reviews = {**REVIEWS, f"{folder}/3_4": b"text"}
    with pytest.raises(ValueError, match=rf"x\.tgz: aclImdb/{folder}/3_4\.txt: unknown class"):
        read_corpus("imdb", imdb_tar(tmp_path / "x.tgz", reviews))
    with pytest.raises(ValueError, match=rf"x\.xz: line 9: unknown class {folder}"):
        read_corpus("imdb", imdb_table(tmp_path / "x.xz", reviews))


@pytest.mark.parametrize("folder", ["train/alt.cooking", "valid/sci.med"])
def test_an_unknown_class_of_posts_is_named(tmp_path, folder):
    path = news_tar(tmp_path / "x.tgz", {**POSTS, f"{folder}/3": b"text"})
    with pytest.raises(ValueError, match=rf"x\.tgz: 20news-bydate-{folder}/3: unknown class"):
        read_corpus("newsgroup20", path)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"train\tpos\t1\t9", "4 fields instead of 5"),
        (b"", "1 fields instead of 5"),
        (b"train\tpos\tone\t9\ttext", "'one'"),
        (b"train\tpos\t1\t\ttext", "rating ''"),
        (b"train\tpos\t-1\t9\ttext", "'-1'"),
    ],
)
def test_a_line_that_is_no_review_is_named(tmp_path, line, complaint):
    path = tmp_path / "x.tsv.xz"
    path.write_bytes(lzma.compress(HEADER + b"train\tpos\t0\t9\ttext\n" + line + b"\n"))
    with pytest.raises(ValueError, match=rf"x\.tsv\.xz: line 3: .*{complaint}"):
        read_corpus("imdb", path)


@pytest.mark.parametrize("name", CORPORA)
def test_an_archive_without_documents_is_refused(tmp_path, name):
    path = write_tar(tmp_path / "x.tgz", {"aclImdb/README": b"", "20news/README": b""})
    with pytest.raises(ValueError, match=rf"x\.tgz holds no document of {name}"):
        read_corpus(name, path)


def test_a_table_without_documents_is_refused(tmp_path):
    with pytest.raises(ValueError, match="holds no document of imdb"):
        read_corpus("imdb", imdb_table(tmp_path / "x", {}))


def test_a_document_that_is_there_twice_is_refused(tmp_path):
    # With two texts for one id, the order in the file would decide.
    reviews = {"train/pos/0_9": b"one", "train/pos/0_8": b"two"}
    with pytest.raises(ValueError, match=r"train/pos/0_. is there twice"):
        read_corpus("imdb", imdb_tar(tmp_path / "x", reviews))


@pytest.mark.parametrize("write", [imdb_tar, imdb_table])
def test_a_truncated_corpus_is_refused(tmp_path, write):
    text = hashlib.shake_128(b"").hexdigest(5000).encode()
    path = write(tmp_path / "x", {f"train/pos/{k}_9": text[k:] for k in range(9)})
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ValueError, match="x is truncated or corrupt"):
        read_corpus("imdb", path)


def test_an_unknown_corpus_is_refused(tmp_path):
    with pytest.raises(ValueError, match="imdb, newsgroup20, got 'reuters'"):
        read_corpus("reuters", tmp_path / "x")


def test_of_equal_texts_the_labelled_one_is_kept(tmp_path):
    corpus = read_corpus("imdb", imdb_tar(tmp_path / "x", REVIEWS))
    # "Dull." stands in train, in test with white space around it, and among the unlabelled.
    fewer = without_duplicates(corpus)
    assert fewer.ids.tolist() == [
        i for i in REVIEWS if i not in ("test/neg/0_2", "train/unsup/0_0")
    ]
    assert fewer.duplicates == 2
    for name in ("texts", "labels", "parts", "ids"):
        assert len(getattr(fewer, name)) == 5
    assert_same(without_duplicates(fewer), fewer)


def make(texts, parts):
    labels = np.array(["" if part == "unsup" else "good movie" for part in parts])
    ids = np.array([str(k) for k in range(len(texts))])
    return Corpus("imdb", texts, labels, np.array(parts), ids)


def test_the_preferred_part_decides_and_not_the_place():
    corpus = make(["a", "b", "a", "c", "a"], ["unsup", "unsup", "test", "train", "test"])
    assert without_duplicates(corpus).ids.tolist() == ["1", "2", "3"]
    kept = without_duplicates(corpus, prefer=("train", "unsup", "test"))
    assert kept.ids.tolist() == ["0", "1", "3"]
    assert kept.labels.tolist() == ["", "", "good movie"]
    with pytest.raises(ValueError, match="'unsup' is missing"):
        without_duplicates(corpus, prefer=("train", "test"))


def test_texts_that_differ_inside_are_no_duplicates():
    corpus = make(["a b", "a  b", "A b", "a b."], ["train"] * 4)
    assert without_duplicates(corpus).duplicates == 0


def test_every_known_file_can_be_recognised(tmp_path):
    assert list(CORPORA) == ["imdb", "newsgroup20"]
    for archives in (*CORPORA.values(), GLOVE):
        assert archives[0].url is not None  # the official file can be downloaded
        for archive in archives:
            assert re.fullmatch("sha256:[0-9a-f]{64}", archive.checksum)
            assert archive.url is None or archive.url.startswith("https://")
            (tmp_path / archive.name).write_bytes(b"x")
            with pytest.raises(ValueError, match=re.escape(archive.checksum)):
                locate([archive], [tmp_path])
    assert len(set(NEWSGROUPS)) == 20
