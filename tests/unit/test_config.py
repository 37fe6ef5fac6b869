"""Mistakes in the configuration end the run with one line that names the key."""

import copy

import pytest
import yaml

from ccc.config import check_config, check_writable, reduction


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
        ("run", "../elsewhere", "key 'run'"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_key(config, schema, key, value, said):
    with pytest.raises(SystemExit) as stop:
        check_config(with_value(config, key, value), schema)
    message = str(stop.value.code)
    assert message.startswith("Error in config: ") and "\n" not in message
    assert said in message


def test_a_missing_key_is_named_and_explained(config, schema):
    del config["solver"]["tol"]
    with pytest.raises(SystemExit, match=r"key 'solver.tol' is missing \(relative duality gap"):
        check_config(config, schema)


def test_every_key_is_described_and_no_other_is_allowed(schema):
    def check(rules):
        assert rules["description"]
        if rules.get("type") == "object":
            assert rules["additionalProperties"] is False
            assert set(rules["required"]) == set(rules["properties"])
        for part in [*rules.get("properties", {}).values(), *filter(None, [rules.get("items")])]:
            check(part)

    check(yaml.safe_load(schema.read_text()))


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
    quick = with_value(with_value(config, "run", "quick"), "nu_grid.count", 30)
    assert reduction(quick) == "quick run: 10 repetitions, 30 of 300 ν"
