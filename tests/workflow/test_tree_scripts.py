"""From clusterings of words to trees and pages, with a handful of words."""

import json
import runpy
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from ccc.clusterings import Clusterings
from ccc.data.features import TextFeatures
from ccc.design import Standardized
from ccc.plots import plot_tree
from ccc.selection import SigmaChoice
from ccc.storage import load_npz

WORDS = np.array(["aw", "dul", "1/10", "great", "superb", "10/10", "film", "the"])
SHOWN = np.array(["awful", "dull", "1/10", "great", "superb", "10/10", "films", "the"])
SIDE = np.array([-1, -1, -1, 1, 1, 1, 0, 0])
# From large ν to small; "the" is with "film" for a while.
PATH = np.array(
    [
        [0, 0, 0, 1, 1, 1, 2, 2],
        [0, 0, 0, 1, 1, 1, 2, 3],
        [0, 0, 1, 2, 2, 3, 4, 4],
        [0, 1, 2, 3, 3, 4, 5, 6],
        [0, 1, 2, 3, 4, 5, 6, 7],
    ]
)
SELECTED = 1


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    """Files that the rules before would have made."""
    folder = tmp_path_factory.mktemp("imdb")
    rng = np.random.default_rng(0)
    good = rng.integers(2, size=200)
    X = rng.poisson(np.exp(0.8 * np.outer(2 * good - 1, SIDE) - 0.3)).astype(float)
    X[0] += 1
    standard = Standardized.fit(X)
    TextFeatures(
        X_train=sp.csr_array(X),
        X_test=sp.csr_array(X[:5]),
        y_train=np.array(["bad movie", "good movie"])[good],
        y_test=np.array(["bad movie", "good movie"])[good[:5]],
        words=WORDS,
        shown=SHOWN,
        centre=standard.centre,
        scale=standard.scale,
        without_words=0,
        constant_words=0,
    ).save(folder / "problem.npz")
    SigmaChoice.given(0.5).save(folder / "sigma.npz")
    nus = 2.0 ** -np.arange(5)
    kmeans = np.array([np.minimum(np.arange(8), k) for k in range(8)])
    for method, parameter, values, labels, selected in (
        ("proposed", "nu", nus, PATH, SELECTED),
        ("kmeans", "k", np.arange(1.0, 9.0), kmeans, 6),
    ):
        path = Clusterings(parameter, values, labels, np.full(len(values), np.nan), 1.0)
        path.save(folder / f"{method}.npz")
        pd.DataFrame(
            {
                "corpus": "imdb",
                "method": method,
                "n_clusters": path.n_clusters,
                "log_marginal_likelihood": -100.0 - np.arange(len(values)),
                "heldout_accuracy": 0.8,
                "selected": np.arange(len(values)) == selected,
            }
        ).to_csv(folder / f"{method}_scores.csv", index=False)
    for method, most in (("proposed", 99), ("kmeans", 5)):
        main = runpy.run_path(str(repository / "workflow/scripts/text_odds.py"))["main"]
        main(
            inputs(folder, method),
            SimpleNamespace(odds=folder / f"{method}_odds.npz"),
            SimpleNamespace(clusterings=most),
            threads=1,
        )
    return folder


def inputs(folder, method):
    return SimpleNamespace(
        problem=folder / "problem.npz",
        sigma=folder / "sigma.npz",
        clusterings=folder / f"{method}.npz",
        scores=folder / f"{method}_scores.csv",
        proposed=folder / "proposed_scores.csv",
        odds=folder / f"{method}_odds.npz",
    )


def test_a_part_without_a_clustering_scores_nothing(repository, folder, tmp_path):
    """Five clusterings in seven parts, as one has them where the grid is short."""
    part, whole = (
        runpy.run_path(str(repository / f"workflow/scripts/{name}.py"))["main"]
        for name in ("text_scores_part", "text_scores")
    )
    files = inputs(folder, "proposed")
    files.parts = [tmp_path / f"{i}.csv" for i in range(7)]
    for i, file in enumerate(files.parts):
        part(files, SimpleNamespace(scores=file), SimpleNamespace(part=i, parts=7), threads=1)
    assert [len(pd.read_csv(file)) for file in files.parts] == [1, 1, 1, 1, 1, 0, 0]
    output = SimpleNamespace(scores=tmp_path / "scores.csv")
    whole(files, output, SimpleNamespace(axes={"corpus": "imdb", "method": "proposed"}), threads=1)
    scores = pd.read_csv(output.scores)
    assert scores["clustering"].tolist() == [0, 1, 2, 3, 4]
    best = scores["log_marginal_likelihood"].max()
    assert scores["log_marginal_likelihood"][scores["selected"]].tolist() == [best]


def test_models_are_those_of_the_clusterings_that_are_shown(folder):
    proposed, kmeans = (load_npz(folder / f"{m}_odds.npz") for m in ("proposed", "kmeans"))
    # From fine to coarse, all of them; of k-means five, with its own choice and that of as many
    # clusters as the proposed method selects.
    assert proposed["positions"].tolist() == [4, 3, 2, 1, 0] and proposed["chosen"] == SELECTED
    assert proposed["leading"].shape == (6, 8)
    assert len(kmeans["positions"]) == 5 and {3, 6} <= set(kmeans["positions"])
    assert kmeans["chosen"] == 3
    assert proposed["classes"].tolist() == ["bad movie", "good movie"]
    # Good words speak for good movies, with and without clusters.
    np.testing.assert_array_equal(proposed["leading"][:, SIDE > 0], 1)
    np.testing.assert_array_equal(proposed["leading"][:, SIDE < 0], 0)


@pytest.fixture
def single(folder, tmp_path):
    """Files of the methods where the evidence selects every word by itself."""
    scores = pd.read_csv(folder / "proposed_scores.csv")
    last = scores["n_clusters"] == len(WORDS)
    scores.assign(selected=last).to_csv(tmp_path / "proposed_scores.csv", index=False)

    def files(method):
        changed = {"proposed": tmp_path / "proposed_scores.csv"}
        if method == "proposed":
            changed["scores"] = changed["proposed"]
        return SimpleNamespace(**vars(inputs(folder, method)) | changed)

    return files


@pytest.mark.parametrize(("method", "chosen"), [("proposed", 0), ("kmeans", 2)])
def test_where_no_clustering_is_selected_the_best_one_is_shown(
    repository, single, tmp_path, method, chosen
):
    main = runpy.run_path(str(repository / "workflow/scripts/text_odds.py"))["main"]
    output = SimpleNamespace(odds=tmp_path / "odds.npz")
    main(single(method), output, SimpleNamespace(clusterings=5), threads=1)
    # The evidence falls along the path, so that its first clustering is the best. It has three
    # clusters, as k-means has at k = 3.
    assert load_npz(output.odds)["chosen"] == chosen


def words_table(repository, files, folder):
    """Caption and long table of the clusters of words."""
    main = runpy.run_path(str(repository / "workflow/scripts/words_table.py"))["main"]
    kinds = {"csv": "csv", "markdown": "md", "latex": "tex", "html": "html"}
    names = {kind: folder / f"words.{ending}" for kind, ending in kinds.items()}
    params = SimpleNamespace(table="words_imdb", remarks="Made up.")
    main(files, SimpleNamespace(**names), params, threads=1)
    return names["markdown"].read_text(), pd.read_csv(names["csv"])


def test_words_are_those_of_the_selected_clustering(repository, folder, tmp_path):
    text, frame = words_table(repository, inputs(folder, "proposed"), tmp_path)
    assert "in the clustering that the marginal likelihood selects (4 clusters, 8 words)" in text
    # The strongest by itself first.
    assert {frozenset(words.split()) for words in frame["words"]} >= {
        frozenset({"1/10", "awful", "dull"}),
        frozenset({"10/10", "great", "superb"}),
    }
    single = load_npz(folder / "proposed_odds.npz")["log_odds"][0]
    strength = dict(zip(SHOWN.tolist(), single.tolist(), strict=True))
    for words in frame["words"]:
        values = [strength[word] for word in words.split()]
        assert values == sorted(values, reverse=True)
    # Words by themselves stand apart, with their class.
    assert "the strongest of the 2 words that are a cluster of their own" in text
    alone = [line for line in text.splitlines() if "films 1." in line]
    assert len(alone) == 1 and alone[0].startswith(("| bad movie |", "| good movie |"))


def test_where_every_word_is_selected_by_itself_clusters_are_shown_all_the_same(
    repository, single, tmp_path
):
    text, frame = words_table(repository, single("proposed"), tmp_path)
    assert "which itself selects every word as a cluster of its own (3 clusters, 8 words)" in text
    assert len(frame) == 3 and (frame["size"] > 1).all()
    assert "words of their own" not in text


def excerpts_table(repository, folder, *shown):
    """The long table of the words of excerpts, and its Markdown."""
    main = runpy.run_path(str(repository / "workflow/scripts/excerpts_table.py"))["main"]
    files = [inputs(folder, excerpt["method"]) for excerpt in shown]
    listed = SimpleNamespace(
        problems=[file.problem for file in files],
        clusterings=[file.clusterings for file in files],
        odds=[file.odds for file in files],
    )
    kinds = {"csv": "csv", "markdown": "md", "latex": "tex", "html": "html"}
    names = {kind: folder / f"excerpts.{ending}" for kind, ending in kinds.items()}
    params = SimpleNamespace(table="real_excerpts", excerpts=list(shown), remarks="Made up.")
    main(listed, SimpleNamespace(**names), params, threads=1)
    return pd.read_csv(names["csv"]), names["markdown"].read_text()


def test_words_of_an_excerpt_are_found_in_the_clusters_that_trees_show(repository, folder):
    words = ["10/10", "aw", "great", "cherry"]
    shown = [
        {"corpus": "imdb", "excerpt": "some", "method": method, "words": words}
        for method in ("proposed", "kmeans")
    ]
    frame, text = excerpts_table(repository, folder, *shown)
    assert frame["groups"].tolist() == ["10/10 great (3) | aw (3)", "10/10 great (5) | aw (1)"]
    assert frame["words"].tolist() == [3, 3] and frame["clusters_of_words"].tolist() == [2, 2]
    assert frame["missing"].tolist() == ["cherry", "cherry"]
    assert r"10/10 great (3) \| aw (3)" in text


@pytest.fixture
def drawn(repository, folder, tmp_path):
    """Texts of a tree's figure."""

    def draw(method, **changes):
        script = repository / "workflow/scripts/tree_figure.py"
        figures = []

        def keep(*arguments, **settings):
            figures.append(plot_tree(*arguments, **settings))
            return figures[-1]

        main = runpy.run_path(str(script), {"__name__": "script"})["main"]
        main.__globals__["plot_tree"] = keep
        shown = {"class": "good movie", "words": ["1/10", "aw", "cherry"], "clusters": 0}
        params = SimpleNamespace(
            corpus="imdb",
            method=method,
            excerpt=shown | changes,
            min_odds=1.1,
            levels=6,
            least=0,
            most=20,
            remarks="Made up.",
        )
        params.always = [*params.excerpt["words"], "superb"]
        output = SimpleNamespace(pdf=tmp_path / "tree.pdf", png=tmp_path / "tree.png")
        main(inputs(folder, method), output, params, threads=1)
        assert output.pdf.read_bytes().startswith(b"%PDF")
        return [text.get_text() for text in figures[0].axes[0].texts]

    return draw


def test_a_figure_shows_the_clusters_of_words_whatever_form_they_have(drawn):
    texts = drawn("proposed")
    assert {"awful", "dull", "1/10", "3"} <= set(texts)
    assert not {"great", "films", "the"} & set(texts)
    # Only where their cluster is drawn.
    assert "superb" not in texts
    assert " ".join(texts).startswith("IMDB, Proposed, “good movie”: some of 4 clusters. Made up.")


def test_a_figure_shows_the_strongest_clusters_of_a_class(drawn):
    texts = drawn("proposed", words=[], clusters=1)
    assert {"great", "superb", "10/10", "good movie"} <= set(texts)
    assert "awful" not in texts


def test_kmeans_is_shown_at_about_as_many_clusters(drawn):
    texts = drawn("kmeans", words=["great"])
    # The fourth cluster holds all but the first three words; weak ones are counted.
    assert {"5", "great", "superb", "10/10"} <= set(texts)
    assert any(text.startswith("+") for text in texts)


@pytest.mark.parametrize(("method", "selected", "shown"), [("proposed", 3, 5), ("kmeans", None, 5)])
def test_a_page_has_the_scores_of_what_it_shows(
    repository, folder, tmp_path, method, selected, shown
):
    main = runpy.run_path(str(repository / "workflow/scripts/explorer_page.py"))["main"]
    params = SimpleNamespace(corpus="imdb", method=method, remarks="Made up.")
    page = tmp_path / "page.html"
    main(inputs(folder, method), SimpleNamespace(page=page), params, threads=1)
    data = json.loads(page.read_text().split('id="data">')[1].split("</")[0])
    assert data["names"] == SHOWN.tolist() and len(data["nus"]) == shown
    evidence = dict(zip(data["nus"], data["series"][0]["values"], strict=True))
    if method == "proposed":
        assert data["selected"] == selected
        assert evidence == {2.0**-k: -100.0 - k for k in range(5)}
        assert data["remarks"] == "Made up."
    else:
        assert data["nus"][data["selected"]] == 7.0
        assert all(value == -99.0 - k for k, value in evidence.items())
        assert data["remarks"] == "Made up. 5 of 8 clusterings are shown."


def test_the_legend_names_the_classes(repository, folder, tmp_path):
    main = runpy.run_path(str(repository / "workflow/scripts/legend_figure.py"))["main"]
    output = SimpleNamespace(pdf=tmp_path / "legend.pdf", png=tmp_path / "legend.png")
    main(inputs(folder, "proposed"), output, SimpleNamespace(), threads=1)
    assert output.png.read_bytes().startswith(b"\x89PNG")
