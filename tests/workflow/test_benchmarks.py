"""The benchmarks run, and write the rows that they print."""

import subprocess
import sys

import pandas as pd
import pytest

from ccc.data.sample import write_sample_glove
from ccc.storage import load_npz


@pytest.fixture
def rows_of(repository, tmp_path):
    """Run a benchmark; give its CSV file as a frame."""

    def run(name, *arguments):
        file = tmp_path / "rows.csv"
        command = [sys.executable, f"benchmarks/{name}.py", "--csv", str(file), *arguments]
        done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return pd.read_csv(file)

    return run


def test_exact_beside_admm(rows_of):
    size = ("--d", "20", "--n", "20", "--designs", "agreeing", "--count", "2")
    rows = rows_of("exact_paths", *size, "--admm-limit", "20").set_index("solver")
    assert list(rows.index) == ["exact", "admm"]
    assert (rows["basis"] == "path").all() and (rows["nus"] == 2).all()
    assert rows.loc["exact", "worst_gap"] < 1e-6
    assert (rows["seconds"] > 0).all() and (rows["peak_mb"] > 0).all()
    assert rows.loc["exact", "times"] == 1


def test_admm_that_takes_too_long_is_extrapolated_or_left_out(rows_of):
    size = ("--d", "20", "--n", "20", "--designs", "agreeing", "--count", "300")
    rows = rows_of("exact_paths", *size, "--admm-limit", "0.5").set_index("solver")
    assert rows.loc["admm", "basis"] in ("extrapolated", "none")
    assert rows.loc["admm", "nus"] < 300


def test_what_is_selected_from_an_exact_path_and_from_admm(rows_of):
    size = ("--d", "20", "--n", "20", "--count", "6", "--repetitions", "2")
    rows = rows_of("admm_selection", *size)
    assert list(rows["solver"]) == ["exact", "admm"] * 2
    assert (rows["selected"] <= rows["best"]).all() and rows["clusters"].between(1, 20).all()
    assert (rows.loc[rows["solver"] == "exact", "inaccurate"] == 0).all()


def test_other_ways_of_cross_validation(rows_of):
    size = ("--cells", "20,20", "--count", "6", "--repetitions", "2", "--anew")
    rows = rows_of("cross_validation", *size)
    ways = rows[["S", "folds", "score"]].apply(tuple, axis=1)
    assert len(set(ways)) == 8 == len(rows)
    assert rows["mean"].between(-0.5, 1).all() and (rows["worst_gap"] < 1e-6).all()
    assert rows["published"].isna().all()


def test_paths_with_sparsity(rows_of):
    size = ("--d", "20", "--n", "20", "--count", "5")
    rows = rows_of("sparsity", *size, "--shares", "0.2", "1.5").set_index("share")
    assert list(rows.index) == [0.0, 0.2, 1.5]
    assert rows["irrelevant"].iloc[0] == "0 to 0" and rows["irrelevant"].iloc[2] == "20 to 20"
    assert (rows["worst_gap"] < 1e-9).all()
    assert rows["times"].iloc[0] == 1


def test_a_sparse_mock_of_text(rows_of):
    (row,) = rows_of(
        "text_mocks",
        "--c",
        "3",
        "--d",
        "40",
        "--n",
        "80",
        "--words",
        "8",
        "--sparse",
        "--count",
        "5",
    ).to_dict("records")
    assert row["layout"] == "sparse"
    assert row["worst_gap"] < 1e-6
    assert row["peak_mb"] > 0


def test_the_baselines(rows_of):
    rows = rows_of("baselines", "--d", "20", "--n", "20", "--designs", "agreeing")
    assert {"kmeans", "scikit-learn", "convex", "knn"} == set(rows["method"])
    assert (rows["seconds"] > 0).all() and (rows["peak_mb"] > 0).all()
    convex = rows[rows["method"].isin(["convex", "knn"])]
    assert (convex["worst_gap"] < 1e-6).all()


def test_a_step_that_is_too_long_joins_nothing(rows_of):
    size = ("--d", "40", "--n", "400", "--designs", "contradicting")
    rows = rows_of("convex_steps", *size, "--step", "0.5").set_index("solved")
    assert rows.loc["exact", "clusters"] == rows.loc["AMA 1/d", "clusters"] == "40 5 5 5"
    assert rows.loc["exact grid", "clusters"] == "40 5 5 5"
    assert rows.loc["exact grid", "best_anmi"] >= rows.loc["exact", "best_anmi"]
    assert rows.loc["AMA 0.5", "clusters"] == "40 40 40 40"
    assert rows.loc["AMA 0.5", "worst_gap"] > 1e-3 > rows.loc["AMA 1/d", "worst_gap"]
    assert rows.loc["exact knn", "worst_gap"] < 1e-9


def test_the_selection(rows_of):
    size = ("--d", "40", "--n", "200", "--count", "12", "--clusterings", "cuts")
    rows = rows_of("selection", *size, "--sigmas", "0.1", "1").set_index("sigma")
    assert list(rows.index) == [0.1, 1.0] and (rows["clusterings"] == 12).all()
    assert (rows["error_best"] < 1e-3).all() and (rows["seconds"] > 0).all()


def test_all_solvers_side_by_side(rows_of):
    size = ("--d", "20", "--n", "20", "--count", "3")
    rows = rows_of("solvers", *size).set_index("solver")
    assert list(rows.index) == ["exact", "admm", "ecos", "scs", "clarabel"]
    assert (rows["basis"] == "path").all() and (rows["solved"] == 3).all()
    assert rows.loc["exact", "worst_gap"] < 1e-9 and (rows["worst_gap"] < 0.1).all()


def test_word_vectors_of_other_dimensions(rows_of, quick, tmp_path):
    files = {dim: tmp_path / f"glove.{dim}.zip" for dim in (100, 300)}
    for dim, file in files.items():
        write_sample_glove(file, dim=dim)
    where = ("--run", str(quick.folder / "results/quick"), "--count", "4")
    rows = rows_of(
        "glove_dimension", *where, "--small", str(files[100]), "--large", str(files[300])
    )
    assert rows["dimension"].tolist() == [100, 300] * 4
    assert (rows["gap"] <= 1e-6).all() and rows["agreement"].between(-0.1, 1.0).all()
    assert rows["clusters"].iloc[0] == 1 and rows["accuracy"].max() > 0.5


def test_words_by_admm(rows_of, quick):
    size = ("--nus", "0.1", "2", "--iterations", "20", "--every", "8")
    rows = rows_of("admm_words", "--run", str(quick.folder / "results/quick"), *size)
    assert rows["nu"].tolist() == [2.0] * 3 + [0.1] * 3
    assert rows["iterations"].tolist() == [8, 16, 24] * 2
    assert (rows["gap"] > 1e-9).all() and rows["accuracy"].between(0, 1).all()
    d = len(load_npz(quick.folder / "results/quick/text/newsgroup20/similarity.npz")["S"])
    assert (rows["clusters"] + rows["largest"] <= d + 1).all() and rows["exact"].between(1, d).all()
    assert rows["minutes"].iloc[2] > rows["minutes"].iloc[0]


@pytest.mark.parametrize("method", ["proposed", "convex"])
def test_words_at_penalties_between_and_beyond(rows_of, quick, method):
    where = ("--run", str(quick.folder / "results/quick"), "--method", method)
    rows = rows_of("beyond_grid", *where, "--between", "0.01", "1000", "--count", "5")
    assert rows["penalty"].iloc[[0, -1]].tolist() == [0.01, 1000.0]
    assert (rows["gap"] <= 1e-6).all() and rows["clusters"].iloc[0] > rows["clusters"].iloc[-1]
    assert (rows["clusters"] >= rows["single"]).all()
    assert rows["accuracy"].between(0, 1).all() and (rows["evidence"] < 0).all()


def test_evidence_of_other_documents(rows_of, quick):
    rows = rows_of("other_documents", "--run", str(quick.folder / "results/quick"), "--most", "5")
    assert 1 < len(rows) <= 5 and rows["penalty"].is_unique
    assert (rows[["own", "other"]] < 0).all(axis=None)
    assert rows[["accuracy", "afresh"]].max(axis=None) > 0.7
    assert (rows["own"] != rows["other"]).all()
