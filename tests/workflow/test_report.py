"""Snakemake's report of the quick run: what is in it, and that a browser shows it from the disk."""

import re

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from tests.browser import asked_of_others, complaints, drawn

QUICK = ("--configfile", "config/quick.yaml")
PATIENCE = 30


@pytest.fixture(scope="module")
def report(quick, tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.html"
    run = quick.snakemake(*QUICK, "--report", str(file))
    assert run.returncode == 0, run.stdout + run.stderr
    return file


def test_it_holds_all_tables_figures_and_pages_with_captions(quick, report):
    text = report.read_text()
    kinds = ("REPRODUCTION.html", "tables/*.html", "figures/*.png", "explorer/*.html")
    files = [file for kind in kinds for file in (quick.folder / "results/quick").glob(kind)]
    assert len(files) > 40
    for file in files:
        assert file.name in text
    assert "This is a reduced run (quick)" in text
    assert text.count("quick run: d = 40; n = 40, 400; 2 of 10 repetitions; 30 of 300") >= 2


def test_results_are_told_apart_by_their_kind_first(repository):
    # Of the labels after the first, Snakemake makes one that halves a category a switch between the
    # halves; where these are no pairs, like tables and figures, its page breaks.
    rules = "".join(file.read_text() for file in (repository / "workflow/rules").glob("*.smk"))
    labels = re.findall(r"labels=\{\s*(\S+)", rules)
    assert len(labels) > 20 and set(labels) == {'"as":'}


@pytest.fixture
def opened(browser, report):
    """The report from the disk; afterwards nothing was complained of, nobody else was asked."""
    browser.get("about:blank")
    # What the browser itself asks for when it starts is of no interest.
    asked_of_others(browser)
    browser.get(report.as_uri())
    yield browser
    browser.switch_to.default_content()
    assert complaints(browser) == []
    assert asked_of_others(browser) == []


def click(browser, path):
    """Click what stands at an XPath, as soon as it is there."""
    WebDriverWait(browser, PATIENCE).until(lambda b: b.find_elements(By.XPATH, path))[0].click()


def show(browser, category, *labels):
    """Open the result of a category that has these labels."""
    click(browser, f"//nav//a[span[.='{category}']]")
    cells = "".join(f"[td[.='{label}']]" for label in labels)
    click(browser, f"//nav//tr{cells}/td[last()]//a[1]")


def seen(browser, selector):
    """What a result is shown in, once it is there."""
    return WebDriverWait(browser, PATIENCE).until(
        lambda b: b.find_elements(By.CSS_SELECTOR, selector)
    )[0]


def within(browser):
    """Go into the page that is shown, once it has been read."""
    browser.switch_to.frame(seen(browser, "iframe"))
    ready = "return document.readyState === 'complete' && document.body.innerText.length > 0"
    WebDriverWait(browser, PATIENCE).until(lambda b: b.execute_script(ready))


def not_blank(element, file):
    """Whether a picture of it has more than specks on one colour."""
    element.screenshot(str(file))
    return drawn(file) > 0.01


@pytest.mark.parametrize("category", ["Real data", "Reproduction", "Runtime", "Synthetic data"])
def test_every_category_lists_results(opened, category):
    click(opened, f"//nav//a[span[.='{category}']]")
    assert seen(opened, "nav tbody tr").text


def test_it_opens_with_a_menu_and_a_page(opened, tmp_path):
    seen(opened, "nav li")
    opened.save_screenshot(str(tmp_path / "report.png"))
    assert drawn(tmp_path / "report.png") > 0.05


def test_a_figure_is_shown(opened, tmp_path):
    show(opened, "Real data", "evidence and accuracy", "figure")
    figure = seen(opened, "img[src^='data:image/png']")
    WebDriverWait(opened, PATIENCE).until(lambda b: int(figure.get_property("naturalWidth")) > 500)
    assert not_blank(figure, tmp_path / "figure.png")


def test_a_table_is_shown_and_can_be_filtered(opened, tmp_path):
    show(opened, "Real data", "selected", "table")
    assert not_blank(seen(opened, "iframe"), tmp_path / "table.png")
    within(opened)
    count = seen(opened, "#count")
    every = count.text.split()[-1]
    assert count.text == f"{every} of {every}"
    seen(opened, "#filter").send_keys("imdb kmeans")
    assert 0 < int(count.text.split()[0]) < int(every)
    seen(opened, "#rows th button").click()
    assert seen(opened, "#rows th").get_attribute("aria-sort") == "ascending"


def test_an_explorer_is_shown_and_searched(opened, tmp_path):
    show(opened, "Real data", "explorer", "imdb", "proposed", "page")
    assert not_blank(seen(opened, "iframe"), tmp_path / "explorer.png")
    within(opened)
    assert opened.execute_script("return document.documentElement.dataset.ready") == "yes"
    seen(opened, "#search").send_keys("10/10\n")
    assert seen(opened, "#chosen-word").text == "10/10"


def test_the_reproduction_report_has_no_link_that_leads_nowhere(opened, tmp_path):
    show(opened, "Reproduction", "numbers and claims", "document")
    assert not_blank(seen(opened, "iframe"), tmp_path / "reproduction.png")
    within(opened)
    assert "Every number of the paper stands beside ours" in seen(opened, "body").text
    assert opened.find_elements(By.CSS_SELECTOR, "a[href]") == []
