"""The command: files that fit together; bad input told on one line, nothing left behind."""

import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_wine

from ccc import ConvergenceWarning, ConvexCovariateClustering
from ccc.cli import files, fit, main, output

FAST = ["--nu", "20", "--sigma", "1"]


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return X.assign(kind=y.map({0: "barolo", 1: "grignolino", 2: "barbera"}))


@pytest.fixture
def table(wine, tmp_path):
    wine.to_csv(tmp_path / "wine.csv", index=False)
    return tmp_path / "wine.csv"


def ccc(*arguments):
    return main([str(argument) for argument in arguments])


def error_of(capsys, *arguments):
    """The line on standard error of a command that must fail with bad input."""
    assert ccc(*arguments) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    return err.strip()


def test_from_a_table_to_predictions(table, wine, tmp_path, capsys):
    out = tmp_path / "results" / "wine"
    assert ccc("fit", table, "--target", "kind", "--out", out, "--values", 20) == 0
    files = {"clusters.csv", "explorer.html", "model.json", "path.csv", "tree.pdf"}
    assert {file.name for file in out.iterdir()} == files
    assert (out / "tree.pdf").read_bytes().startswith(b"%PDF")
    assert "of 13 covariates" in (out / "explorer.html").read_text(encoding="utf-8")
    told = capsys.readouterr().out
    assert "target kind: barbera 48, barolo 59, grignolino 71" in told

    model = ConvexCovariateClustering(nus=20).fit(wine.drop(columns="kind"), wine["kind"])
    clusters = pd.read_csv(out / "clusters.csv").set_index("covariate")
    assert clusters["cluster"].is_monotonic_increasing
    labels = clusters["cluster"][wine.columns[:-1]]
    np.testing.assert_array_equal(labels, model.labels_)
    np.testing.assert_allclose(
        clusters["coefficient of barolo, per unit"][wine.columns[:-1]], model.coef_[1]
    )
    path = pd.read_csv(out / "path.csv")
    assert path["selected"].sum() == 1 and len(path) == 20
    chosen = path[path["selected"]].iloc[0]
    assert chosen["nu"] == pytest.approx(model.nu_)
    assert chosen["n_clusters"] == model.n_clusters_
    assert chosen["log_marginal_likelihood"] == pytest.approx(model.selection_.score)

    # Columns in another order, one that the model does not know, and no target.
    new = wine.drop(columns="kind").iloc[:, ::-1].assign(id=[f"w{i}" for i in range(len(wine))])
    new.to_csv(tmp_path / "new.tsv", index=False, sep="\t")
    predictions = tmp_path / "predictions.csv"
    arguments = (out / "model.json", tmp_path / "new.tsv", "--out", predictions, "--keep", "id")
    assert ccc("predict", *arguments) == 0
    found = pd.read_csv(predictions)
    assert found["id"].tolist() == new["id"].tolist()
    np.testing.assert_array_equal(found["prediction"], model.predict(wine.drop(columns="kind")))
    np.testing.assert_allclose(
        found[[f"probability of {name}" for name in model.classes_]],
        model.predict_proba(wine.drop(columns="kind")),
    )

    capsys.readouterr()
    assert ccc("info", out / "model.json") == 0
    told = capsys.readouterr().out
    assert f"13 covariates in {model.n_clusters_} clusters" in told
    assert "proline" in told and "highest evidence" in told


def test_the_same_table_gives_the_same_files(table, tmp_path):
    for name in ("one", "two"):
        assert ccc("fit", table, "--target", "kind", "--out", tmp_path / name, *FAST) == 0
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_a_wanted_number_of_clusters(table, tmp_path, capsys):
    arguments = (table, "--target", "kind", "--out", tmp_path / "out", "--values", 10)
    assert ccc("fit", *arguments, "--clusters", 5, "--sigma", 1) == 0
    told = capsys.readouterr().out
    assert "13 covariates in 5 clusters" in told
    assert "nearest to 5 clusters, then highest evidence" in told
    assert pd.read_csv(tmp_path / "out" / "clusters.csv")["cluster"].nunique() == 5


def test_two_classes_and_numbers_as_names(wine, tmp_path, capsys):
    two = wine[wine["kind"] != "barolo"]
    two.assign(kind=(two["kind"] == "barbera").astype(int)).to_csv(tmp_path / "t.csv", index=False)
    arguments = (tmp_path / "t.csv", "--target", "kind", "--out", tmp_path / "out", *FAST)
    assert ccc("fit", *arguments, "--no-refit", "--quiet") == 0
    assert capsys.readouterr() == ("", "")
    model = json.loads((tmp_path / "out" / "model.json").read_text())
    assert model["classes"] == ["0", "1"] and len(model["intercepts"]) == 1
    predictions = tmp_path / "p.csv"
    model_file = tmp_path / "out" / "model.json"
    assert ccc("predict", model_file, tmp_path / "t.csv", "--out", predictions) == 0
    told = capsys.readouterr().out
    assert "accuracy " in told and "of 119 rows with a known class" in told
    assert set(pd.read_csv(predictions)["prediction"]) == {0, 1}


@pytest.mark.parametrize("kind", ["named.npz", "dense.npz", "sparse.npz", "named.csv"])
def test_a_similarity_from_a_file(kind, table, wine, tmp_path):
    names = wine.columns[:-1]
    S = np.abs(np.corrcoef(wine[names].T))
    S[S < 0.3] = 0.0
    frame = pd.DataFrame(S, names, names)
    if kind == "named.npz":
        other = frame.iloc[::-1, ::-1]
        np.savez(tmp_path / kind, S=other.to_numpy(), names=other.index.to_numpy(dtype=str))
    elif kind == "dense.npz":
        np.savez(tmp_path / kind, S=S)
    elif kind == "sparse.npz":
        sp.save_npz(tmp_path / kind, sp.csr_array(S))
    else:
        frame.iloc[::-1, ::-1].rename_axis("covariate").to_csv(tmp_path / kind)
    arguments = (table, "--target", "kind", "--out", tmp_path / "out", *FAST)
    assert ccc("fit", *arguments, "--similarity", tmp_path / kind) == 0
    model = ConvexCovariateClustering(S, nu=20.0, sigma=1.0).fit(wine[names], wine["kind"])
    clusters = pd.read_csv(tmp_path / "out" / "clusters.csv").set_index("covariate")["cluster"]
    np.testing.assert_array_equal(clusters[names], model.labels_)


def test_a_folder_that_holds_something_is_left_alone_unless_forced(table, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    assert ccc("fit", table, "--target", "kind", "--out", out, *FAST) == 0
    (out / "notes.txt").write_text("mine")
    (out / "model.json").write_text("old")
    capsys.readouterr()
    told = error_of(capsys, "fit", table, "--target", "kind", "--out", out, *FAST)
    assert told == f"ccc fit: error: {out}: the folder is not empty; --force overwrites its files"
    assert (out / "model.json").read_text() == "old"
    assert ccc("fit", table, "--target", "kind", "--out", out, "--force", *FAST) == 0
    assert json.loads((out / "model.json").read_text())["format"] == "ccc model"
    assert (out / "notes.txt").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "wine.csv"]


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device", "x"), KeyboardInterrupt()]
)
def test_what_fails_half_way_leaves_nothing(error, table, tmp_path, capsys, monkeypatch):
    def fail(*arguments):
        raise error

    monkeypatch.setattr(files, "write_model", fail)
    code = ccc("fit", table, "--target", "kind", "--out", tmp_path / "out", *FAST, "--quiet")
    told = capsys.readouterr().err
    assert (code, told) in [
        (1, "ccc fit: error: x: No space left on device\n"),
        (130, "ccc fit: error: interrupted, nothing was written\n"),
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["wine.csv"]


@pytest.mark.parametrize("place", ["wine.csv/out", "closed/a/b"])
def test_a_place_that_cannot_be_written_is_told_before_the_fit(
    place, table, tmp_path, capsys, monkeypatch
):
    def full(dir):
        raise OSError(30, "Read-only file system")

    def fit_anyway(self, X, y):
        raise AssertionError("too late")

    (tmp_path / "closed").mkdir()
    if place != "wine.csv/out":
        monkeypatch.setattr(output.tempfile, "TemporaryFile", full)
    monkeypatch.setattr(fit.ConvexCovariateClustering, "fit", fit_anyway)
    told = error_of(capsys, "fit", table, "--target", "kind", "--out", tmp_path / place, *FAST)
    assert told.startswith(f"ccc fit: error: {tmp_path / place.split('/')[0]}: cannot be written")
    told = error_of(capsys, "predict", tmp_path / "none.json", table, "--out", tmp_path / place)
    assert "cannot be written" in told


def test_words_that_stand_for_gaps_elsewhere_are_names_here(wine, tmp_path, capsys):
    kinds = {"barolo": "None", "grignolino": "NA", "barbera": "null"}
    named = wine.assign(kind=wine["kind"].map(kinds)).rename(columns={"ash": "NA", "hue": "nan"})
    named.to_csv(tmp_path / "t.csv", index=False)
    arguments = (tmp_path / "t.csv", "--target", "kind", "--out", tmp_path / "out", *FAST)
    assert ccc("fit", *arguments) == 0
    assert "target kind: NA 71, None 59, null 48" in capsys.readouterr().out
    model = json.loads((tmp_path / "out" / "model.json").read_text())
    assert {"NA", "nan"} <= {covariate["name"] for covariate in model["covariates"]}
    arguments = (tmp_path / "out" / "model.json", tmp_path / "t.csv", "--out", tmp_path / "p.csv")
    assert ccc("predict", *arguments, "--keep", "kind") == 0
    assert "of 178 rows with a known class" in capsys.readouterr().out
    found = pd.read_csv(tmp_path / "p.csv", keep_default_na=False)
    assert found["kind"].tolist() == named["kind"].tolist()


ROWS = "1,2,a\n2,1,b\n3,1,a\n4,5,b\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.csv: the file is empty"),
        ("u,v,y\n", "t.csv: no rows below the header"),
        (f"u,u,y\n{ROWS}", "t.csv: the column name 'u' occurs twice in the header"),
        (f"u,,y\n{ROWS}", "t.csv: column 2 of the header has no name"),
        (f"u,v,z\n{ROWS}", "t.csv: no column 'y'"),
        (f"u,v,Y\n{ROWS}", "t.csv: no column 'y'"),
        (f"u,v,y\n{ROWS}5,,a\n,6,b\n", "t.csv: column 'u', row 6: the value is missing"),
        (f"u,v,y\n{ROWS}5,NA,a\n7,,a\n", "'v', row 5: the value is missing, and 1 more"),
        (f"u,v,y\n{ROWS}5,six,a\n", "'v', row 5: the value 'six' is not a number; --ignore leave"),
        (f"u,v,y\n{ROWS}5,inf,a\n", "t.csv: column 'v', row 5: the value 'inf' is not finite"),
        (f"u,v,y\n{ROWS}5,6,\n", "t.csv: column 'y', row 5: the value is missing"),
        ("u,v,y\n1,2,a\n2,1,a\n", "t.csv: column 'y' has one class only, 'a'"),
        (
            f"u,v,y\n{ROWS}1,1,c\n",
            "3 classes in 5 rows, and 'c' occurs once; every",
        ),
        (f"u,v,y\n{ROWS}1,2,a,9\n", "t.csv: not a table: "),
        ("u,v,y\n1,2,a,9\n2,1,b,9\n", "t.csv: not a table: "),
        ("u;v;y\n1;2;a\n", "t.csv: one column, 'u;v;y': is another --separator needed?"),
        ("y\na\nb\na\nb\n", "t.csv: no covariates beside the target 'y'"),
        (b"u,y\n1,\xff\n", "t.csv: not UTF-8 text"),
    ],
)
def test_a_bad_table_is_told_on_one_line(content, message, tmp_path, capsys):
    file = tmp_path / "t.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    told = error_of(capsys, "fit", file, "--target", "y", "--out", tmp_path / "out", *FAST)
    assert message in told
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ignore", "alcool"], "no column 'alcool'; did you mean 'alcohol'?"),
        (["--similarity", "cosine"], "'cosine' is neither ledoit-wolf, rbf, knn nor a .npz or"),
        (["--similarity", "none.npz"], "none.npz: No such file or directory"),
        (["--neighbors", "3"], "similarity_params has 'n_neighbors'; similarity 'ledoit-wolf' t"),
        (["--clusters", "3"], "--clusters 3 and --nu 20: give one of them"),
        (["--ignore", "ash", "--ignore", "kind"], "--ignore 'kind': the target cannot be left out"),
    ],
)
def test_bad_options_are_told_on_one_line(options, message, table, tmp_path, capsys):
    arguments = (table, "--target", "kind", "--out", tmp_path / "out", *FAST, *options)
    assert message in error_of(capsys, "fit", *arguments)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"T": np.eye(13)}, "no array named S, only T"),
        ({"S": np.eye(3)}, "the matrix has shape (3, 3), the table has 13 covariates"),
        ({"S": np.eye(13), "names": ["a"] * 13}, "names must be 13 different names"),
        ({"S": np.eye(2), "names": ["a", "b"]}, "no row for the covariate 'alcohol'"),
        ({"S": -np.ones((13, 13))}, "S.npz must be non-negative, got -1.0"),
    ],
)
def test_a_bad_similarity_is_told_on_one_line(arrays, message, table, tmp_path, capsys):
    np.savez(tmp_path / "S.npz", **arrays)
    options = ("--similarity", tmp_path / "S.npz", *FAST)
    arguments = (table, "--target", "kind", "--out", tmp_path / "out", *options)
    assert message in error_of(capsys, "fit", *arguments)


def test_a_file_of_another_kind_is_told_on_one_line(table, tmp_path, capsys):
    file = tmp_path / "S.npz"
    with file.open("wb") as stream:
        np.save(stream, np.eye(13))
    arguments = (table, "--target", "kind", "--out", tmp_path / "out", "--similarity", file, *FAST)
    told = error_of(capsys, "fit", *arguments)
    assert "S.npz: not a complete .npz file: it holds one array, as a .npy file does" in told
    file.write_text("names,S\n")
    assert "S.npz: not a complete .npz file: " in error_of(capsys, "fit", *arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "the following arguments are required: command"),
        (["fit"], "the following arguments are required: table, --target, --out"),
        (["fits"], "invalid choice: 'fits'"),
        (["fit", "t", "--target", "y", "--out", "o", "--ridge", "0"], "'0' is not a number > 0"),
        (["fit", "t", "--target", "y", "--out", "o", "--nu", "bic"], ", nor one of evidence, cv"),
        (["fit", "t", "--target", "y", "--out", "o", "--folds", "1"], "not a whole number >= 2"),
        (["fit", "t", "--target", "y", "--out", "o", "--separator", "ab"], "is not one character"),
    ],
)
def test_bad_usage_is_told_on_one_line_with_code_2(options, message, capsys):
    with pytest.raises(SystemExit) as ended:
        main(options)
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert message in told and told.count("\n") == 1 and told.startswith("ccc")


@pytest.fixture
def model(table, tmp_path):
    assert ccc("fit", table, "--target", "kind", "--out", tmp_path / "out", *FAST, "--quiet") == 0
    return tmp_path / "out" / "model.json"


def test_what_cannot_be_predicted_is_told_on_one_line(model, wine, tmp_path, capsys):
    new = tmp_path / "new.csv"
    wine.drop(columns=["hue", "ash"]).to_csv(new, index=False)
    arguments = ("predict", model, new, "--out", tmp_path / "p.csv")
    assert f"new.csv: no column 'ash' and 1 more, which {model} needs" in error_of(
        capsys, *arguments
    )
    wine.assign(ash=np.nan).to_csv(new, index=False)
    told = error_of(capsys, *arguments)
    assert "new.csv: column 'ash', row 1: the value is missing, and 177 more" in told
    wine.to_csv(new, index=False)
    assert "no column 'id'" in error_of(capsys, *arguments, "--keep", "id")
    (tmp_path / "p.csv").write_text("old")
    assert "p.csv: exists; --force overwrites it" in error_of(capsys, *arguments)
    assert ccc(*arguments, "--force") == 0
    assert len(pd.read_csv(tmp_path / "p.csv")) == 178


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.pop("format"), 'not a model of ccc fit (no "format"'),
        (lambda content: content.update(version=2), "version 2 of the format; this ccc reads 1"),
        (lambda content: content.pop("classes"), "the model lacks 'classes'"),
        (lambda content: content["covariates"][0].pop("scale"), "the model lacks 'scale'"),
        (lambda content: content["covariates"][0].update(scale=0), "a scale not positive"),
        (lambda content: content["covariates"][0].update(cluster=99), "not in the clusters 0 to"),
        (lambda content: content.update(intercepts=[1.0]), "1 intercepts, not 3"),
        (lambda content: content["clusters"][0].update(coefficients=[1]), "the model is damaged"),
        (lambda content: content.update(clusters=3), "the model is damaged"),
    ],
)
def test_a_damaged_model_is_told_on_one_line(change, message, model, capsys):
    content = json.loads(model.read_text())
    change(content)
    model.write_text(json.dumps(content))
    assert message in error_of(capsys, "info", model)


def test_a_file_that_is_no_json_is_told_on_one_line(model, capsys):
    model.write_text(model.read_text()[:-100])
    assert "model.json: not JSON: " in error_of(capsys, "info", model)


def test_warnings_of_the_fit_are_lines_of_the_command(table, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fit.ConvexCovariateClustering, "fit", _with_warning)
    ccc("fit", table, "--target", "kind", "--out", tmp_path / "out", *FAST)
    assert "ccc fit: warning: gap 1 exceeds tol\n" in capsys.readouterr().err


def _with_warning(self, X, y):
    warnings.warn("gap 1\nexceeds tol", ConvergenceWarning, stacklevel=2)
    raise ValueError("stop here")


def test_as_a_process(table, tmp_path):
    command = [sys.executable, "-m", "ccc"]
    helped = subprocess.run([*command, "fit", "--help"], capture_output=True, text=True)
    assert helped.returncode == 0 and "default 1e-6" in helped.stdout
    arguments = [str(table), "--target", "kind", "--out", str(tmp_path / "out"), *FAST]
    done = subprocess.run([*command, "fit", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "written to" in done.stdout and "\r" not in done.stderr
    again = subprocess.run([*command, "fit", *arguments], capture_output=True, text=True)
    assert again.returncode == 1 and again.stderr.count("\n") == 1
    assert subprocess.run([*command, "fit"], capture_output=True).returncode == 2


def test_a_terminal_sees_a_bar(table, tmp_path):
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    arguments = [str(table), "--target", "kind", "--out", str(tmp_path / "out"), *FAST]
    command = [sys.executable, "-m", "ccc", "fit", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert done.returncode == 0 and "100%" in shown and "clusters=" in shown


def test_help_does_not_wait_for_solvers():
    code = "import sys, ccc.cli.arguments as a; a.parser(); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numba", "sklearn", "numpy", "pandas"} & set(loaded.stdout.split())
