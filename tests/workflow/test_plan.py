"""The workflow is in good order before anything runs."""

import re
import shutil

import pytest
import yaml

QUICK = ("--configfile", "config/quick.yaml")


# Two designs; three d and three n, of which variants have two d, and the ADMM one d and two n.
MAIN_CELLS, VARIANT_CELLS, ADMM_CELLS = 2 * 3 * 3, 2 * 2 * 3, 2 * 1 * 2
SMALL_CELLS = 2 * 2 * 3


@pytest.fixture(scope="module")
def paper_jobs(copy_of_repository, tmp_path_factory):
    return copy_of_repository(tmp_path_factory.mktemp("plan") / "copy").planned()


def test_the_paper_run_is_all_of_sections_4_and_5_and_the_appendix(paper_jobs):
    studies = MAIN_CELLS + 3 * VARIANT_CELLS + ADMM_CELLS
    assert paper_jobs == {
        "compiled_kernels": 3,
        # Variants with the same draws, or the same estimate from them, read the same files.
        "synthetic_data": MAIN_CELLS + VARIANT_CELLS,
        "sigma": MAIN_CELLS + VARIANT_CELLS,
        "similarity": MAIN_CELLS + 3 * VARIANT_CELLS,
        # Ten repetitions in a job where a path is short, else one.
        "proposed_paths": SMALL_CELLS + 3 * VARIANT_CELLS,
        "proposed_path": 10 * (MAIN_CELLS - SMALL_CELLS + ADMM_CELLS),
        "convex_paths": SMALL_CELLS,
        "convex_path": 10 * (MAIN_CELLS - SMALL_CELLS),
        "kmeans_paths": MAIN_CELLS,
        "evidence": studies + 2 * MAIN_CELLS - 2 * 3,
        "evidence_of_one": 2 * 3 * 10,
        "evidence_other_sigmas": MAIN_CELLS,
        "cross_validation": 3 * 2 * 2 * 2 - 2 * 2,
        "cross_validation_of_one": 2 * 2 * 10,
        "scores": studies + 2 * MAIN_CELLS,
        # Five solvers at every size of the contradicting design, and once against their accuracy.
        "path_time": 5 * 3 * 3,
        "accuracy": 5,
        "runtime_table": 1,
        "runtime_time_table": 1,
        "scaling_figure": 1,
        "accuracy_figure": 1,
        "anmi_table": 2,
        "sigma_rules_table": 1,
        "cross_validation_table": 1,
        "variants_table": 1,
        "draws_table": 1,
        "time_table": 1,
        # Two corpora; grids and scores in parts.
        "corpus_archive": 2,
        "glove_archive": 1,
        "corpus_tokens": 2,
        "text_features": 2,
        "word_vectors": 2,
        "group_lasso": 2,
        "sigma_all_words": 2,
        "covariates": 2,
        "text_sigma": 2,
        "text_proposed": 2 * 4,
        "text_tighter": 2 * 4,
        "text_convex": 2 * 5,
        "text_kmeans": 2 * 10,
        "text_clusterings": 2 * 4,
        "no_clustering": 2,
        "text_scores_part": 2 * (6 + 6 + 12 + 1),
        "text_scores": 2 * 4,
        "real_covariates_table": 1,
        "real_selected_table": 1,
        "real_at_clusters_table": 1,
        "real_trust_table": 1,
        "real_settled_table": 1,
        "real_time_table": 1,
        "real_similarity_table": 1,
        "ratings_table": 1,
        "excerpts_table": 1,
        "words_table": 2,
        "real_compactness_figure": 1,
        "real_trust_figure": 1,
        # Three methods; of the excerpts three, one, and two figures.
        "text_odds": 2 * 3,
        "tree_figure": 3 + 1 + 2,
        "legend_figure": 2,
        "explorer_page": 2 * 3,
        "design_figure": 2,
        "path_figure": 6,
        "evidence_figure": 2,
        "reproduction": 1,
        "all": 1,
    }


def planned_with(project, **changes):
    """Jobs of the paper run but for some settings, by room and name."""
    file = project.folder / "config/config.yaml"
    config = yaml.safe_load(file.read_text())
    for room, settings in changes.items():
        config[room] |= settings
    file.write_text(yaml.safe_dump(config))
    return project.planned()


def test_corpora_are_clustered_by_every_method_whatever_the_synthetic_data_are(project):
    jobs = planned_with(project, synthetic={"methods": ["proposed"]})
    assert jobs["compiled_kernels"] == 3
    assert {"text_kmeans", "text_convex", "anmi_table"} <= jobs.keys()
    # The claims compare methods.
    assert not {"kmeans_paths", "convex_paths", "reproduction"} & jobs.keys()


def test_one_corpus_alone_has_no_verdicts(project):
    embeddings = {"imdb": {"method": "word2vec", "dimension": 50}}
    jobs = planned_with(project, corpora={"embeddings": embeddings})
    assert jobs["ratings_table"] == jobs["corpus_archive"] == 1
    assert "reproduction" not in jobs


def test_short_grids_have_fewer_parts(project):
    accuracy = {"d": 200, "n": 400, "exponents": [4], "seconds": 1}
    jobs = planned_with(
        project,
        nu_grid={"count": 5, "step": 6.0},
        convex={"max": 2, "per_unit": 1},
        runtime={"accuracy": accuracy},
    )
    assert (jobs["text_proposed"], jobs["text_convex"]) == (2 * 2, 2 * 3)


def test_the_parts_of_the_run_are_targets(project):
    timed = {"path_time", "accuracy", "runtime_table", "runtime_time_table"}
    timed |= {"scaling_figure", "accuracy_figure"}
    whole = project.planned(*QUICK).keys() - {"all", "reproduction"}
    real = project.planned("real", *QUICK).keys() - {"compiled_kernels"}
    assert project.planned("synthetic", *QUICK).keys() == whole - timed - real | {"synthetic"}
    assert {"corpus_archive", "text_scores", "real_selected_table", "tree_figure"} <= real
    assert not real & (timed | {"synthetic_data", "proposed_path"})
    needed = {"synthetic_data", "similarity", "compiled_kernels"}
    assert project.planned("runtime", *QUICK).keys() == timed | needed | {"runtime"}


@pytest.mark.parametrize("profile", ["default", "slurm"])
def test_the_quick_run_uses_the_same_rules(project, paper_jobs, profile):
    # But for those at d > 40; the rule for one repetition is that for all of them.
    large = {"convex_path", "evidence_of_one", "cross_validation_of_one"}
    planned = project.planned(*QUICK, "--workflow-profile", f"profiles/{profile}")
    assert planned.keys() == paper_jobs.keys() - large


def test_the_profile_for_slurm_keeps_to_the_rules_and_to_the_default_one(repository):
    default, slurm = (
        yaml.safe_load((repository / f"profiles/{name}/profile.yaml").read_text())
        for name in ("default", "slurm")
    )
    text = "\n".join(file.read_text() for file in (repository / "workflow/rules").glob("*.smk"))
    rules = re.findall(
        r"^(?:rule|use rule \w+ as) (\w+)(?: with)?:\n(.*?)(?=^\S|\Z)", text, re.M | re.S
    )
    # What is timed has a node to itself in place of the only unit of the machine.
    assert default.pop("resources") == {"machine": 1}
    assert default.items() <= slurm.items()
    timed = {rule for rule, body in rules if "threads: cores_of_timing" in body}
    alone = {"slurm_extra": "'--exclusive'"}
    assert slurm["set-resources"] == dict.fromkeys(timed, alone) and timed
    local = {rule for rule, body in rules if "localrule: True" in body}
    assert slurm["groups"].keys() <= {rule for rule, _ in rules} - local - timed
    assert slurm["group-components"].keys() <= set(slurm["groups"].values())


def test_both_configurations_have_the_same_keys(repository):
    def keys(value, prefix=""):
        if not isinstance(value, dict):
            return {prefix}
        return set().union(*(keys(part, f"{prefix}.{name}") for name, part in value.items()))

    paper, quick = (
        yaml.safe_load((repository / f"config/{name}.yaml").read_text())
        for name in ("config", "quick")
    )
    assert keys(paper) == keys(quick)
    assert paper["run"] != quick["run"]


def test_snakemake_has_nothing_to_complain_of(project):
    run = project.snakemake("--lint")
    assert run.returncode == 0, run.stdout + run.stderr


def test_rule_files_open_with_what_they_require_and_produce(repository):
    for file in (repository / "workflow/rules").glob("*.smk"):
        if file.name != "common.smk":
            head = file.read_text().split('"""')[1]
            assert "Requires  " in head and "Produces  " in head, file


def test_compute_rules_state_what_they_need(repository):
    wanted = {"log", "benchmark", "threads", "resources", "conda"}
    text = "\n".join(file.read_text() for file in (repository / "workflow/rules").glob("*.smk"))
    rules = re.split(r"^(?:rule|use rule) ", text, flags=re.MULTILINE)[1:]
    heads = [re.match(r"(\w+)(?: as (\w+))?", rule) for rule in rules]
    local = {
        head[1]
        for head, rule in zip(heads, rules, strict=True)
        if not head[2] and "    localrule:" in rule
    }
    for (base, derived), rule in zip((head.groups() for head in heads), rules, strict=True):
        if base in local:
            continue
        if derived:
            # It has the resources of the rule that it is made from.
            assert "    log:" in rule and "    benchmark:" in rule, derived
            continue
        assert wanted <= set(re.findall(r"^    (\w+):", rule, flags=re.MULTILINE)), base
        assert re.search(r"mem_mb=lambda .*attempt \*", rule), base
        assert re.search(r"runtime=lambda .*attempt \*", rule), base


def test_make_alone_explains_itself(project):
    help_text = project.command("make").stdout
    targets = ("setup", "quick", "paper", "cluster", "scale", "test", "test-faults", "clean")
    for target in targets:
        assert f"make {target} " in help_text


def test_the_lock_is_exact_and_names_no_index(repository):
    text = (repository / "requirements.lock").read_text()
    packages = re.findall(r"^[a-z0-9][^\s]*", text, flags=re.MULTILINE)
    assert packages and all("==" in package for package in packages)
    assert "--hash=sha256:" in text
    assert "://" not in text and "--index" not in text and "--find-links" not in text


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_what_runs_leave_behind_is_ignored_by_git(project):
    left = ["results/quick/tables/a.csv", ".snakemake/log/a", "resources/a", ".venv/a"]
    kept = ["results/paper/tables/anmi_contradicting.csv", "results/paper/figures/a.png"]
    assert project.command("git", "init", "--quiet").returncode == 0
    ignored = project.command("git", "check-ignore", "--no-index", *left, *kept).stdout.split()
    assert ignored == left
