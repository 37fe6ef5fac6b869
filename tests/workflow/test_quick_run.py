"""The quick run, end to end: what comes out of it."""

import json
import re
import runpy
import shutil
import sys

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml

from ccc.reproduction import CLAIMS
from tests.latex import ENGINE, check_compiles, check_structure

QUICK = ("--configfile", "config/quick.yaml")
REDUCED = "quick run: d = 40; n = 40, 400; 2 of 10 repetitions; 30 of 300 ν; 51 of 1501 γ"
REDUCED_TEXT = (
    "Quick run: embedded sample corpora; 400 of 10000 words; 600 of 10000 documents to learn from"
)
TEXT_TABLES = [
    "real_covariates",
    "real_selected",
    "real_at_clusters",
    "real_trust",
    "real_settled",
    "real_similarity",
    "real_excerpts",
    "real_time_spent",
    "ratings",
    "words_imdb",
    "words_newsgroup20",
]
TABLES = [
    "anmi_contradicting",
    "anmi_agreeing",
    "sigma_rules",
    "cross_validation_scores",
    "synthetic_variants",
    "synthetic_draws",
    "runtime",
    "time_spent",
    "runtime_time_spent",
]
FIGURES = [
    f"{what}_{design}{size}"
    for design in ("contradicting", "agreeing")
    for what, size in (("design", ""), ("path", "_d40"), ("evidence", ""))
] + [
    *("runtime_scaling", "runtime_accuracy", "real_compactness", "real_trust"),
    *("legend_imdb", "legend_newsgroup20"),
    *(f"tree_imdb_{method}_bad_movie" for method in ("kmeans", "convex", "proposed")),
    "tree_imdb_proposed_good_movie",
    *(f"tree_newsgroup20_{method}_macintosh" for method in ("kmeans", "proposed")),
]
PAGES = [
    f"{corpus}_{method}"
    for corpus in ("imdb", "newsgroup20")
    for method in ("proposed", "convex", "kmeans")
]


@pytest.fixture(scope="module")
def tables(quick):
    return quick.folder / "results/quick/tables"


def test_nothing_is_left_to_do(quick):
    assert quick.planned(*QUICK) == {}


@pytest.mark.parametrize("table", ["anmi_contradicting", "anmi_agreeing"])
def test_the_tables_have_the_columns_that_readers_rely_on(quick, tables, table):
    schema = yaml.safe_load((quick.folder / "workflow/schemas/table.schema.yaml").read_text())
    frame = pd.read_csv(tables / f"{table}.csv")
    assert list(frame.columns) == list(schema["properties"])
    for row in frame.to_dict("records"):
        jsonschema.validate({key: value for key, value in row.items() if pd.notna(value)}, schema)


def test_the_table_holds_the_experiment_beside_the_published_numbers(tables):
    frame = pd.read_csv(tables / "anmi_contradicting.csv")
    assert list(frame["method"].unique()) == ["proposed", "convex", "kmeans"]
    rows = frame[(frame["measure"] == "anmi") & (frame["method"] == "proposed")]
    evidence, cross_validation, best = (
        rows[rows["selection"] == name]
        for name in ("marginal_likelihood", "cross_validation", "best_on_path")
    )
    assert list(evidence["n"]) == [40, 400]
    assert list(evidence["published_mean"]) == [0.84, 0.71]
    assert list(cross_validation["published_mean"]) == [0.89]
    assert (frame["repetitions"] == 2).all()
    assert evidence["mean"].between(0.5, 1.0).all()
    assert (best["mean"].to_numpy() >= evidence["mean"].to_numpy()).all()
    certified = frame[frame["method"] != "kmeans"]
    assert certified["worst_gap"].between(0, 1e-6).all()


def test_variants_stand_beside_the_main_experiment(tables):
    frame = pd.read_csv(tables / "synthetic_variants.csv")
    here = frame[(frame["design"] == "contradicting") & (frame["n"] == 40)]
    assert list(here["study"]) == [
        "synthetic",
        "true_similarity",
        "released_weights",
        "released",
        "admm",
    ]
    assert (here["published_mean"] == 0.84).all()
    main = here[here["study"] == "synthetic"].iloc[0]
    assert np.allclose(here["reference_mean_absolute"][1:], abs(main["difference"]))
    # The ADMM stops at its limit of iterations, and says so.
    gap = here.set_index("study")["worst_gap"]
    assert gap["admm"] > 1e-6 > gap.drop("admm").max()


def test_the_means_are_those_of_the_single_draws(tables):
    draws = pd.read_csv(tables / "synthetic_draws.csv")
    here = draws[(draws["study"] == "synthetic") & (draws["selected_by"] == "evidence_first")]
    cell = ["design", "method", "d", "n"]
    long = pd.concat(
        pd.read_csv(tables / f"anmi_{design}.csv") for design in ("contradicting", "agreeing")
    )
    long = long[(long["measure"] == "anmi") & (long["selection"] == "marginal_likelihood")]
    means = long.set_index(cell)["mean"].sort_index()
    of_draws = here.groupby(cell)["anmi"].mean().sort_index()
    np.testing.assert_allclose(of_draws, means, rtol=1e-5)
    # Cross-validation rests on the paths of its folds, too.
    by = draws[(draws["method"] == "proposed") & (draws["n"] == 40)].set_index("selected_by")
    worst = by[by["study"] == "synthetic"]["worst_gap"].groupby(level=0).max()
    assert worst["evidence_first"] <= worst["cv_accuracy"] <= 1e-6


def test_variants_that_draw_the_same_data_share_their_files(quick):
    results = quick.folder / "results/quick"
    cell = "contradicting/d40_n40/rep0"
    made = {
        study: {file.stem for file in (results / study / cell).iterdir()}
        for study in ("true_similarity", "released_weights", "released", "admm")
    }
    own = {"proposed", "proposed_evidence"}
    assert made["admm"] == own
    assert made["true_similarity"] == made["released"] == own | {"similarity"}
    assert made["released_weights"] == own | {"similarity", "data", "sigma"}


def test_every_solver_is_timed_on_the_same_problem(tables):
    frame = pd.read_csv(tables / "runtime.csv").set_index("method")
    assert list(frame.index) == ["exact", "admm", "ecos", "scs", "clarabel"]
    assert list(frame["repetitions"]) == [2, 1, 1, 1, 1]
    assert (frame["measure"] == "minutes_per_path").all()
    assert frame.loc["ecos", "published_mean"] == 6.75
    exact, rivals = frame.loc["exact"], frame.drop("exact")
    assert exact["basis"] == "path" and exact["worst_gap"] < 1e-9
    assert exact["times_exact"] == 1 and (rivals["times_exact"] > 1).all()
    assert (frame["solved"] > 0).all() and frame["machine"].nunique() == 1


def test_the_time_of_every_job_is_in_one_of_the_tables(quick, tables):
    files = list((quick.folder / "results/quick/benchmarks").rglob("*.jsonl"))
    names = ("time_spent", "runtime_time_spent", "real_time_spent")
    spent = pd.concat(pd.read_csv(tables / f"{name}.csv").assign(of=name) for name in names)
    assert spent["jobs"].sum() == len(files)
    assert (spent.groupby("rule")["of"].nunique() == 1).all()
    assert {"proposed_path", "path_time", "text_proposed"} <= set(spent["rule"])
    report = (quick.folder / "results/quick/REPRODUCTION.md").read_text()
    assert f"took {spent['total_seconds'].sum() / 3600:.1f} hours" in report


def test_every_table_and_figure_is_there(quick, tables):
    for table in TABLES + TEXT_TABLES:
        for kind in ("csv", "md", "tex", "html"):
            assert (tables / f"{table}.{kind}").stat().st_size > 0
    for name in FIGURES:
        figure = quick.folder / "results/quick/figures" / name
        assert figure.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
        assert figure.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    for name in PAGES:
        page = (quick.folder / "results/quick/explorer" / f"{name}.html").read_text()
        assert REDUCED_TEXT in page and '"selected":null' not in page


@pytest.mark.parametrize("table", TABLES)
def test_tables_say_that_the_run_is_reduced(tables, table):
    assert (pd.read_csv(tables / f"{table}.csv")["note"] == REDUCED).all()
    assert REDUCED[1:] in (tables / f"{table}.md").read_text()
    latex = REDUCED[1:].replace("ν", r"$\nu$").replace("γ", r"$\gamma$")
    assert latex in (tables / f"{table}.tex").read_text()


@pytest.mark.parametrize("table", TEXT_TABLES)
def test_tables_of_corpora_say_that_these_are_made_up(tables, table):
    text = (tables / f"{table}.md").read_text()
    assert REDUCED_TEXT in text and ".." not in text.split(REDUCED_TEXT)[1]
    assert REDUCED_TEXT in (tables / f"{table}.tex").read_text()


def test_the_sample_corpora_go_all_the_way_to_the_tables(tables):
    selected = pd.read_csv(tables / "real_selected.csv")
    assert set(selected["design"]) == {"imdb", "newsgroup20"}
    assert list(selected["method"].unique()) == ["proposed", "convex", "kmeans", "none"]
    assert (selected["published_mean"].notna()).all()
    accuracy = selected[selected["measure"] == "heldout_accuracy"]
    assert (accuracy["mean"] > 0.7).all()
    paths = selected[selected["method"].isin(["proposed", "convex"])]
    assert paths["worst_gap"].between(0, 1e-6).all()
    settled = pd.read_csv(tables / "real_settled.csv")
    assert (settled["worst_gap"] <= 1e-10).all() and (settled["worst_gap_tighter"] <= 1e-11).all()
    assert settled["same"].all() and set(settled["corpus"]) == {"imdb", "newsgroup20"}
    assert (settled.groupby("corpus")["selected"].sum() == 1).all()
    covariates = pd.read_csv(tables / "real_covariates.csv")
    chosen = covariates[covariates["selected"]].set_index("corpus")["n_embedded"]
    of_tables = accuracy[accuracy["method"] == "none"].set_index("design")["d"]
    assert chosen.to_dict() == of_tables.to_dict() and len(covariates) > 2
    caption = (tables / "real_selected.md").read_text()
    assert "imdb: left out" in caption and "newsgroup20: left out" in caption
    words = pd.read_csv(tables / "words_imdb.csv").set_index("class")["words"]
    assert any("10/10" in text for text in words.loc[["good movie"]])
    assert any("*1/" in text for text in words.loc[["bad movie"]])


def test_every_published_number_of_the_run_has_a_verdict(quick, tables):
    text = (quick.folder / "results/quick/REPRODUCTION.md").read_text()
    assert f"**{REDUCED}" in text and REDUCED_TEXT in text
    frames = [pd.read_csv(tables / f"{name}.csv") for name in (*TABLES[:2], "runtime")]
    published = ("real_selected", "real_at_clusters")
    frames += [pd.read_csv(tables / f"{name}.csv") for name in published]
    count = sum(int(frame["published_mean"].notna().sum()) for frame in frames)
    assert re.search(rf"^\| all \| {count} \|", text, re.MULTILINE)
    assert text.count("| [") == len(CLAIMS)


def test_every_job_has_a_log_and_compute_jobs_a_benchmark(quick):
    results = quick.folder / "results/quick"
    logs, benchmarks = (
        {file.parts[len(results.parts) + 1].split(".")[0] for file in results.rglob(pattern)}
        for pattern in ("*.log", "*.jsonl")
    )
    joined = {"text_clusterings", "no_clustering", "text_scores", "explorer_page", "reproduction"}
    local = {name for name in logs if name.endswith(("_table", "_figure"))} | joined
    assert logs - benchmarks == local and len(local) > 25
    assert "proposed_path" in benchmarks


def test_every_table_is_well_formed_in_latex(tables):
    for file in tables.glob("*.tex"):
        check_structure(file)


@pytest.mark.skipif(ENGINE is None, reason="no pdflatex on the PATH")
def test_all_tables_compile_in_one_document(tables, tmp_path):
    files = sorted(tables.glob("*.tex"))
    assert {file.stem for file in files} == {*TABLES, *TEXT_TABLES}
    check_compiles(files, tmp_path)


def test_the_run_can_be_simulated_on_other_numbers_of_cores(quick, project, tmp_path):
    scale = (sys.executable, "workflow/scale.py", *QUICK, "--output", str(tmp_path))
    run = quick.command(*scale, "--cores", "1", "2", "88")
    assert run.returncode == 0, run.stdout + run.stderr
    every = pd.read_csv(tmp_path / "tables/scale.csv")
    assert (every["note"] == REDUCED).all()
    frame, shared = (every[every["timed"] == timed] for timed in ("alone", "8 cores each"))
    frame = frame.set_index("cores")
    assert list(frame.index) == [1, 2, 88] and list(shared["cores"]) == [88]
    assert shared["makespan_seconds"].item() < frame.loc[88, "makespan_seconds"]
    jobs = [
        json.loads(line)["s"]
        for file in (quick.folder / "results/quick/benchmarks").rglob("*.jsonl")
        for line in file.read_text().splitlines()
    ]
    # Tables and figures are jobs too.
    assert sum(jobs) < frame.loc[1, "work_seconds"] and len(jobs) < frame["jobs"][1]
    assert frame.loc[1, "makespan_seconds"] == pytest.approx(frame.loc[1, "work_seconds"], rel=1e-5)
    assert (frame["makespan_seconds"] >= frame["bound_seconds"] * (1 - 1e-5)).all()
    chain = pd.read_csv(tmp_path / "tables/scale_chain.csv")
    # What is timed runs alone on any number of cores.
    timed = chain[(chain["rule"] == "path_time") & (chain["timed"] == "alone")]
    assert list(timed["cores"]) == [1, 2, 88] and (timed["jobs"] == 5).all()
    for kind in ("pdf", "png"):
        assert (tmp_path / f"figures/scale.{kind}").stat().st_size > 0

    # The record of its jobs is enough, where their own files are not there.
    (project.folder / "results/quick").mkdir(parents=True)
    shutil.copy(tmp_path / "jobs.csv", project.folder / "results/quick")
    again = project.command(sys.executable, "workflow/scale.py", *QUICK, "--cores", "1")
    assert again.returncode == 0, again.stdout + again.stderr
    recorded = pd.read_csv(project.folder / "results/quick/tables/scale.csv")
    assert recorded["jobs"][0] == frame["jobs"][1]
    assert recorded["work_seconds"][0] == pytest.approx(frame.loc[1, "work_seconds"], abs=2)


def test_the_summary_shows_tables_files_and_time(quick):
    summary = runpy.run_path(str(quick.folder / "workflow/summary.py"))["summary"]
    text = summary(quick.folder / "results/quick", seconds=75)
    assert "**Proposed Model**" in text
    assert "anmi_contradicting.csv" in text and "path_contradicting_d40.png" in text
    assert text.endswith("Done in 1 min 15 s.")
