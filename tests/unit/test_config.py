"""Mistakes in the configuration end the run with one line that names the key."""

import copy

import pytest
import yaml

from ccc.config import (
    check_config,
    check_runtime,
    check_writable,
    reduction,
    shared,
    studies,
    text_remarks,
)


@pytest.fixture(scope="module")
def schema(repository):
    return repository / "workflow/schemas/config.schema.yaml"


@pytest.fixture
def config(repository):
    return yaml.safe_load((repository / "config/config.yaml").read_text())


def with_value(config, key, value):
    changed = copy.deepcopy(config)
    *parents, last = key.split(".")
    place = changed
    for parent in parents:
        place = place[parent]
    place[last] = value
    return changed


@pytest.mark.parametrize("name", ["config", "quick"])
def test_both_configurations_are_valid(repository, schema, name):
    check_config(yaml.safe_load((repository / f"config/{name}.yaml").read_text()), schema)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("repetitions", 3, "unknown key 'repetitions'"),
        ("synthetic.repetition", 3, "did you mean 'synthetic.repetitions'?"),
        ("synthetic.repetitions", "ten", "key 'synthetic.repetitions': 'ten' is not of type"),
        ("synthetic.repetitions", 0, "key 'synthetic.repetitions'"),
        ("synthetic.d", 40, "key 'synthetic.d': 40 is not of type 'array' (list of numbers"),
        ("synthetic.d", [40, 45], "key 'synthetic.d.1': 45 is not a multiple of 10"),
        ("synthetic.designs", ["opposing"], "key 'synthetic.designs.0': 'opposing' is not one of"),
        ("synthetic", None, "key 'synthetic': None is not of type 'object'"),
        ("nu_grid.step", 0, "key 'nu_grid.step'"),
        ("solver.ridge", -1.0, "key 'solver.ridge'"),
        ("synthetic.methods", ["kmeans"], "key 'synthetic.methods'"),
        ("synthetic.similarity", True, "key 'synthetic.similarity': True is not one of"),
        ("convex.per_unit", 0.5, "key 'convex.per_unit': 0.5 is not of type 'integer'"),
        ("selection.sigma_rules", ["first", "third"], "key 'selection.sigma_rules.1': 'third'"),
        ("selection.cross_validation.folds", 5, "unknown key 'selection.cross_validation.folds'"),
        ("variants.admm.solvers", "admm", "did you mean 'variants.admm.solver'?"),
        ("variants.admm.repetitions", 3, "unknown key 'variants.admm.repetitions'"),
        ("variants.tables", {"description": "in the way"}, "key 'variants'"),
        ("run", "../elsewhere", "key 'run'"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_key(config, schema, key, value, said):
    with pytest.raises(SystemExit) as stop:
        check_config(with_value(config, key, value), schema)
    message = str(stop.value.code)
    assert message.startswith("Error in config: ") and "\n" not in message
    assert said in message


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("runtime.d", [40, 60, 200], "runtime.d has 60, synthetic.d has not"),
        ("runtime.n", [44], "runtime.n has 44, synthetic.n has not"),
        ("runtime.accuracy.d", 60, "runtime.accuracy.d has 60, synthetic.d has not"),
        ("synthetic.designs", ["agreeing"], "runtime.design 'contradicting' is not in"),
        ("runtime.solvers.scs.seconds", [[1, 2, 3]] * 2, "scs.seconds has 2 rows, runtime.d has 3"),
        (
            "runtime.solvers.scs.seconds",
            [[1, 2, 3], [1, 2], [1, 2, 3]],
            "scs.seconds has 2 values for d = 200, runtime.n has 3",
        ),
        (
            "runtime.solvers.ecos.repetitions",
            [[3] * 3, [1, 11, 1], [1] * 3],
            "ecos.repetitions has 11, there are 10",
        ),
        ("runtime.accuracy.exponents", [1, 300], "runtime.accuracy.exponents has 300"),
    ],
)
def test_runtime_experiments_need_data_and_limits(config, key, value, said):
    check_runtime(config)
    with pytest.raises(SystemExit) as stop:
        check_runtime(with_value(config, key, value))
    assert said in str(stop.value) and "\n" not in str(stop.value)


def test_a_missing_key_is_named_and_explained(config, schema):
    del config["solver"]["tol"]
    with pytest.raises(SystemExit, match=r"key 'solver.tol' is missing \(relative duality gap"):
        check_config(config, schema)


def test_every_key_is_described_and_no_other_is_allowed(schema):
    def check(part, named=False):
        if "$ref" in part:
            return
        assert part["description"]
        free = part.get("additionalProperties")
        if "properties" in part:
            assert free is False
            # A variant names what it changes; everywhere else all keys are there.
            assert named or set(part["required"]) == set(part["properties"])
        inside = [
            *part.get("properties", {}).values(),
            part.get("items"),
            part.get("propertyNames"),
        ]
        for value in filter(None, inside):
            check(value)
        if free:
            check(free, named=True)

    rules = yaml.safe_load(schema.read_text())
    for part in (rules, *rules["$defs"].values()):
        check(part)


def test_a_variant_is_the_main_experiment_but_for_what_it_names(config):
    config["variants"] = {"small": {"description": "fewer", "d": [40]}, "admm": {"solver": "admm"}}
    found = studies(config)
    main = found["synthetic"]
    assert list(found) == ["synthetic", "small", "admm"]
    assert main == config["synthetic"] | {"solver": "exact"}
    assert found["small"] == main | {"description": "fewer", "d": [40], "methods": ["proposed"]}
    assert found["admm"]["solver"] == "admm" and found["admm"]["d"] == main["d"]


def test_studies_with_equal_settings_share_files(config):
    found = studies(config)
    assert shared(found, "weights") == {
        "synthetic": "synthetic",
        "true_similarity": "synthetic",
        "released_weights": "released_weights",
        "released": "released_weights",
        "admm": "synthetic",
    }
    graphs = shared(found, "weights", "similarity")
    assert [name for name, home in graphs.items() if home != name] == ["admm"]


def test_a_folder_that_can_be_made_is_writable(tmp_path):
    check_writable(tmp_path / "results" / "quick")
    assert not (tmp_path / "results").exists()


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "results").touch()
    with pytest.raises(SystemExit, match=r"cannot write to .*quick: .*results is not a folder"):
        check_writable(tmp_path / "results" / "quick")


def test_a_folder_without_permission_is_named(tmp_path, monkeypatch):
    # Permissions do not stop root, who runs the tests in many containers.
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(SystemExit, match=r"cannot write to .*quick: .* is read-only"):
        check_writable(tmp_path / "quick")


def test_only_a_reduced_run_is_called_reduced(config):
    assert reduction(config) == ""
    assert reduction(with_value(config, "run", "again")) == ""
    small = with_value(with_value(config, "run", "quick"), "nu_grid.count", 30)
    assert reduction(small) == "quick run: 30 of 300 ν"
    for key, value in (("d", [40]), ("n", [40, 400]), ("repetitions", 2)):
        small = with_value(small, f"synthetic.{key}", value)
    small = with_value(small, "convex.per_unit", 10)
    assert reduction(small) == (
        "quick run: d = 40; n = 40, 400; 2 of 10 repetitions; 30 of 300 ν; 51 of 1501 γ"
    )


def test_what_is_done_otherwise_with_the_corpora_is_named(repository):
    paper, quick, glove = (
        yaml.safe_load((repository / f"config/{name}.yaml").read_text())
        for name in ("config", "quick", "glove100")
    )
    assert text_remarks(paper) == ""
    assert text_remarks(quick).startswith("Quick run: embedded sample corpora; 400 of 10000 words;")
    paper["corpora"]["embeddings"] |= glove["corpora"]["embeddings"]
    paper["corpora"]["normalise"] = False
    assert text_remarks(paper) == (
        "Otherwise than in the paper: 100-dimensional GloVe vectors for newsgroup20, in the paper "
        "300-dimensional GloVe; word vectors not normalised."
    )
    assert text_remarks(paper, "imdb") == (
        "Otherwise than in the paper: word vectors not normalised."
    )
