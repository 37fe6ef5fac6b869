"""Scripts are plain functions from files to files."""

import runpy
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ccc.data import Dataset
from ccc.metrics import anmi
from ccc.results import Path
from ccc.selection import Selection
from ccc.similarity import ledoit_wolf
from ccc.sources import package_files
from ccc.storage import load_npz, save_npz

AXES = {"design": "contradicting", "d": 20, "n": 40, "weights": "paper", "seed": 0}
NU_GRID, SOLVER = {"count": 8, "step": 2.0}, {"method": "exact", "ridge": 0.1, "tol": 1e-6}


@pytest.fixture
def main_of(repository):
    return lambda name: runpy.run_path(str(repository / f"workflow/scripts/{name}.py"))["main"]


def draw(main_of, files, **changes):
    params = SimpleNamespace(**AXES | changes)
    main_of("synthetic_data")(SimpleNamespace(), SimpleNamespace(data=files), params, threads=1)
    return [Dataset.load(file) for file in files]


def test_data_depend_on_their_place_in_the_experiment_only(main_of, tmp_path):
    first, second = draw(main_of, [tmp_path / "first.npz", tmp_path / "second.npz"])
    assert not np.array_equal(first.X, second.X)
    (again,) = draw(main_of, [tmp_path / "again.npz"])
    np.testing.assert_array_equal(first.X, again.X)
    (other,) = draw(main_of, [tmp_path / "other.npz"], seed=1)
    assert not np.array_equal(first.X, other.X)


def test_released_weights_move_the_means_of_the_same_draws(main_of, tmp_path):
    (paper,) = draw(main_of, [tmp_path / "paper.npz"])
    (released,) = draw(main_of, [tmp_path / "released.npz"], weights="released")
    shift = (released.B_true - paper.B_true)[paper.y]
    np.testing.assert_allclose(released.X - paper.X, shift, atol=1e-12)


@pytest.fixture
def cell(main_of, tmp_path):
    """Files of two repetitions: data, S, σ and the proposed path."""
    files = {
        name: [tmp_path / f"{name}{repetition}.npz" for repetition in range(2)]
        for name in ("data", "similarity", "sigma", "path", "selection", "other")
    }
    draw(main_of, files["data"])
    cell = SimpleNamespace(**files)
    main_of("similarity")(cell, cell, SimpleNamespace(similarity="estimated"), threads=1)
    main_of("sigma")(cell, cell, SimpleNamespace(), threads=1)
    settings = {"nu_grid": NU_GRID, "solver": SOLVER}
    main_of("proposed_path")(cell, cell, SimpleNamespace(settings=settings), threads=1)
    return cell


def test_similarity_is_estimated_or_true(main_of, cell, tmp_path):
    data = Dataset.load(cell.data[0])
    estimated = load_npz(cell.similarity[0])["S"]
    np.testing.assert_array_equal(estimated, ledoit_wolf(data.X, data.y))
    output = SimpleNamespace(similarity=[tmp_path / "true0.npz", tmp_path / "true1.npz"])
    main_of("similarity")(cell, output, SimpleNamespace(similarity="true"), threads=1)
    np.testing.assert_array_equal(load_npz(output.similarity[1])["S"], data.S_true)


def test_evidence_is_maximal_for_every_rule(main_of, cell):
    params = SimpleNamespace(method="proposed", sigma_rules=["last", "log_probability"])
    output = SimpleNamespace(selection=[*cell.selection, *cell.other])
    main_of("evidence")(cell, output, params, threads=1)
    for files, rule in ((cell.selection, "last"), (cell.other, "log_probability")):
        for file in files:
            selection = Selection.load(file)
            best = selection.scores["log_marginal_likelihood"].max()
            assert selection.score == pytest.approx(best, abs=1e-5)
            assert selection.sigma_rule == rule


def test_cross_validation_clusters_anew_in_each_fold(main_of, cell, tmp_path):
    script = tmp_path / "clustering.py"
    script.write_text(
        "from types import SimpleNamespace\n"
        "import numpy as np\n"
        "def cluster(S, X, y, calls, k):\n"
        "    calls.append((S, X, y))\n"
        "    labels, gap = np.zeros((k, len(S)), dtype=int), np.full(k, 1e-9 * len(calls))\n"
        "    return SimpleNamespace(labels=labels, gap=gap)\n"
    )
    calls = []
    cell.clustering = str(script)
    params = SimpleNamespace(
        method="proposed",
        sigma_rule="first",
        similarity="estimated",
        settings={"calls": calls, "k": NU_GRID["count"]},
    )
    gaps = [tmp_path / "gaps0.npz", tmp_path / "gaps1.npz"]
    output = SimpleNamespace(accuracy=cell.selection, log_probability=cell.other, gaps=gaps)
    main_of("cross_validation")(cell, output, params, threads=1)
    # Five folds of each repetition, once for both scores.
    assert len(calls) == 10
    for S, X, y in calls:
        assert X.shape == (32, 20) and np.bincount(y).tolist() == [8] * 4
        np.testing.assert_array_equal(S, ledoit_wolf(X, y))
    columns = [Selection.load(files[1]).column for files in (cell.selection, cell.other)]
    assert columns == ["accuracy", "log_probability"]
    stored = [load_npz(file)["gap"] for file in gaps]
    np.testing.assert_allclose(np.concatenate(stored), 1e-9 * np.arange(1, 11))


def test_a_path_of_fewer_samples_has_smaller_nu(repository, cell):
    cluster = runpy.run_path(str(repository / "workflow/scripts/proposed_path.py"))["cluster"]
    data, S = Dataset.load(cell.data[0]), load_npz(cell.similarity[0])["S"]
    half = cluster(S, data.X[::2], data.y[::2], nu_grid=NU_GRID, solver=SOLVER)
    np.testing.assert_allclose(half.nus, Path.load(cell.path[0]).nus / 2)


def test_scores_and_what_was_selected(main_of, cell, tmp_path):
    params = SimpleNamespace(method="proposed", sigma_rules=["first", "last"])
    files = [*cell.selection, *cell.other]
    main_of("evidence")(cell, SimpleNamespace(selection=files), params, threads=1)
    axes = {"study": "synthetic", "design": "contradicting", "method": "proposed", "d": 20, "n": 40}
    input = SimpleNamespace(data=cell.data, paths=cell.path, selections=files, fold_gaps=[])
    output = SimpleNamespace(scores=tmp_path / "scores.csv", selected=tmp_path / "selected.csv")
    main_of("scores")(input, output, SimpleNamespace(axes=axes), threads=1)
    scores, selected = pd.read_csv(output.scores), pd.read_csv(output.selected)
    assert len(scores) == 2 * NU_GRID["count"]
    for repetition, (data, path) in enumerate(zip(cell.data, cell.path, strict=True)):
        rows = scores[scores["repetition"] == repetition]
        truth, labels = Dataset.load(data).labels, Path.load(path).labels
        np.testing.assert_allclose(rows["anmi"], [anmi(truth, row) for row in labels], rtol=1e-8)
    by = selected.set_index(["repetition", "selected_by"])
    for rule in ("first", "last"):
        marked = scores[scores[f"selected_by_evidence_{rule}"]].set_index("repetition")
        assert list(marked.index) == [0, 1]
        for repetition in range(2):
            assert by.loc[(repetition, f"evidence_{rule}"), "nu"] == marked.loc[repetition, "nu"]
    best = scores.groupby("repetition")["anmi"].max()
    assert by.loc[(slice(None), "best_on_path"), "anmi"].tolist() == best.tolist()


def test_a_choice_by_cross_validation_rests_on_the_paths_of_the_folds_too(
    main_of, cell, tmp_path, repository
):
    params = SimpleNamespace(
        method="proposed",
        sigma_rule="first",
        similarity="estimated",
        settings={"nu_grid": NU_GRID, "solver": SOLVER},
    )
    cell.clustering = str(repository / "workflow/scripts/proposed_path.py")
    gaps = [tmp_path / "gaps0.npz", tmp_path / "gaps1.npz"]
    made = SimpleNamespace(accuracy=cell.selection, log_probability=cell.other, gaps=gaps)
    main_of("cross_validation")(cell, made, params, threads=1)
    save_npz(gaps[1], gap=[1e-12, 0.5])
    axes = {"study": "synthetic", "design": "contradicting", "method": "proposed", "d": 20, "n": 40}
    selections = [*cell.selection, *cell.other]
    input = SimpleNamespace(data=cell.data, paths=cell.path, selections=selections, fold_gaps=gaps)
    output = SimpleNamespace(scores=tmp_path / "scores.csv", selected=tmp_path / "selected.csv")
    main_of("scores")(input, output, SimpleNamespace(axes=axes), threads=1)
    worst = pd.read_csv(output.selected).set_index(["repetition", "selected_by"])["worst_gap"]
    assert worst[1, "cv_accuracy"] == worst[1, "cv_log_probability"] == 0.5
    of_folds = load_npz(gaps[0])["gap"]
    of_path = Path.load(cell.path[0]).gap.max()
    assert worst[0, "cv_accuracy"] == pytest.approx(max(of_path, *of_folds), rel=1e-8)
    for repetition, file in enumerate(cell.path):
        gap = Path.load(file).gap.max()
        assert worst[repetition, "best_on_path"] == pytest.approx(gap, rel=1e-8)


def test_every_script_says_what_it_uses(repository):
    for script in (repository / "workflow/scripts").glob("*.py"):
        assert package_files(script), script
