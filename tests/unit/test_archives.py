"""Known files are recognised, fetched whole or not at all, and read without touching the disk."""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import stat
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ccc.data import archives
from ccc.data.archives import Archive, fetch, first_bytes, iterate_lines, iterate_tar, locate

CONTENT = b"what is in the file"
OTHER = b"what is in the other"
NOWHERE = "http://127.0.0.1:9/a.tar.gz"  # nothing listens there


def known(name="a.tar.gz", content=CONTENT, algorithm="sha256", url=None, size=True):
    checksum = f"{algorithm}:{hashlib.new(algorithm, content).hexdigest()}"
    return Archive(name, checksum, url, len(content) if size else None, "for tests")


def member(name, content=b"x", kind=tarfile.REGTYPE, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, len(content), target
    return info, content


def tar_of(*members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def written(tmp_path):
    def write(content, name="x.tar.gz"):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


@pytest.fixture
def served(monkeypatch):
    """A server on this machine: what it sends is in ``.answers``, by path; ``.asked`` counts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            server.asked += 1
            status, body = server.answers.get(self.path, (404, b""))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    monkeypatch.setattr(archives, "RETRIES", 0)
    # A proxy of the environment must not be asked for what is on this machine.
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.answers, server.asked = {}, 0
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("algorithm", ["sha256", "md5"])
def test_a_file_is_found_under_its_name_and_under_another(written, tmp_path, algorithm):
    archive = known(algorithm=algorithm)
    assert locate([archive], [tmp_path, tmp_path / "missing"]) is None
    renamed = written(CONTENT, "download (1)")
    assert locate([archive], [tmp_path / "missing", tmp_path]) == (renamed, archive)
    renamed.rename(tmp_path / archive.name)
    assert locate([archive], [tmp_path]) == (tmp_path / archive.name, archive)


def test_a_file_of_unknown_size_is_found_by_name(written, tmp_path):
    archive = known(size=False)
    path = written(CONTENT, archive.name)
    assert locate([archive], [tmp_path]) == (path, archive)


def test_only_files_of_a_known_name_or_size_are_hashed(written, tmp_path, monkeypatch):
    written(CONTENT + b"more", "large")
    path = written(CONTENT, "renamed")
    hashed = []
    digest = hashlib.file_digest

    def counting(stream, algorithm):
        hashed.append(stream.name)
        return digest(stream, algorithm)

    monkeypatch.setattr(hashlib, "file_digest", counting)
    assert locate([known(), known("b.tar.xz", OTHER)], [tmp_path]) is not None
    assert hashed == [str(path)]


def test_the_form_named_first_wins_then_the_first_folder(written, tmp_path):
    first, second = known(), known("b.tar.xz", OTHER)
    for folder in ("1", "2"):
        (tmp_path / folder).mkdir()
        written(OTHER, f"{folder}/b.tar.xz")
    folders = [tmp_path / "1", tmp_path / "2"]
    assert locate([first, second], folders) == (tmp_path / "1/b.tar.xz", second)
    written(CONTENT, "2/a.tar.gz")
    assert locate([first, second], folders) == (tmp_path / "2/a.tar.gz", first)


def test_a_known_name_on_another_known_file_is_no_damage(written, tmp_path):
    first, second = known(), known("b.tar.xz", OTHER)
    path = written(OTHER, first.name)
    assert locate([first, second], [tmp_path]) == (path, second)


def test_an_altered_file_is_named_with_both_checksums_and_sizes(written, tmp_path):
    archive = known()
    written(CONTENT[:5], archive.name)
    with pytest.raises(ValueError) as caught:
        locate([archive], [tmp_path])
    message = str(caught.value)
    found = hashlib.sha256(CONTENT[:5]).hexdigest()
    for part in (str(tmp_path / archive.name), archive.checksum, found, "truncated or altered"):
        assert part in message
    assert f"5 of {len(CONTENT)} bytes" in message
    assert "\n" not in message


def test_without_checksum_the_name_has_to_do(written, tmp_path):
    archive = Archive("glove.zip", None, None, None, "")
    written(CONTENT, "other.zip")
    assert locate([archive], [tmp_path]) is None
    path = written(CONTENT, "glove.zip")
    assert locate([archive], [tmp_path]) == (path, archive)


def test_a_local_copy_is_taken_before_a_download(written, tmp_path, served):
    served.answers["/a"] = (200, CONTENT)
    archive, local = known(url=f"{served.url}/a"), known("b.tar.xz", OTHER)
    path = written(OTHER, "b.tar.xz")
    assert fetch([archive, local], [tmp_path], tmp_path / "new", False) == (path, local)
    assert served.asked == 0


def test_a_download_is_checked_and_then_kept(tmp_path, served):
    served.answers["/a"] = (200, CONTENT)
    archive = known(url=f"{served.url}/a")
    target = tmp_path / "resources/deep"
    expected = (target / archive.name, archive)
    assert fetch([known("b", OTHER), archive], [tmp_path], target) == expected
    assert expected[0].read_bytes() == CONTENT
    assert os.listdir(target) == [archive.name]
    assert stat.S_IMODE(expected[0].stat().st_mode) == 0o644
    assert fetch([archive], [], target) == expected
    assert served.asked == 1


def test_a_download_is_tried_again(tmp_path, served, monkeypatch):
    monkeypatch.setattr(archives, "RETRIES", 2)
    monkeypatch.setattr("pooch.core.time.sleep", lambda seconds: None)
    with pytest.raises(FileNotFoundError, match="HTTP 404"):
        fetch([known(url=f"{served.url}/a")], [], tmp_path, False)
    assert served.asked == 3


def test_without_a_terminal_a_download_is_told_in_the_log(tmp_path, served, monkeypatch, caplog):
    monkeypatch.setattr("ccc.progress.PATIENCE", 0.0)
    caplog.set_level("INFO", logger="ccc.progress")
    content = bytes(200_000)
    served.answers["/a"] = (200, content)
    fetch([known(content=content, url=f"{served.url}/a")], [], tmp_path)
    # Chunks of 64 KiB, and the whole once more at the end.
    assert len(caplog.messages) == 5
    assert caplog.messages[0].startswith("a.tar.gz: 0.1 of 0.2 MB in 0 s, ")
    assert caplog.messages[0].endswith(" s to go")


def test_a_download_with_the_wrong_checksum_leaves_nothing(tmp_path, served):
    served.answers["/a"] = (200, OTHER)
    archive = known(url=f"{served.url}/a")
    with pytest.raises(ValueError) as caught:
        fetch([archive], [], tmp_path, False)
    for part in (archive.name, archive.url, archive.checksum, hashlib.sha256(OTHER).hexdigest()):
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("answer", [(403, b"no"), (200, OTHER)])
def test_a_mirror_is_tried_when_the_first_server_fails(tmp_path, served, answer):
    served.answers |= {"/a": answer, "/mirror": (200, CONTENT)}
    mirror = known(url=f"{served.url}/mirror")
    path, archive = fetch([known(url=f"{served.url}/a"), mirror], [], tmp_path, False)
    assert archive == mirror
    assert path.read_bytes() == CONTENT


def test_offline_says_in_one_line_which_file_to_put_where(tmp_path, served):
    archive, local = known(url=NOWHERE), known("b.tar.xz", OTHER)
    target = tmp_path / "resources"
    with pytest.raises(FileNotFoundError) as caught:
        fetch([archive, local], [tmp_path / "mine"], target, False)
    message = str(caught.value)
    for part in (archive.name, NOWHERE, local.name, str(tmp_path / "mine"), str(target)):
        assert part in message
    assert "corpora.local" in message
    assert "CCC_DATA" in message
    assert "\n" not in message
    assert not list(target.glob("*"))


def test_what_nobody_serves_is_asked_for(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"a\.tar\.gz cannot be downloaded: put a\.tar\.gz"):
        fetch([known()], [], tmp_path)


PACKERS = {"plain": bytes, "gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}


@pytest.mark.parametrize("packer", PACKERS)
def test_members_come_in_order_whatever_the_compression_and_name(written, packer):
    content = tar_of(
        member("b/", b"", tarfile.DIRTYPE), member("b/2", b"two"), member("a/1", b""), member("é")
    )
    path = written(PACKERS[packer](content), "no suffix")
    assert list(iterate_tar(path)) == [("b/2", b"two"), ("a/1", b""), ("é", b"x")]
    assert os.listdir(path.parent) == ["no suffix"]


def test_links_and_devices_are_passed_over(written):
    path = written(
        tar_of(
            member("link", b"", tarfile.SYMTYPE, "/etc/passwd"),
            member("hard", b"", tarfile.LNKTYPE, "../../secret"),
            member("device", b"", tarfile.CHRTYPE),
            member("pipe", b"", tarfile.FIFOTYPE),
            member("file"),
        )
    )
    assert list(iterate_tar(path)) == [("file", b"x")]


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "a/..", "/etc/x", r"..\x", r"\x", "C:/x", r"C:\x"]
)
@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.SYMTYPE])
def test_a_name_that_leads_out_is_refused(written, name, kind):
    path = written(tar_of(member("good"), member(name, b"", kind)))
    with pytest.raises(ValueError, match="leads out of the archive") as caught:
        list(iterate_tar(path))
    assert str(path) in str(caught.value)
    assert name in str(caught.value)


@pytest.mark.parametrize("name", ["..x", "a..b/c", "x.."])
def test_dots_in_a_name_are_no_offence(written, name):
    assert [n for n, _ in iterate_tar(written(tar_of(member(name))))] == [name]


def test_a_member_beyond_the_limit_is_refused_unless_it_is_not_wanted(written):
    path = written(gzip.compress(tar_of(member("large", bytes(2000)), member("small"))))
    assert len(list(iterate_tar(path, limit_member=2000))) == 2
    with pytest.raises(ValueError, match=r"x\.tar\.gz: large has 2000 bytes"):
        list(iterate_tar(path, limit_member=1999))
    small = iterate_tar(path, lambda name: name != "large", limit_member=1)
    assert list(small) == [("small", b"x")]


def test_a_bomb_is_refused_at_the_limit_of_all_members(written):
    path = written(gzip.compress(tar_of(*(member(str(k), bytes(1000)) for k in range(10)))))
    with pytest.raises(ValueError, match=r"x\.tar\.gz: 3 ends beyond 5000 bytes"):
        list(iterate_tar(path, limit_total=5000))
    # Not even members that nobody wants may go on for ever.
    with pytest.raises(ValueError, match="3 ends beyond"):
        list(iterate_tar(path, lambda name: False, limit_total=5000))


def test_a_bomb_behind_the_archive_is_refused(written):
    path = written(gzip.compress(tar_of(member("a")) + bytes(10**6)))
    with pytest.raises(ValueError, match="more than 500000 bytes"):
        list(iterate_tar(path, limit_total=500_000))


def test_a_name_of_megabytes_is_refused(written):
    path = written(gzip.compress(tar_of(member("n" * 2_000_000))))
    with pytest.raises(ValueError, match="header of 2000"):
        list(iterate_tar(path))
    assert len(next(iterate_tar(written(tar_of(member("n" * 1000)))))[0]) == 1000


@pytest.mark.parametrize("packer", PACKERS)
def test_an_archive_cut_anywhere_is_refused_with_the_last_member(written, packer):
    # The contents do not compress, so that a cut at a tenth is a cut near a tenth of the members.
    draws = [hashlib.shake_128(bytes([k])).digest(3000) for k in range(20)]
    whole = PACKERS[packer](tar_of(*(member(f"m{k}", draw) for k, draw in enumerate(draws))))
    if packer == "plain":
        whole = whole[: 20 * 3584 + 512]  # tar pads its end with zeros that nobody needs
    path = written(whole)
    assert len(list(iterate_tar(path))) == 20
    positions = []
    for tenth in range(1, 10):
        path.write_bytes(whole[: len(whole) * tenth // 10])
        read = []
        with pytest.raises(ValueError, match=r"x\.tar\.gz is truncated or corrupt") as caught:
            for name, _ in iterate_tar(path):
                read.append(name)
        last = read[-1] if read else "nothing"
        assert f"{len(read)} members read, the last was {last} " in str(caught.value)
        positions.append(len(read))
    assert positions == sorted(positions)
    assert positions[-1] > 0 or packer == "bz2"  # bz2 packs all of it into one block
    path.write_bytes(whole[:-1])
    with pytest.raises(ValueError, match="20 members read, the last was m19"):
        list(iterate_tar(path))


def test_an_archive_cut_between_two_members_is_refused(written):
    whole = tar_of(*(member(f"m{k}", bytes(512)) for k in range(3)))
    for content in (whole[: 2 * 1024], gzip.compress(whole[: 2 * 1024])):
        with pytest.raises(ValueError, match="2 members read, the last was m1 "):
            list(iterate_tar(written(content)))


def test_a_damaged_header_is_not_the_end(written):
    whole = bytearray(tar_of(*(member(f"m{k}", bytes(512)) for k in range(3))))
    whole[1024 + 3] ^= 0xFF
    with pytest.raises(ValueError, match="1 members read, the last was m0 "):
        list(iterate_tar(written(bytes(whole))))


@pytest.mark.parametrize("packer", ["gz", "xz", "bz2"])
def test_an_altered_byte_is_noticed(written, packer):
    whole = bytearray(
        PACKERS[packer](tar_of(member("m", hashlib.shake_128(b"").digest(5000)), member("n")))
    )
    whole[len(whole) // 2] ^= 0x10
    with pytest.raises(ValueError, match="is truncated or corrupt"):
        list(iterate_tar(written(bytes(whole))))


@pytest.mark.parametrize(
    "content",
    [b"", b"no archive at all" * 100, gzip.compress(b"", mtime=0)],
    ids=["empty", "text", "gzip of nothing"],
)
def test_what_is_no_archive_is_refused(written, content):
    with pytest.raises(ValueError, match="0 members read, the last was nothing"):
        list(iterate_tar(written(content)))


def test_a_missing_file_is_missing_and_not_corrupt(tmp_path):
    with pytest.raises(FileNotFoundError):
        list(iterate_tar(tmp_path / "none.tar.gz"))


@pytest.mark.parametrize("packer", PACKERS)
def test_lines_end_at_newlines_only(written, packer):
    content = "one\r\n\ntwo\x85\u2028\x0bstill two\nlast".encode()
    path = written(PACKERS[packer](content))
    expected = [b"one\r", b"", "two\x85\u2028\x0bstill two".encode(), b"last"]
    assert list(iterate_lines(path)) == expected
    assert first_bytes(path, 3) == b"one"


def test_lines_have_limits(written):
    path = written(lzma.compress(b"short\n" + b"x" * 100 + b"\nshort\n"))
    assert len(list(iterate_lines(path, limit_line=101))) == 3
    with pytest.raises(ValueError, match="line 2 ends beyond 100 bytes"):
        list(iterate_lines(path, limit_line=100))
    with pytest.raises(ValueError, match="line 3 ends beyond 110 bytes"):
        list(iterate_lines(path, limit_total=110))


def test_truncated_lines_are_counted(written):
    lines = [hashlib.shake_128(bytes([k])).hexdigest(20_000).encode() for k in range(10)]
    whole = lzma.compress(b"\n".join(lines))
    path = written(whole[: len(whole) // 2])
    read = []
    with pytest.raises(ValueError, match=r"x\.tar\.gz is truncated") as caught:
        for line in iterate_lines(path):
            read.append(line)
    assert 0 < len(read) < 10
    assert f"{len(read)} lines read" in str(caught.value)
    assert read == lines[: len(read)]
    with pytest.raises(ValueError, match="is truncated or corrupt"):
        first_bytes(written(whole[:20]), 10)
