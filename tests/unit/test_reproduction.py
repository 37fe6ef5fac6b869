"""Verdicts on published numbers and claims."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ccc.reproduction import CLAIMS, VERDICTS, examine, judge, reproduction_document, welch

ROOT = Path(__file__).parents[2]
PUBLISHED = pd.read_csv(ROOT / "config/published.csv")
TABLES = ["anmi_contradicting", "anmi_agreeing", "runtime", "real_selected", "real_at_clusters"]


def as_published(table):
    """The paper's own numbers in place of ours."""
    rows = PUBLISHED[PUBLISHED["table"] == table].fillna({"selection": "", "note": ""})
    return rows.assign(
        published_mean=rows["mean"],
        published_sd=rows["sd"],
        repetitions=10,
        worst_gap=1e-9,
        at_least=np.nan,
    )


@pytest.fixture
def tables():
    ratings = pd.DataFrame(
        {
            "method": ["proposed", "convex", "kmeans"],
            "n_clusters": [188, 1918, 188],
            "clusters_of_ratings": [4, 1, 1],
            "mixed": [0, 1, 1],
        }
    )
    excerpts = pd.DataFrame(
        {
            "corpus": ["imdb", "newsgroup20", "newsgroup20"],
            "method": ["kmeans", "kmeans", "proposed"],
            "n_clusters": [188, 268, 268],
            "words": [6, 2, 2],
            "clusters_of_words": [1, 1, 2],
            "groups": ["1/10 2/10 (9)", "apple cherry (5)", "apple (1) | cherry (3)"],
        }
    )
    made_up = {"ratings": ratings, "real_excerpts": excerpts}
    return {name: as_published(name) for name in TABLES} | made_up


def one(table, **changes):
    """The first row of a table with something changed."""
    row = as_published(table).iloc[[0]].copy()
    for column, value in changes.items():
        row[column] = value
    return judge(row)["verdict"].iloc[0]


@pytest.mark.parametrize("table", TABLES)
def test_the_papers_own_numbers_agree_with_themselves(table):
    judged = judge(as_published(table))
    assert len(judged) == (PUBLISHED["table"] == table).sum()
    assert set(judged["verdict"]) == {"agrees"}
    assert (judged["difference"] == 0).all()


def test_rows_without_a_published_number_have_no_verdict():
    rows = as_published("anmi_agreeing")
    rows.loc[rows.index[:5], "published_mean"] = np.nan
    assert len(judge(rows)) == len(rows) - 5


def test_a_mean_is_judged_by_its_spread():
    # Published: 0.84 (0.11) of ten.
    assert one("anmi_contradicting", mean=0.72, sd=0.11) == "agrees"
    assert one("anmi_contradicting", mean=0.72, sd=0.01) == "lower"
    assert one("anmi_contradicting", mean=0.99, sd=0.01) == "higher"


def test_a_runtime_may_differ_by_a_factor():
    published = as_published("runtime")["mean"].iloc[0]
    assert one("runtime", mean=published * 2.9) == "agrees"
    assert one("runtime", mean=published * 3.1) == "higher"
    assert one("runtime", mean=published / 3.1) == "lower"


def test_what_ran_out_of_time_is_higher_only_if_it_is_known_to_be():
    published = as_published("runtime")["mean"].iloc[0]
    assert one("runtime", mean=np.nan) == "no number"
    assert one("runtime", mean=np.nan, at_least=2 * published) == "no number"
    assert one("runtime", mean=np.nan, at_least=4 * published) == "higher"


def test_an_unknown_measure_is_refused():
    with pytest.raises(ValueError, match="'colour'"):
        one("anmi_agreeing", measure="colour")


@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 0.5),
    st.floats(0, 0.5),
    st.integers(2, 50),
    st.integers(2, 50),
)
def test_welch_is_a_symmetric_probability(m, k, s, t, r, q):
    p = welch((m, k), (s, t), (r, q))
    assert 0 <= p <= 1
    assert p == pytest.approx(welch((k, m), (t, s), (q, r)))
    assert welch((m, m), (s, t), (r, q)) == 1


def test_welch_matches_scipy_without_rounding():
    from scipy import stats

    a, b = np.array([0.1, 0.4, 0.5, 0.2]), np.array([0.6, 0.9, 0.4])
    theirs = stats.ttest_ind(a, b, equal_var=False).pvalue
    ours = welch((a.mean(), b.mean()), (a.std(ddof=1), b.std(ddof=1)), (4, 3), rounding=0.0)
    assert ours == pytest.approx(theirs)


def test_the_papers_own_tables_confirm_its_claims(tables):
    assert {finding.verdict for _, finding in examine(tables)} == {"confirmed"}


def test_other_numbers_overturn_claims(tables):
    changed = tables["anmi_contradicting"]
    changed.loc[changed["method"] == "proposed", "mean"] = 0.2
    changed.loc[changed["method"] == "kmeans", "mean"] = 1.0
    tables["ratings"]["mixed"] = [1, 0, 0]
    tables["real_excerpts"]["clusters_of_words"] = [1, 2, 1]
    findings = [finding.verdict for _, finding in examine(tables)]
    assert findings[:3] == ["not confirmed", "not confirmed", "partly confirmed"]
    assert findings[-2:] == ["not confirmed", "not confirmed"]


def test_ratings_are_not_compared_with_much_coarser_clusterings(tables):
    tables["ratings"]["n_clusters"] = [188, 40, 188]
    tables["ratings"]["mixed"] = [0, 0, 1]
    [finding] = [found for claim, found in examine(tables) if "ratings" in claim.tables]
    assert finding.verdict == "confirmed" and "too few clusters to compare" in finding.numbers


def test_words_that_are_no_covariates_have_no_verdict(tables):
    tables["real_excerpts"]["groups"] = ["1/10 2/10 (9)", "apple (5)", "apple (1) | mac (3)"]
    [finding] = [found for claim, found in examine(tables) if "real_excerpts" in claim.tables]
    assert finding.verdict == "not examined"


def test_a_reduced_run_has_no_verdict_on_what_it_leaves_out(tables):
    for name in ("anmi_contradicting", "anmi_agreeing", "runtime"):
        rows = tables[name]
        tables[name] = rows[(rows["d"] == 40) & (rows["n"] == 40)]
    findings = [finding.verdict for _, finding in examine(tables)]
    unknown = [position for position, verdict in enumerate(findings) if verdict == "not examined"]
    assert unknown == [0, 3, 6, 7]


def test_a_run_without_cross_validation_has_no_verdict_on_it(tables):
    for name in ("anmi_contradicting", "anmi_agreeing"):
        rows = tables[name]
        tables[name] = rows[rows["selection"] != "cross_validation"]
    verdicts = [finding.verdict for _, finding in examine(tables)]
    assert [i for i, verdict in enumerate(verdicts) if verdict == "not examined"] == [5]


def test_every_claim_names_tables_that_exist(tables):
    assert all(set(claim.tables) <= set(tables) for claim in CLAIMS)


def test_the_document_has_every_number_claim_and_deviation(tables):
    deviations = yaml.safe_load((ROOT / "config/deviations.yaml").read_text())
    text = reproduction_document(
        tables, deviations, remarks=["Reduced."], machine="a machine", hours=1.25
    )
    assert f"| all | {len(PUBLISHED)} | {len(PUBLISHED)} | 0 | 0 | 0 |" in text
    assert text.count("agrees |\n") == len(PUBLISHED)
    assert all(claim.statement in text for claim in CLAIMS)
    assert all(item["here"] in text for item in deviations)
    assert "**Reduced.**" in text and "a machine" in text and "1.2 hours" in text
    assert set(VERDICTS) == {"agrees", "higher", "lower", "no number"}
    widths = {line.count("|") for line in text.splitlines() if line.startswith("| 4")}
    assert len(widths) == 1
