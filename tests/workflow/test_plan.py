"""The workflow is in good order before anything runs."""

import re
import shutil

import pytest
import yaml

QUICK = ("--configfile", "config/quick.yaml")


def test_the_paper_run_has_a_path_per_data_set_and_repetition(project):
    assert project.planned() == {
        "compiled_kernels": 1,
        "synthetic_data": 30,
        "ledoit_wolf": 30,
        "proposed_path": 30,
        "evidence": 30,
        "scores": 3,
        "anmi_table": 1,
        "design_figure": 1,
        "path_figure": 1,
        "all": 1,
    }


def test_the_quick_run_uses_the_same_rules(project):
    assert project.planned(*QUICK).keys() == project.planned().keys()


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
    wanted = {"log", "benchmark", "threads", "resources"}
    for file in (repository / "workflow/rules").glob("*.smk"):
        for rule in re.split(r"^rule ", file.read_text(), flags=re.MULTILINE)[1:]:
            directives = set(re.findall(r"^    (\w+):", rule, flags=re.MULTILINE))
            if "localrule" not in directives:
                assert wanted <= directives, rule.splitlines()[0]
                assert "mem_mb=" in rule and "runtime=" in rule, rule.splitlines()[0]


def test_make_alone_explains_itself(project):
    help_text = project.command("make").stdout
    for target in ("setup", "quick", "paper", "test", "lint", "bench", "clean"):
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
