"""Tables and figure of simulated runs."""

import pandas as pd
import pytest

from ccc.plots import save_figure, scale_figure
from ccc.schedule import Job, share_machine, simulate
from ccc.tables import chain_frame, chain_shapes, latex_table, scale_frame, scale_shapes

# Two short jobs, a long one that needs both, and one that is timed.
JOBS = [
    Job("draw x=1", 60.0, rule="draw"),
    Job("draw x=2", 120.0, rule="draw"),
    Job("fit_all", 600.0, ["draw x=1", "draw x=2"], rule="fit_all"),
    Job("timed", 240.0, ["fit_all"], cores=88, machine=1, rule="timed"),
]


@pytest.fixture(scope="module")
def schedules():
    return [simulate(JOBS, cores) for cores in (1, 2, 88)]


def test_the_table_has_times_bounds_and_use(schedules):
    frame = scale_frame(schedules, "quick run").set_index("cores")
    assert list(frame["makespan_seconds"]) == [1020.0, 960.0, 960.0]
    assert list(frame["speedup"]) == [1.0, 1020 / 960, 1020 / 960]
    assert list(frame["utilisation"]) == [1.0, 1020 / 1920, 1020 / (88 * 960)]
    assert frame.loc[88, "held"] == (780 + 88 * 240) / (88 * 960)
    assert (frame["critical_path_seconds"] == 960.0).all()
    assert list(frame["bound_seconds"]) == [1020.0, 960.0, 960.0]
    assert (frame["work_seconds"] == 1020.0).all() and (frame["jobs"] == 4).all()
    assert frame.loc[88, "chain"] == "fit_all 62%, timed 25%, draw 12%"
    assert (frame["note"] == "quick run").all()


def test_the_chain_names_the_longest_job_of_each_rule(schedules):
    frame = chain_frame(schedules)
    one, two = (frame[frame["cores"] == cores].set_index("rule") for cores in (1, 2))
    assert list(one["jobs"]) == [1, 1, 2] and list(two["jobs"]) == [1, 1, 1]
    assert list(one.index) == ["fit_all", "timed", "draw"]
    assert one.loc["draw", "longest"] == "draw x=2" and one.loc["draw", "seconds"] == 180.0
    assert one["share"].sum() == pytest.approx(1.0)


def test_the_text_is_in_minutes_and_fit_for_latex(schedules):
    text = scale_shapes(scale_frame(schedules))
    assert list(text["markdown"][0]["minutes"]) == ["17.0", "16.0", "16.0"]
    assert r"fit\_all 62\%" in text["latex"][0]["most of the time goes to"][2]
    blocks = chain_shapes(chain_frame(schedules))
    assert [block["cores"].unique().tolist() for block in blocks["markdown"]] == [
        ["1"],
        ["2"],
        ["88"],
    ]
    assert r"fit\_all & 1 & 10.0" in latex_table(blocks["latex"], "", "", "x")


def test_timed_jobs_that_hold_some_cores_run_beside_each_other(tmp_path):
    jobs = [Job(f"timed {i}", 60.0, cores=88, machine=1, rule="timed") for i in range(4)]
    jobs.append(Job("long", 100.0, rule="long"))
    alone, shared = simulate(jobs, 88), simulate(share_machine(jobs, 8), 88)
    assert (alone.makespan, shared.makespan) == (340.0, 100.0)
    assert simulate(share_machine(jobs, 8), 8).makespan == alone.makespan
    schedules = [simulate(jobs, 1), alone, shared]
    frame = scale_frame(schedules)
    assert frame["timed"].tolist() == ["alone", "alone", "8 cores each"]
    assert scale_frame([simulate(jobs[-1:], 88)])["timed"].tolist() == ["–"]
    assert [len(block) for block in chain_shapes(chain_frame(schedules))["markdown"]] == [2, 2, 1]
    time, use = scale_figure(frame).axes
    lines = {line.get_label(): line.get_ydata() for line in time.lines}
    assert list(lines["timed: 8 cores each"]) == [100 / 60]
    assert len(use.containers[0]) == 2


def test_a_run_without_jobs_has_a_table(schedules):
    empty = [simulate([], 2)]
    assert scale_frame(empty)["makespan_seconds"].tolist() == [0.0]
    assert isinstance(chain_frame(empty), pd.DataFrame) and chain_frame(empty).empty


def test_the_figure_shows_the_run_between_its_bounds(schedules, tmp_path):
    figure = scale_figure(scale_frame(schedules), "quick run")
    time, use = figure.axes
    run, shared, longest = (line.get_ydata() for line in time.lines)
    assert list(run) == [17.0, 16.0, 16.0]
    assert (run >= shared).all() and (run >= longest).all()
    assert [bar.get_height() for bar in use.containers[1]] == pytest.approx(
        [100, 100 * 1020 / 1920, 100 * 1020 / (88 * 960)]
    )
    save_figure(figure, tmp_path / "scale.pdf", tmp_path / "scale.png")
    assert (tmp_path / "scale.png").read_bytes().startswith(b"\x89PNG")
