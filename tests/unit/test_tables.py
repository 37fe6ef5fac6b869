"""The long table stands beside the published numbers; its other shapes say the same."""

import io

import numpy as np
import pandas as pd
import pytest

from ccc.tables import COLUMNS, compare, to_csv, to_latex, to_markdown


def measurement(value, method="proposed", n=40, selection="marginal_likelihood", gap=1e-7):
    return {
        "design": "contradicting",
        "method": method,
        "d": 40,
        "n": n,
        "measure": "anmi",
        "selection": selection,
        "value": value,
        "worst_gap": gap,
    }


@pytest.fixture
def published(repository):
    return pd.read_csv(repository / "config/published.csv")


@pytest.fixture
def frame(published):
    rows = [
        measurement(0.4, method="kmeans"),
        measurement(0.8, gap=3e-7),
        measurement(0.6),
        measurement(0.9, n=400),
        measurement(0.7, selection="cross_validation"),
        measurement(1.0, selection="best_on_path"),
    ]
    return compare(pd.DataFrame(rows), published, "anmi_contradicting", "quick run: 2 of 10")


def test_mean_sd_repetitions_and_worst_gap(frame):
    first = frame.iloc[0]
    assert list(frame.columns) == COLUMNS
    assert first["mean"] == pytest.approx(0.7)
    assert first["sd"] == pytest.approx(np.std([0.8, 0.6], ddof=1))
    assert (first["repetitions"], first["worst_gap"]) == (2, 3e-7)


def test_published_numbers_stand_beside_ours(frame):
    beside = frame.set_index(["method", "n", "selection"])[["published_mean", "published_sd"]]
    assert list(beside.loc[("proposed", 40, "marginal_likelihood")]) == [0.84, 0.11]
    assert list(beside.loc[("proposed", 40, "cross_validation")]) == [0.89, 0.03]
    assert beside.loc[("proposed", 40, "best_on_path")].isna().all()


def test_methods_come_in_the_order_of_the_paper(frame):
    assert list(frame["method"].unique()) == ["proposed", "kmeans"]


def test_every_row_carries_the_note(frame, published):
    assert (frame["note"] == "quick run: 2 of 10").all()
    estimated = measurement(60.0, method="scs", n=4000) | {
        "measure": "minutes_per_path",
        "selection": "",
    }
    runtime = compare(pd.DataFrame([estimated]), published, "runtime")
    assert runtime.loc[0, "note"] == "published value estimated"
    assert runtime.loc[0, "published_mean"] == 1590


def test_csv_reads_back(frame):
    again = pd.read_csv(io.StringIO(to_csv(frame)))
    pd.testing.assert_frame_equal(again, frame, rtol=1e-5)


def test_markdown_has_the_shape_of_the_paper(frame):
    text = to_markdown(frame, "anmi", "Caption.")
    assert "| d | n = 40 | paper | n = 400 | paper |" in text
    assert (
        "| 40 | 0.70 (0.14) <sub>0.70</sub> | 0.84 (0.11) <sub>0.89 (0.03)</sub> "
        "| 0.90 | 0.71 (0.20) |" in text
    )
    assert text.index("**Proposed Model**") < text.index("**k-means Clustering**")
    assert "Worst relative duality gap of any solution: 3.0e-07." in text
    assert "Quick run: 2 of 10." in text


def test_latex_rows_are_as_wide_as_the_table(frame):
    text = to_latex(frame, "anmi", "Ours & theirs, 50 %.")
    assert r"\begin{tabular}{ccllll}" in text and r"\toprule" in text and r"\bottomrule" in text
    assert r"0.70 (0.14) {\tiny 0.70} & 0.84 (0.11) {\tiny 0.89 (0.03)}" in text
    assert r"Ours \& theirs, 50 \%." in text
    assert r"\multicolumn{6}{c}{$k$-means Clustering}" in text
    data = [line for line in text.splitlines() if r"\bf 40 & 0" in line]
    assert [line.count("&") for line in data] == [5, 3]


def test_one_repetition_has_no_sd(published):
    single = compare(pd.DataFrame([measurement(0.5)]), published, "anmi_contradicting")
    assert single["sd"].isna().all()
    assert "| 40 | 0.50 | 0.84 (0.11) |" in to_markdown(single, "anmi", "Caption.")
