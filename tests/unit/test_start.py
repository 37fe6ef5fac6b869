"""A run that will change something looks for damage first; others change nothing."""

import os
from types import SimpleNamespace

import pytest

from ccc.locks import RunLocks
from ccc.seal import record_sizes
from ccc.start import with_a_look_around

TABLE = "results/quick/tables/scores.csv"


@pytest.fixture
def damaged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.makedirs("results/quick/tables")
    with open(TABLE, "w") as file:
        file.write("a,b\n1,2\n3,4\n")
    record_sizes([TABLE])
    os.truncate(TABLE, 8)


def start(**kind):
    """Start a run of a kind; what it is given, and whether the damaged file was still there."""
    seen = {}

    def execute(*arguments, **settings):
        seen.update(settings, arguments=arguments, there=os.path.exists(TABLE))

    settings = SimpleNamespace(**{"dryrun_exec": False, "touch_exec": False} | kind)
    plugin = SimpleNamespace(common_settings=settings)
    with_a_look_around(execute, RunLocks(), "results/quick")(executor_plugin=plugin, other=1)
    assert (seen["executor_plugin"], seen["other"], seen["arguments"]) == (plugin, 1, ())
    return seen["there"]


def test_a_run_puts_damaged_files_aside_before_it_plans(damaged, capsys):
    assert not start()
    assert capsys.readouterr().err == (
        f"{TABLE} had 8 bytes, but 12 were written: it is put aside as scores.csv.damaged, and "
        "made anew if it is needed\n"
    )


@pytest.mark.parametrize("kind", ["dryrun_exec", "touch_exec"])
def test_a_dry_run_and_touch_do_not(damaged, kind, capsys):
    assert start(**{kind: True})
    assert capsys.readouterr().err == ""


def test_a_run_beside_another_does_not(damaged):
    first = RunLocks()
    with first.held():
        first.started()
        assert start()
    assert not start()


def test_a_dry_run_is_in_nobodys_way(damaged):
    def look():
        with RunLocks().held() as alone:
            return alone

    seen = []
    plugin = SimpleNamespace(common_settings=SimpleNamespace(dryrun_exec=True, touch_exec=False))
    dry = with_a_look_around(lambda **_: seen.append(look()), RunLocks(), "results/quick")
    dry(executor_plugin=plugin)
    assert seen == [True]
