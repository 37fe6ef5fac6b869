"""The quick run, end to end: what comes out of it and what makes it run again."""

import re
import runpy
from contextlib import contextmanager

import jsonschema
import pandas as pd
import pytest
import yaml

QUICK = ("--configfile", "config/quick.yaml")
REDUCED = "quick run: 2 repetitions, 30 of 300 ν"
AFTER_PATHS = {"evidence", "scores", "anmi_table", "path_figure", "all"}


@contextmanager
def changed(file, text):
    """The file with another content, for a while."""
    before = file.read_bytes()
    file.write_text(text)
    try:
        yield
    finally:
        file.write_bytes(before)


@pytest.fixture(scope="module")
def tables(quick):
    return quick.folder / "results/quick/tables"


def test_nothing_is_left_to_do(quick):
    assert quick.planned(*QUICK) == {}


def test_the_table_has_the_columns_that_readers_rely_on(quick, tables):
    schema = yaml.safe_load((quick.folder / "workflow/schemas/table.schema.yaml").read_text())
    frame = pd.read_csv(tables / "anmi_contradicting.csv")
    assert list(frame.columns) == list(schema["properties"])
    for row in frame.to_dict("records"):
        jsonschema.validate({key: value for key, value in row.items() if pd.notna(value)}, schema)


def test_the_table_holds_the_experiment_beside_the_published_numbers(tables):
    frame = pd.read_csv(tables / "anmi_contradicting.csv")
    rows = frame[(frame["measure"] == "anmi") & (frame["selection"] == "marginal_likelihood")]
    assert list(rows["n"]) == [40, 400]
    assert list(rows["published_mean"]) == [0.84, 0.71]
    assert (rows["repetitions"] == 2).all()
    assert rows["mean"].between(0.5, 1.0).all()
    assert rows["worst_gap"].between(0, 1e-6).all()


def test_every_table_and_figure_is_there(quick, tables):
    for kind in ("csv", "md", "tex"):
        assert (tables / f"anmi_contradicting.{kind}").stat().st_size > 0
    for name in ("design_contradicting", "path_contradicting_d40"):
        figure = quick.folder / "results/quick/figures" / name
        assert figure.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
        assert figure.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_tables_say_that_the_run_is_reduced(tables):
    assert (pd.read_csv(tables / "anmi_contradicting.csv")["note"] == REDUCED).all()
    assert REDUCED[1:] in (tables / "anmi_contradicting.md").read_text()
    assert REDUCED[1:].replace("ν", r"$\nu$") in (tables / "anmi_contradicting.tex").read_text()


def test_every_job_has_a_log_and_compute_jobs_a_benchmark(quick):
    results = quick.folder / "results/quick"
    logs, benchmarks = (
        {file.parts[len(results.parts) + 1].split(".")[0] for file in results.rglob(pattern)}
        for pattern in ("*.log", "*.jsonl")
    )
    assert logs - benchmarks == {"anmi_table", "design_figure", "path_figure"}
    assert "proposed_path" in benchmarks


def test_the_report_shows_tables_and_figures_with_captions(quick, tmp_path):
    report = tmp_path / "report.html"
    run = quick.snakemake(*QUICK, "--report", str(report))
    assert run.returncode == 0, run.stdout + run.stderr
    text = report.read_text()
    for name in (
        "anmi_contradicting.csv",
        "design_contradicting.png",
        "path_contradicting_d40.png",
    ):
        assert name in text
    assert "This is a reduced run (quick)" in text
    assert text.count("quick run: 2 repetitions, 30 of 300") >= 2


def test_the_summary_shows_tables_files_and_time(quick):
    summary = runpy.run_path(str(quick.folder / "workflow/summary.py"))["summary"]
    text = summary(quick.folder / "results/quick", seconds=75)
    assert "**Proposed Model**" in text
    assert "anmi_contradicting.csv" in text and "path_contradicting_d40.png" in text
    assert text.endswith("Done in 1 min 15 s.")


@pytest.mark.parametrize("module", ["exact/walk.py", "admm.py"])
def test_an_edited_solver_reruns_the_paths_and_what_follows(quick, module):
    solver = quick.folder / "src/ccc/solvers" / module
    with changed(solver, solver.read_text() + "\n# edited\n"):
        planned = quick.planned(*QUICK)
    assert planned.keys() == AFTER_PATHS | {"proposed_path", "compiled_kernels"}
    assert planned["proposed_path"] == 4


@pytest.mark.parametrize(
    ("module", "rerun"),
    [
        ("selection/laplace.py", AFTER_PATHS),
        ("metrics.py", {"scores", "anmi_table", "path_figure", "all"}),
        ("tables.py", {"anmi_table", "all"}),
        ("plots/path.py", {"path_figure", "all"}),
        ("similarity.py", AFTER_PATHS | {"ledoit_wolf", "proposed_path"}),
        ("job.py", set()),
    ],
)
def test_an_edited_module_reruns_what_uses_it_and_nothing_more(quick, module, rerun):
    file = quick.folder / "src/ccc" / module
    with changed(file, file.read_text() + "\n# edited\n"):
        assert quick.planned(*QUICK).keys() == rerun


def test_a_file_that_is_only_touched_reruns_nothing(quick):
    (quick.folder / "src/ccc/solvers/admm.py").touch()
    assert quick.planned(*QUICK) == {}


def test_a_changed_setting_reruns_what_it_touches(quick):
    assert quick.planned(*QUICK, "--config", "selection={'criterion': 'evidence'}") == {}
    file = quick.folder / "config/quick.yaml"
    with changed(file, re.sub(r"tol: .*", "tol: 1.0e-5", file.read_text())):
        assert quick.planned(*QUICK).keys() == AFTER_PATHS | {"proposed_path"}


@pytest.mark.parametrize(
    ("result", "redone"),
    [
        (
            "synthetic/contradicting/d40_n40/rep1/proposed.npz",
            {
                "proposed_path": 1,
                "evidence": 1,
                "scores": 1,
                "anmi_table": 1,
                "path_figure": 1,
                "all": 1,
            },
        ),
        (
            "synthetic/contradicting/d40_n400/proposed_scores.csv",
            {"scores": 1, "anmi_table": 1, "path_figure": 1, "all": 1},
        ),
        ("figures/design_contradicting.png", {"design_figure": 1, "all": 1}),
    ],
)
def test_a_deleted_result_redoes_only_what_depends_on_it(quick, tmp_path, result, redone):
    file = quick.folder / "results/quick" / result
    kept = file.rename(tmp_path / file.name)
    try:
        assert quick.planned(*QUICK) == redone
    finally:
        kept.rename(file)
