"""The table and figures of the runtimes: what was measured, what was not, and how they look."""

import numpy as np
import pandas as pd
import pytest

from ccc.plots import accuracy_figure, scaling_figure
from ccc.plots.runtime import growth
from ccc.tables import escape, runtime_frame, runtime_shapes
from ccc.tables.runtime import significant


def timing(solver, d=40, n=40, seconds=60.0, basis="path", solved=300, **more):
    row = {
        "solver": solver,
        "design": "contradicting",
        "d": d,
        "n": n,
        "repetition": 0,
        "threads": 1,
        "seconds": seconds,
        "basis": basis,
        "at_least": np.nan,
        "solved": solved,
        "ending": "finished",
        "message": "",
        "worst_gap": 1e-11 if solver == "exact" else 1e-5,
        "statuses": f"{solved} optimal" if solved else "",
        "iterations": 3.0,
        "setup_seconds": 0.5,
        "peak_mb": 300.0,
        "size": "",
    }
    return row | more


def missing(solver, basis, d=40, n=40, **more):
    nothing = {"seconds": np.nan, "solved": 0, "worst_gap": np.nan, "statuses": ""}
    return timing(solver, d, n, basis=basis, ending=basis, **nothing | more)


@pytest.fixture
def times(tmp_path):
    frame = pd.DataFrame(
        [
            timing("exact", seconds=0.5),
            timing("exact", seconds=0.7, repetition=1),
            timing("exact", n=400, seconds=1.2),
            timing("exact", d=200, seconds=3.0),
            timing("ecos", seconds=60.0),
            timing("ecos", n=400, seconds=600.0, basis="extrapolated", solved=20, ending="time"),
            missing("ecos", "time", d=200, at_least=300 * 40.0),
            missing("scs", "memory", message="more than 9 MB", size="780 + 160 cones"),
            timing("scs", n=400, statuses="290 optimal, 10 optimal_inaccurate", worst_gap=0.1),
            missing("scs", "failed", d=200, message="ended by SIGSEGV"),
            timing("clarabel", seconds=50.0),
            missing("clarabel", "memory", repetition=1),
            timing("clarabel", n=400, basis="extrapolated", solved=5, ending="failed"),
            missing("clarabel", "setup", d=200, setup_seconds=120.0, at_least=120.0),
        ]
    )
    # As the workflow has it: an empty text comes back as no value.
    frame.to_csv(tmp_path / "times.csv", index=False)
    return pd.read_csv(tmp_path / "times.csv")


@pytest.fixture
def frame(times, repository):
    published = pd.read_csv(repository / "config/published.csv")
    return runtime_frame(times, published, "runtime", "quick run")


def cell(frame, method, d=40, n=40):
    keep = (frame["method"] == method) & (frame["d"] == d) & (frame["n"] == n)
    (row,) = frame[keep].to_dict("records")
    return row


def test_minutes_and_ratios_beside_the_published_ones(frame):
    exact, ecos = cell(frame, "exact"), cell(frame, "ecos")
    assert exact["mean"] == pytest.approx(0.01) and exact["repetitions"] == 2
    assert exact["sd"] == pytest.approx(np.std([0.5, 0.7], ddof=1) / 60)
    assert np.isnan(exact["published_mean"]) and exact["times_exact"] == 1
    assert (ecos["mean"], ecos["published_mean"]) == (1.0, 6.75)
    # Only the first repetition was solved by both.
    assert ecos["times_exact"] == pytest.approx(60 / 0.5)
    assert list(frame["method"].unique()) == ["exact", "ecos", "scs", "clarabel"]
    assert frame["note"].str.startswith("quick run").all()


def test_what_could_not_be_measured_says_why(frame):
    late = cell(frame, "ecos", d=200)
    assert np.isnan(late["mean"]) and late["at_least"] == 300 * 40 / 60
    assert late["times_exact"] == pytest.approx(300 * 40 / 3)
    assert cell(frame, "scs")["message"] == "more than 9 MB"
    assert cell(frame, "scs", d=200)["basis"] == "failed"
    assert np.isnan(cell(frame, "scs", d=200)["times_exact"])


def test_a_repetition_without_a_number_is_counted_not_averaged(frame):
    row = cell(frame, "clarabel")
    assert (row["mean"], row["missing"], row["repetitions"]) == (50 / 60, 1, 2)
    assert row["times_exact"] == pytest.approx(50 / 0.5)


def test_the_shapes_leave_nothing_out(frame):
    minutes, ratios, gaps, memory, setup = runtime_shapes(frame)
    lines = {(row[0], row[1]): list(row[2:]) for row in minutes.itertuples(index=False)}
    assert lines["exact (ours)", "40"] == ["0.010 (0.0024)", "–", "0.020", "–"]
    assert lines["ECOS", "40"] == ["1.0", "6.75 (0.84)", "10* [20]", "18.9 (0.19)"]
    assert lines["ECOS", "200"][0] == "> 200*"
    assert lines["SCS", "40"][0] == "does not fit (780 + 160 cones)"
    assert lines["SCS", "200"][0] == "failed (ended by SIGSEGV)"
    assert lines["Clarabel", "40"][0] == "0.83 [1 of 2: memory]"
    assert lines["Clarabel", "40"][2] == "1.0* [5, then failed]"
    assert lines["Clarabel", "200"][0] == "not set up in 120 s"
    assert list(ratios.columns)[:4] == ["d", "n", "ECOS / exact", "SCS / exact"]
    assert list(ratios["ECOS / exact"]) == ["120", "500*", "> 4,000*"]
    assert list(ratios["Clarabel / exact"]) == ["100", "50*", "> 40"]
    assert list(gaps["SCS gap"]) == ["–", "1e-01 (10 optimal_inaccurate)", "–"]
    assert list(memory["exact (ours) MB"]) == ["300", "300", "300"]
    assert list(setup["Clarabel setup, s"]) == ["0.50", "0.50", "120"]


def test_the_latex_cells_are_escaped(frame):
    _, _, gaps, *_ = runtime_shapes(frame)
    assert escape(gaps["SCS gap"][1]) == r"1e-01 (10 optimal\_inaccurate)"
    assert escape("> 4,000*") == "$>$ 4,000*"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.00671, "0.0067"),
        (1.04, "1.0"),
        (9.97, "10"),
        (12.6, "13"),
        (65140.0, "65,000"),
        (0, "0"),
    ],
)
def test_two_significant_digits(value, text):
    assert significant(value) == text


def test_the_exponent_of_a_power_is_found():
    assert growth([40, 200, 1000], [1.0, 25.0, 625.0]) == pytest.approx(2.0)
    assert growth([40, 200, 1000], [1.0, np.nan, 25.0]) == pytest.approx(1.0)
    assert np.isnan(growth([40], [1.0]))


def test_scaling_has_a_panel_per_size_and_an_exponent_per_line(frame):
    figure = scaling_figure(frame, "quick run")
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["n = 40", "n = 400", "d = 40", "d = 200"]
    over_d = figure.axes[0]
    assert over_d.get_xscale() == over_d.get_yscale() == "log"
    expected = growth([40, 200], [0.6, 3.0])
    assert f"{expected:.1f}" in [text.get_text() for text in over_d.texts]
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["exact (ours)", "ECOS", "SCS", "Clarabel"]
    # One arrow for each lower bound.
    assert len([text for text in over_d.texts if text.get_text() == ""]) == 2


def test_accuracy_has_a_panel_per_nu_and_a_line_per_solver():
    points = pd.DataFrame(
        [
            {"solver": solver, "nu": nu, "setting": tol, "seconds": 1 / tol, "gap": tol}
            for solver in ("exact", "scs")
            for nu in (0.1, 10.0)
            for tol in (1e-2, 1e-4)
        ]
    )
    figure = accuracy_figure(points)
    assert [axes.get_title() for axes in figure.axes] == ["ν = 10", "ν = 0.1"]
    for axes in figure.axes:
        assert [line.get_label() for line in axes.get_lines()] == ["exact (ours)", "SCS"]
        assert list(axes.get_lines()[1].get_ydata()) == [1e-2, 1e-4]
