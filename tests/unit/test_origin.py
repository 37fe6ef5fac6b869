"""Where the data of a run came from."""

import hashlib

import pytest

from ccc.data.archives import Archive
from ccc.data.origin import Origin, obtain

CONTENT = b"some documents"


def archive(content=CONTENT, url=None):
    checksum = f"sha256:{hashlib.sha256(content).hexdigest()}"
    return Archive("corpus.tar.gz", checksum, url, len(content), "a corpus")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Nothing is found in, or written to, the folder that the tests run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CCC_DATA", raising=False)
    return tmp_path


def test_a_local_copy_is_taken_from_the_configured_folder(elsewhere):
    (elsewhere / "mine").mkdir()
    (elsewhere / "mine/renamed").write_bytes(CONTENT)
    origin = obtain([archive()], str(elsewhere / "mine"), elsewhere)
    assert origin.path == str(elsewhere / "mine/renamed")
    assert origin.description == "a corpus"
    assert not origin.sample


def test_else_from_that_of_the_environment(elsewhere, monkeypatch):
    (elsewhere / "shared").mkdir()
    (elsewhere / "shared/corpus.tar.gz").write_bytes(CONTENT)
    monkeypatch.setenv("CCC_DATA", str(elsewhere / "shared"))
    assert obtain([archive()], "", elsewhere).path.startswith(str(elsewhere / "shared"))


def test_a_sample_says_that_it_is_one(elsewhere):
    origin = obtain([archive()], "", elsewhere, lambda path: path.write_bytes(b"made up"))
    assert (elsewhere / "sample-corpus.tar.gz").read_bytes() == b"made up"
    assert origin.sample
    assert origin.description == "embedded sample corpus"


def test_without_copy_and_connection_one_line_says_what_to_put_where(elsewhere):
    (elsewhere / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=r"put corpus\.tar\.gz into .*CCC_DATA") as error:
        obtain([archive()], str(elsewhere / "empty"), elsewhere)
    assert "\n" not in str(error.value)


def test_a_folder_that_is_not_there_is_named_with_what_named_it(elsewhere, monkeypatch):
    with pytest.raises(FileNotFoundError) as error:
        obtain([archive()], "/typo", elsewhere)
    assert str(error.value) == "there is no folder /typo, which the config key corpora.local names"
    (elsewhere / "file").touch()
    monkeypatch.setenv("CCC_DATA", "file")
    with pytest.raises(FileNotFoundError, match=r"no folder file, .* variable CCC_DATA names"):
        obtain([archive()], "", elsewhere)
    assert not (elsewhere / "resources").exists()


def test_saved_and_read_back(elsewhere):
    origin = Origin("a/b", "b", "sha256:1", "a corpus", False)
    origin.save(elsewhere / "archive.json")
    assert Origin.load(elsewhere / "archive.json") == origin
