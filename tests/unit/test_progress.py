"""Where a solver stands on its grid, and a download in its file."""

import logging

import pytest

from ccc.progress import Bytes, Progress


@pytest.mark.parametrize(("total", "told"), [(300, 10), (10, 10), (25, 10), (3, 3), (1, 1)])
def test_without_a_terminal_the_log_has_at_most_ten_lines(caplog, capsys, total, told):
    caplog.set_level(logging.INFO, logger="ccc.progress")
    with Progress(total, show=True) as progress:
        for i in range(total):
            progress.step(2.0**i, 7, 1e-12)
    assert len(caplog.messages) == told
    assert caplog.messages[-1].startswith(f"{total} of {total} ν in ")
    assert "clusters=7 gap=1.0e-12" in caplog.messages[-1]
    assert capsys.readouterr().err == ""


def test_long_steps_are_told_every_minute(caplog, monkeypatch):
    caplog.set_level(logging.INFO, logger="ccc.progress")
    clock = iter(range(0, 100_000, 20))
    monkeypatch.setattr("ccc.progress.time.perf_counter", lambda: float(next(clock)))
    with Progress(1000, show=False) as progress:
        for i in range(6):
            progress.approach(1.0 + i, 9)
        for i in range(6):
            progress.step(8.0 + i, 9, 1e-12)
    way = [line for line in caplog.messages if line.startswith("on the way to the grid for ")]
    assert way
    assert way[0].endswith("ν=4 clusters=9")
    rest = [line for line in caplog.messages if line not in way]
    assert rest
    # 20 s a step since the grid began, 996 left: the way there does not count.
    done, seconds = int(rest[0].split()[0]), float(rest[0].split("about ")[1].split()[0])
    assert seconds == pytest.approx(20 * (1000 - done), rel=0.5)


@pytest.mark.parametrize(
    ("total", "said"),
    [
        (862_000_000, "a.zip: 120.0 of 862.0 MB in 60 s, 2 MB/s, about 371 s to go"),
        (0, "a.zip: 120.0 MB in 60 s, 2 MB/s"),
    ],
)
def test_a_download_is_told_every_minute(caplog, monkeypatch, total, said):
    caplog.set_level(logging.INFO, logger="ccc.progress")
    clock = iter(range(0, 100_000, 20))
    monkeypatch.setattr("ccc.progress.time.perf_counter", lambda: float(next(clock)))
    progress = Bytes("a.zip")
    progress.total = total
    for _ in range(6):
        progress.update(40_000_000)
    assert len(caplog.messages) == 2
    assert caplog.messages[0] == said
