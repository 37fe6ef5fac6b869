"""Where a solver stands on its grid."""

import logging

import pytest

from ccc.progress import Progress


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
