"""The long table stands beside the published numbers; its other shapes say the same."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from ccc.tables import (
    COLUMNS,
    compare,
    distances,
    draws_frame,
    draws_shape,
    latex_table,
    markdown_table,
    measurements,
    side_by_side,
    summarise,
    time_spent,
    to_csv,
    to_latex,
    to_markdown,
)
from tests.latex import ENGINE, check_compiles, check_structure


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


def chosen(anmi, n=40, study="synthetic", method="proposed", by="evidence_first", clusters=10):
    return {
        "study": study,
        "design": "contradicting",
        "method": method,
        "d": 40,
        "n": n,
        "parameter": "k" if method == "kmeans" else "nu",
        "nu": clusters if method == "kmeans" else n / 8,
        "selected_by": by,
        "anmi": anmi,
        "anmi_arithmetic": anmi + 0.01,
        "n_clusters": clusters,
        "sigma": 0.1,
        "n_tied_sigma": 9,
        "worst_gap": 1e-9,
    }


@pytest.fixture
def selected():
    return pd.DataFrame(
        [
            chosen(0.8),
            chosen(0.6, clusters=8),
            chosen(0.9, by="cv_accuracy"),
            chosen(0.5, n=400),
            chosen(0.74, study="released"),
            chosen(0.84, study="released"),
            chosen(0.3, method="kmeans", by="cv_accuracy"),
        ]
    )


def test_measurements_are_what_was_selected_by_the_named_criteria(selected):
    names = {"evidence_first": "marginal_likelihood"}
    long = measurements(selected[selected["study"] == "synthetic"], names)
    assert set(long["selection"]) == {"marginal_likelihood"}
    values = long[long["n"] == 40].groupby("measure")["value"].apply(list)
    assert values["anmi"] == [0.8, 0.6] and values["clusters"] == [10, 8]
    assert values["anmi_arithmetic"] == pytest.approx([0.81, 0.61])


def test_every_draw_is_a_row_and_a_number_in_the_row_of_its_cell(selected):
    frame = draws_frame(selected.assign(repetition=[1, 0, 0, 0, 0, 1, 0]), "draws", "quick run")
    assert len(frame) == len(selected) and (frame["note"] == "quick run").all()
    text = draws_shape(frame, "synthetic", "evidence_first")
    assert text.to_dict("records") == [
        {
            "design": "contradicting",
            "method": "Proposed Model",
            "d": 40,
            "n": 40,
            "ANMI": "0.60 0.80",
            "clusters": "8 10",
        },
        {
            "design": "contradicting",
            "method": "Proposed Model",
            "d": 40,
            "n": 400,
            "ANMI": "0.50",
            "clusters": "10",
        },
    ]


def test_measurements_tell_where_on_its_path_a_clustering_was_selected(selected):
    long = measurements(selected, {"evidence_first": "evidence", "cv_accuracy": "cv"})
    where = long[long["measure"] == "log2_nu_over_n"]
    assert set(where["method"]) == {"proposed"} and set(where["value"]) == {-3.0}
    k = long[long["measure"] == "k"]
    assert list(k["method"]) == ["kmeans"] and list(k["value"]) == [10]


@pytest.fixture
def ways(selected, published):
    rows = selected[selected["selected_by"] == "evidence_first"]
    return summarise(rows, "study", published, "marginal_likelihood", "variants", "quick run")


def test_ways_of_selecting_stand_beside_the_published_numbers(ways):
    main, other = (
        ways[(ways["n"] == 40) & (ways["study"] == study)].iloc[0]
        for study in ("synthetic", "released")
    )
    assert (main["mean"], main["clusters"], main["repetitions"]) == (pytest.approx(0.7), 9, 2)
    assert main["published_mean"] == other["published_mean"] == 0.84
    assert main["difference"] == pytest.approx(-0.14)
    assert (ways["note"] == "quick run").all() and (ways["table"] == "variants").all()


def test_distances_compare_the_same_cells(ways):
    far = distances(ways, "study", "synthetic").set_index("study")
    assert far["cells"].to_dict() == {"synthetic": 2, "released": 1}
    assert far.loc["synthetic", "mean_absolute"] == pytest.approx((0.14 + 0.21) / 2)
    assert far.loc["synthetic", "root_mean_square"] == pytest.approx(
        np.sqrt((0.14**2 + 0.21**2) / 2)
    )
    assert far.loc["released", "mean_absolute"] == pytest.approx(0.05)
    # The main experiment at n = 40 alone, since the variant has no other cell.
    assert far.loc["released", "reference_root_mean_square"] == pytest.approx(0.14)


def test_a_column_per_way_in_the_order_asked_for(ways):
    text = side_by_side(ways, "study", {"released": "A", "synthetic": "B"}, "<sub>{}</sub>")
    assert list(text.columns) == ["design", "d", "n", "A", "B", "paper"]
    assert list(text.iloc[0])[3:] == [
        "0.79 (0.07) <sub>10.0</sub>",
        "0.70 (0.14) <sub>9.0</sub>",
        "0.84 (0.11)",
    ]
    assert text.loc[1, "A"] == "–"


def test_methods_are_named_where_there_are_several_in_the_order_of_the_paper(selected, published):
    rows = selected[selected["selected_by"] == "cv_accuracy"].iloc[::-1]
    frame = summarise(rows, "selected_by", published, "cross_validation", "cv")
    text = side_by_side(frame, "selected_by", {"cv_accuracy": "accuracy"})
    assert list(text["method"]) == ["Proposed Model", "k-means Clustering"]
    assert list(text["paper"]) == ["0.89 (0.03)", "0.52 (0.12)"]


def test_frames_of_text_as_markdown_and_latex():
    frame = pd.DataFrame({"tied σ": ["–", "2"], "50 %": ["a", "b"]})
    text = markdown_table([frame, frame], "Caption.", "Footnote.")
    assert text.startswith("Caption.\n\n| tied σ | 50 % |\n| :-- | :-- |\n| – | a |")
    assert text.count("| 2 | b |") == 2 and text.endswith("\n\nFootnote.\n")
    tex = latex_table([frame, frame], "Of σ & ν.", "Footnote.", "label")
    assert r"\caption{Of $\sigma$ \& $\nu$. Footnote.}" in tex and r"\label{tab:label}" in tex
    assert r"tied $\sigma$ & 50 \% \\" in tex and r"-- & a \\" in tex
    assert tex.count(r"\begin{tabular}{ll}") == tex.count(r"\end{tabular}") == 2


def test_long_text_is_broken_into_lines_of_what_the_other_columns_leave():
    frame = pd.DataFrame({"cluster": ["1", "2"], "words": ["a", "good movie " * 10]})
    tex = latex_table([frame], "Caption.", "Footnote.", "label")
    assert r"{l>{\raggedright\arraybackslash}p{0.85\linewidth}}" in tex
    many = frame.assign(**{f"column {k}": "x" * 20 for k in range(5)}, ratings="1/10 | " * 10)
    # However little is left.
    assert latex_table([many], "", "", "label").count(r"p{0.12\linewidth}") == 2


def test_the_tables_of_the_full_run_are_well_formed_in_latex(repository):
    files = list((repository / "results/paper/tables").glob("*.tex"))
    assert files
    for file in files:
        check_structure(file)


@pytest.mark.skipif(ENGINE is None, reason="no pdflatex on the PATH")
def test_the_tables_of_the_full_run_compile(repository, tmp_path):
    check_compiles(sorted((repository / "results/paper/tables").glob("*.tex")), tmp_path)


def test_time_spent_is_summed_per_rule_and_size(tmp_path):
    def job(name, seconds, memory):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"s": seconds, "max_rss": memory}) + "\n")

    job("path/synthetic/agreeing/d40_n40.jsonl", 2.0, 100.0)
    job("path/synthetic/agreeing/d40_n400/rep0.jsonl", 5.0, 300.0)
    job("path/admm/agreeing/d1000_n40/rep0.jsonl", 1.0, "NA")
    job("kernels.jsonl", 30.0, 200.0)
    job("other.jsonl", 99.0, 200.0)
    spent = time_spent(tmp_path, ["path", "kernels"])
    assert list(spent["rule"]) == ["kernels", "path", "path"]
    assert spent["d"].tolist() == [pd.NA, 40, 1000]
    assert spent["jobs"].tolist() == [1, 2, 1]
    assert spent["total_seconds"].tolist() == [30.0, 7.0, 1.0]
    assert spent["max_memory_mb"].tolist()[:2] == [200.0, 300.0]
    assert np.isnan(spent["max_memory_mb"].iloc[2])


def test_time_spent_on_corpora_is_summed_per_rule_and_corpus(tmp_path):
    for name, seconds in (
        ("text_proposed/imdb_0.jsonl", 2.0),
        ("text_proposed/imdb_1.jsonl", 3.0),
        ("text_proposed/newsgroup20_0.jsonl", 30.0),
        ("text_scores_part/imdb/proposed_0.jsonl", 1.0),
        ("group_lasso/newsgroup20.jsonl", 7.0),
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"s": seconds, "max_rss": 10.0}) + "\n")
    rules = ["text_proposed", "text_scores_part", "group_lasso"]
    spent = time_spent(tmp_path, rules, "corpus")
    assert spent[["rule", "corpus", "total_seconds"]].to_numpy().tolist() == [
        ["text_proposed", "imdb", 5.0],
        ["text_proposed", "newsgroup20", 30.0],
        ["group_lasso", "newsgroup20", 7.0],
        ["text_scores_part", "imdb", 1.0],
    ]
