"""Disks that refuse, results that were cut short, downloads that are something else."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ccc.data.sample import write_sample_imdb
from tests.faults.disturbed import jobs_in, own_disk, products

QUICK = ("--configfile", "config/quick.yaml")


def test_a_full_disk(disturbed, quick):
    with own_disk(disturbed.folder / "results", "512k") as remount:
        said = disturbed.fail()
        assert "No space left on device" in said
        assert not disturbed.partial_files()
        remount("size=500m")
        assert not jobs_in(said) & disturbed.finish()
        assert disturbed.has_the_tables_of(quick)


def test_results_on_a_read_only_disk(disturbed, quick):
    with own_disk(disturbed.folder / "results", "500m") as remount:
        first = disturbed.finish(targets=["results/quick/text/imdb/features.npz"])
        before = everything_in(disturbed.folder)
        remount("ro")
        said = disturbed.fail()
        assert said.splitlines()[-1] == (
            "Error in results: cannot write to results/quick: results/quick is read-only; "
            "change its permissions"
        )
        assert "Traceback" not in said and "Building DAG" not in said
        assert everything_in(disturbed.folder) == before
        remount("rw")
        assert not first & disturbed.finish()
        assert disturbed.has_the_tables_of(quick)


def everything_in(folder):
    """Files with their times, but for what runs say and what is compiled on the way."""
    files = (path for path in folder.rglob("*") if path.is_file())
    ours = (path for path in files if path.suffix != ".log" and "__pycache__" not in path.parts)
    return {path: path.stat().st_mtime_ns for path in ours}


FOLDS = "synthetic/agreeing/d40_n40/rep1/kmeans_cv_accuracy.npz"
SCORES = "text/imdb/none_scores.csv"
FINAL = [
    *("tables/words_imdb.md", "tables/ratings.tex", "tables/real_trust.html"),
    *("figures/design_contradicting.png", "figures/legend_imdb.pdf"),
    *("explorer/imdb_kmeans.html", "REPRODUCTION.md"),
]


@pytest.mark.parametrize(
    ("damaged", "made_again"),
    [
        (
            [FOLDS],
            {
                "cross_validation study=synthetic, design=agreeing, d=40, n=40, method=kmeans",
                "scores study=synthetic, design=agreeing, d=40, n=40, method=kmeans",
                "anmi_table design=agreeing",
                *("cross_validation_table", "draws_table", "time_table", "reproduction", "all"),
            },
        ),
        (
            [SCORES],
            {
                "text_scores corpus=imdb, method=none",
                *("real_selected_table", "real_at_clusters_table", "real_time_table"),
                *("real_compactness_figure", "real_trust_figure", "reproduction", "all"),
            },
        ),
        (
            FINAL,
            {
                *("words_table corpus=imdb", "ratings_table", "real_trust_table"),
                *("design_figure design=contradicting", "legend_figure corpus=imdb"),
                *("explorer_page corpus=imdb, method=kmeans", "reproduction", "all"),
            },
        ),
    ],
)
def test_results_that_are_cut_short_by_hand(finished, quick, damaged, made_again):
    sizes = {name: cut(finished.results / name) for name in damaged}
    process = finished.start(targets=[])
    said = finished.wait(process)
    assert process.returncode == 0, said
    for name, (size, written) in sizes.items():
        place = f"results/quick/{name}"
        aside = f"{place.rpartition('/')[2]}.damaged"
        assert (
            f"{place} had {size} bytes, but {written} were written: it is put aside as {aside}, "
            "and made anew if it is needed\n" in said
        )
    assert jobs_in(said) == made_again
    kinds = ("tables", "figures", "explorer")
    assert products(finished.folder, kinds) == products(quick.folder, kinds)
    assert finished.project.planned(*QUICK) == {}


def cut(path):
    """Cut a file short at the end of a line, where a table looks whole; sizes now and before."""
    content = path.read_bytes()
    short = content[: len(content) // 2].rpartition(b"\n")[0] + b"\n"
    path.write_bytes(short)
    return len(short), len(content)


def test_who_only_looks_moves_nothing(finished):
    path = finished.results / FINAL[0]
    cut(path)
    looks = [["--dry-run"], ["--lint"], ["--summary"], ["--report", "report.html"]]
    for options in (*looks, ["--unlock"], ["--touch"]):
        finished.finish(*options, targets=[])
        assert path.exists() and not path.with_name(f"{path.name}.damaged").exists(), options


class Served:
    """A server on this machine that sends what it is told to."""

    def __init__(self):
        self.content = self.announced = b""
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", str(len(served.announced)))
                self.end_headers()
                self.wfile.write(served.content)

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/aclImdb_v1.tar.gz"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def served(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("CCC_DATA", raising=False)
    served = Served()
    yield served
    served.server.shutdown()
    served.server.server_close()


def test_a_download_that_is_altered_or_breaks_off(disturbed_in, served, tmp_path, monkeypatch):
    (tmp_path / "archives").mkdir()
    right = tmp_path / "archives/aclImdb_v1.tar.gz"
    write_sample_imdb(right)
    content = right.read_bytes()
    altered = bytearray(content)
    altered[len(altered) // 2] ^= 1
    first, second = (disturbed_in(tmp_path / name, ["words_imdb"]) for name in ("first", "second"))
    for copy in (first, second):
        publish(copy.folder, content, served.url)

    served.announced = served.content = bytes(altered)
    said = first.fail()
    assert f"corpus_archive corpus=imdb: ValueError: {served.url} is not aclImdb_v1.tar.gz" in said
    done = jobs_in(said)
    served.content = content[:1000]
    said = first.fail()
    assert "corpus_archive corpus=imdb: FileNotFoundError: aclImdb_v1.tar.gz could not" in said
    assert not done & jobs_in(said)
    assert not any((first.folder / "resources").iterdir())

    served.content = served.announced = content
    assert not done & first.finish()
    assert (first.folder / "resources/aclImdb_v1.tar.gz").read_bytes() == content
    monkeypatch.setenv("CCC_DATA", str(right.parent))
    second.finish()
    assert not (second.folder / "resources").exists()
    assert first.has_the_tables_of(second)


def publish(folder, content, url):
    """Have the corpus of a copy be this archive, to be found at this place."""
    config = folder / "config/quick.yaml"
    text = config.read_text()
    assert text.count("source: sample") == 1
    config.write_text(text.replace("source: sample", "source: official"))
    checksum = f"sha256:{hashlib.sha256(content).hexdigest()}"
    archive = ("aclImdb_v1.tar.gz", checksum, url, len(content), "a published archive")
    with (folder / "src/ccc/data/corpora.py").open("a") as module:
        module.write(f"\nCORPORA['imdb'] = (Archive{archive!r},)\n")
