"""What makes a finished run run again, and what does not."""

import re
from contextlib import contextmanager

import pytest

QUICK = ("--configfile", "config/quick.yaml")

FROM_SCORES_OF_PROPOSED = {
    "sigma_rules_table",
    "variants_table",
    "path_figure",
    "evidence_figure",
}
AFTER_SCORES = {
    *("anmi_table", "cross_validation_table", "draws_table", "time_table", "reproduction", "all"),
}
AFTER_PATHS = {"evidence", "cross_validation", "scores"} | AFTER_SCORES
AFTER_PROPOSED = AFTER_PATHS | FROM_SCORES_OF_PROPOSED | {"evidence_other_sigmas"}
PROPOSED = {"proposed_path", "proposed_paths"}
KERNELS = {"compiled_kernels"}
# The same on the corpora, where parts are joined before they are scored.
AFTER_TEXT_PATHS = {
    *("text_clusterings", "text_scores_part", "text_scores", "ratings_table"),
    *("real_selected_table", "real_at_clusters_table", "real_time_table"),
    *("real_compactness_figure", "real_trust_figure", "real_trust_table", "reproduction"),
    *("text_odds", "tree_figure", "excerpts_table", "explorer_page"),
}
AFTER_TEXT_PROPOSED = AFTER_TEXT_PATHS | {
    *("text_proposed", "text_tighter", "real_settled_table", "words_table"),
}
AFTER_COVARIATES = AFTER_TEXT_PROPOSED | {
    *("covariates", "text_sigma", "text_kmeans", "text_convex", "no_clustering"),
    *("real_similarity_table", "real_covariates_table", "legend_figure"),
}
TIMED = {
    *("path_time", "accuracy", "runtime_table", "runtime_time_table"),
    *("scaling_figure", "accuracy_figure", "reproduction"),
}


@contextmanager
def changed(file, text):
    """The file with another content, for a while."""
    before = file.read_bytes()
    file.write_text(text)
    try:
        yield
    finally:
        file.write_bytes(before)


@pytest.mark.parametrize("module", ["exact/walk.py", "admm.py"])
def test_an_edited_solver_reruns_the_paths_and_what_follows(quick, module):
    solver = quick.folder / "src/ccc/solvers" / module
    with changed(solver, solver.read_text() + "\n# edited\n"):
        planned = quick.planned(*QUICK)
    assert planned.keys() == AFTER_PROPOSED | PROPOSED | KERNELS | TIMED | AFTER_TEXT_PROPOSED
    assert (planned["proposed_paths"], planned["proposed_path"]) == (7, 2)


@pytest.mark.parametrize(
    ("module", "rerun"),
    [
        (
            "baselines/kmeans.py",
            AFTER_PATHS | KERNELS | AFTER_TEXT_PATHS | {"kmeans_paths", "text_kmeans"},
        ),
        (
            "baselines/convex_clustering.py",
            AFTER_PATHS | KERNELS | AFTER_TEXT_PATHS | {"convex_paths", "text_convex"},
        ),
        ("baselines/group_lasso.py", AFTER_COVARIATES | {"group_lasso", "all"}),
        ("selection/laplace.py", AFTER_PROPOSED | AFTER_COVARIATES),
        ("metrics.py", AFTER_SCORES | FROM_SCORES_OF_PROPOSED | {"scores"}),
        (
            "tables/paper.py",
            {
                "anmi_table",
                "sigma_rules_table",
                "cross_validation_table",
                "variants_table",
                "draws_table",
                "real_covariates_table",
                "real_selected_table",
                "real_at_clusters_table",
                "real_trust_table",
                "real_settled_table",
                "real_similarity_table",
                "ratings_table",
                "excerpts_table",
                "real_compactness_figure",
                "real_trust_figure",
                "tree_figure",
                "explorer_page",
                "reproduction",
                "all",
            },
        ),
        ("plots/outline.py", {"tree_figure", "legend_figure", "all"}),
        ("explorer/template/clusters.js", {"explorer_page", "all"}),
        ("timing/limited.py", TIMED | {"all"}),
        ("plots/runtime.py", {"scaling_figure", "accuracy_figure", "all"}),
        (
            "tables/time.py",
            {"time_table", "runtime_time_table", "real_time_table", "reproduction", "all"},
        ),
        ("plots/path.py", {"path_figure", "all"}),
        (
            "similarity.py",
            AFTER_PROPOSED
            | PROPOSED
            | TIMED
            | AFTER_COVARIATES
            | {"similarity", "kmeans_paths", "convex_paths"},
        ),
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


@pytest.mark.parametrize(
    ("setting", "value", "rerun"),
    [
        (
            r"(solver:\n  method: exact\n  ridge:) .*",
            "0.2",
            AFTER_PROPOSED | PROPOSED | KERNELS | TIMED | AFTER_COVARIATES | {"group_lasso"},
        ),
        (r"(  normalise:) .*", "false", AFTER_COVARIATES | {"all"}),
        (r"(  setup_seconds:) .*", "50", TIMED | {"all"}),
        (
            r"(  phi:) .*",
            "0.4",
            AFTER_PATHS | KERNELS | AFTER_TEXT_PATHS | {"convex_paths", "text_convex"},
        ),
        (r"(    score:) .*", "log_probability", {"anmi_table", "reproduction", "all"}),
        (r"(  released:\n    description:) .*", "other words", {"variants_table", "all"}),
    ],
)
def test_a_changed_setting_reruns_what_it_touches(quick, setting, value, rerun):
    file = quick.folder / "config/quick.yaml"
    text, count = re.subn(setting, rf"\1 {value}", file.read_text())
    assert count == 1
    with changed(file, text):
        assert quick.planned(*QUICK).keys() == rerun


@pytest.mark.parametrize(
    ("result", "redone"),
    [
        (
            "admm/contradicting/d40_n40/rep1/proposed.npz",
            {
                "proposed_path": 1,
                "evidence": 1,
                "scores": 1,
                "variants_table": 1,
                "draws_table": 1,
                "time_table": 1,
                "reproduction": 1,
                "all": 1,
            },
        ),
        (
            "synthetic/agreeing/d40_n40/rep1/kmeans_cv_accuracy.npz",
            {
                "cross_validation": 1,
                "scores": 1,
                "anmi_table": 1,
                "cross_validation_table": 1,
                "draws_table": 1,
                "time_table": 1,
                "reproduction": 1,
                "all": 1,
            },
        ),
        (
            "synthetic/contradicting/d40_n400/proposed_scores.csv",
            {
                "scores": 1,
                "anmi_table": 1,
                "sigma_rules_table": 1,
                "variants_table": 1,
                "draws_table": 1,
                "path_figure": 1,
                "evidence_figure": 1,
                "time_table": 1,
                "reproduction": 1,
                "all": 1,
            },
        ),
        (
            "text/imdb/none_scores.csv",
            {
                "text_scores": 1,
                "real_selected_table": 1,
                "real_at_clusters_table": 1,
                "real_time_table": 1,
                "real_compactness_figure": 1,
                "real_trust_figure": 1,
                "reproduction": 1,
                "all": 1,
            },
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
