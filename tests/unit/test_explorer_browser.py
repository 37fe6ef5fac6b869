"""The explorer in a real browser: what people do with it, by mouse, by keyboard and by link."""

from types import SimpleNamespace

import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import wait

from ccc.excerpt import excerpt
from ccc.explorer import write_explorer
from ccc.hierarchy import path_tree, tree_rows
from ccc.odds import ClassOdds, odds_text
from tests.browser import complaints

WORDS = ["awful", "dull", "boring", "7/10", "great", "superb", "</script><b>x", "日本 & co"]
# From fine to coarse; "boring" leaves its cluster once, and single words stay single.
LABELS = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [0, 0, 2, 3, 4, 4, 6, 7],
        [0, 0, 0, 3, 4, 4, 6, 7],
        [0, 0, 2, 3, 3, 3, 6, 7],
        [0, 0, 0, 3, 3, 3, 6, 7],
        [0, 0, 0, 3, 3, 3, 0, 7],
        [0, 0, 0, 0, 0, 0, 0, 0],
    ]
)
NUS = np.array([0.001, 0.01, 0.1, 0.2, 0.5, 1.0, 100.0])
SELECTED = 4
EVIDENCE = np.array([-90.0, -70.0, -60.0, -55.0, -50.5, -52.0, -99.0])
ACCURACY = np.array([0.7, 0.8, 0.85, 0.84, 0.86, 0.83, 0.5])


def made_up_odds(c, names):
    """Odds that grow with the level and differ between clusters."""
    levels = np.vstack([np.arange(len(WORDS)), LABELS])
    leader = np.array([[row.tolist().index(label) for label in row] for row in levels])
    leading = np.where(leader < 3, 0, c - 1)
    level = np.arange(len(levels))[:, None]
    return ClassOdds(np.array(names[:c]), leading, 0.02 * (1 + level) * (1 + leader))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Files of a path with two classes, of one with twenty, of k-means, and without classes."""
    folder = tmp_path_factory.mktemp("pages")
    # In the order of a ccc.Path, from large ν to small.
    path = SimpleNamespace(nus=NUS[::-1], labels=LABELS[::-1])
    place = len(NUS) - 1 - SELECTED
    scores = {"evidence": EVIDENCE[::-1], "accuracy": ACCURACY[::-1]}
    two = made_up_odds(2, ["bad <movie>", "good movie"])
    twenty = made_up_odds(20, [f"group {k}" for k in range(20)])
    backwards = np.arange(len(NUS))[::-1]
    files = {name: folder / f"{name} page.html" for name in ("two", "twenty", "plain", "kmeans")}
    write_explorer(
        files["two"],
        path,
        WORDS,
        odds=two.take(backwards),
        selected=place,
        title="Reviews <b>",
        remarks="Made up.",
        **scores,
    )
    write_explorer(files["twenty"], path, WORDS, odds=twenty.take(backwards), selected=place)
    write_explorer(files["plain"], path, WORDS)
    kmeans = SimpleNamespace(parameter="k", nus=[8.0, 4.0], labels=LABELS[[0, 4]])
    write_explorer(files["kmeans"], kmeans, WORDS, selected=1)
    return {name: file.as_uri() for name, file in files.items()}


@pytest.fixture
def opened(browser, pages):
    """Open a page at a link; afterwards nothing was complained of and nothing was fetched."""

    def open_page(name, link=""):
        browser.get("about:blank")
        browser.get(pages[name] + link)
        assert browser.execute_script("return document.documentElement.dataset.ready") == "yes"
        return browser

    yield open_page
    fetched = browser.execute_script("return performance.getEntriesByType('resource').length")
    assert fetched == 0
    assert complaints(browser) == []


def find(browser, selector):
    return browser.find_element("css selector", selector)


def texts(browser, selector):
    return [element.text for element in browser.find_elements("css selector", selector)]


def facts(browser):
    parts = browser.find_elements("css selector", "#readout [data-fact]")
    return {part.get_attribute("data-fact"): find(part, "b").text for part in parts}


def item(browser, key):
    return find(browser, f'#tree [data-key="{key}"]')


def focused(browser):
    return browser.switch_to.active_element


def outline(element):
    """An item of the tree as nested text, odds included."""
    row = element.find_element("css selector", ":scope > .row")
    parts = row.find_elements("css selector", ".name, .size, .ratio")
    head = " ".join(part.text for part in parts)
    below = element.find_elements("css selector", ":scope > ul > li")
    return f"{head} ({', '.join(outline(part) for part in below)})" if below else head


def test_it_opens_at_the_selected_clustering(opened):
    browser = opened("two")
    assert browser.title == find(browser, "h1").text == "Reviews <b>"
    assert find(browser, "#remarks").text == "Made up."
    assert facts(browser) == {
        "ν": "0.5",
        "clusters": "4",
        "evidence": "−50.5",
        "held-out accuracy": "0.8600",
    }
    assert find(browser, "#readout .picked").text == "selected"
    assert find(browser, "#clusters-title").text == "4 clusters at ν = 0.5"
    assert texts(browser, "#charts .axis b") == ["clusters (log)", "evidence", "held-out accuracy"]


def test_the_slider_walks_along_the_path(opened):
    browser = opened("two")
    slider = find(browser, "#position")
    assert slider.get_attribute("max") == "6"
    slider.send_keys(Keys.ARROW_LEFT)
    assert facts(browser)["ν"] == "0.2" and facts(browser)["clusters"] == "5"
    assert (
        slider.get_attribute("aria-valuetext")
        == "ν 0.2, clusters 5, evidence −55.0, held-out accuracy 0.8400"
    )
    slider.send_keys(Keys.HOME)
    assert facts(browser)["clusters"] == "8"
    assert find(browser, "#finer").get_attribute("disabled") == "true"
    find(browser, "#coarser").click()
    assert facts(browser)["ν"] == "0.01"
    slider.send_keys(Keys.END)
    assert facts(browser) == {
        "ν": "100",
        "clusters": "1",
        "evidence": "−99.0",
        "held-out accuracy": "0.5000",
    }
    find(browser, "#selected").click()
    assert facts(browser)["ν"] == "0.5"


def test_a_click_into_a_chart_goes_there(opened):
    browser = opened("two")
    chart = find(browser, "#charts svg")
    actions = webdriver.ActionChains(browser)
    width = chart.size["width"]
    actions.move_to_element_with_offset(chart, int(-width / 2 + 12), 0).click().perform()
    assert facts(browser)["ν"] == "0.001"


def test_clusters_stand_by_class_with_odds_and_open_down_to_words(opened):
    browser = opened("two", "#open=c0,c1,0:3,0:2,3:3,4:2")
    path = SimpleNamespace(nus=NUS, labels=LABELS)
    odds = made_up_odds(2, ["bad", "good"]).take(tree_rows(path, SELECTED))
    branches = excerpt(path_tree(path, SELECTED), WORDS, odds)

    def expected(branch):
        head = f"{branch.text} {odds_text(branch.odds)}"
        below = [*branch.inner, *branch.leaves]
        # By odds ratio, the strongest first, as the page does.
        below.sort(key=lambda part: -round(part.odds, 2))
        return f"{head} ({', '.join(map(expected, below))})" if below else head

    for code, (name, members) in enumerate((("bad <movie>", 3), ("good movie", 5))):
        mine = [branch for branch in branches if branch.leading == code]
        clusters = f"{len(mine)} cluster{'s' * (len(mine) > 1)}"
        inside = ", ".join(map(expected, sorted(mine, key=lambda branch: -branch.odds)))
        assert (
            outline(item(browser, f"c{code}")) == f"{name} {clusters}, {members} members ({inside})"
        )


def test_the_tree_goes_by_keyboard(opened):
    browser = opened("two")
    browser.execute_script("document.querySelector('#tree [tabindex=\"0\"]').focus()")
    assert focused(browser).get_attribute("data-key") == "c0"
    for key, then in (
        (Keys.ARROW_RIGHT, "c0"),
        (Keys.ARROW_RIGHT, "0:3"),
        (Keys.ARROW_RIGHT, "0:3"),
        (Keys.ARROW_DOWN, "0:2"),
        (Keys.ARROW_DOWN, "2:1"),
        (Keys.ARROW_LEFT, "0:3"),
        (Keys.ARROW_LEFT, "0:3"),
        (Keys.ARROW_UP, "c0"),
        (Keys.END, "c1"),
        (Keys.HOME, "c0"),
    ):
        focused(browser).send_keys(key)
        assert focused(browser).get_attribute("data-key") == then
    assert item(browser, "0:3").get_attribute("aria-expanded") == "false"
    assert item(browser, "c0").get_attribute("aria-expanded") == "true"
    assert item(browser, "0:3").get_attribute("aria-level") == "2"
    assert len(browser.find_elements("css selector", "#tree [tabindex='0']")) == 1
    # Enter on a word shows it along the path.
    item(browser, "0:3").click()
    item(browser, "2:1").send_keys(Keys.ENTER)
    assert find(browser, "#chosen-word").text == "boring"


def test_a_word_is_found_and_followed_along_the_path(opened):
    browser = opened("two")
    browser.find_element("tag name", "body").send_keys("/")
    field = focused(browser)
    assert field.get_attribute("id") == "search"
    field.send_keys("bor")
    assert field.get_attribute("aria-expanded") == "true"
    assert texts(browser, "#matches [role=option]") == ["boring"]
    field.send_keys(Keys.ENTER)
    assert find(browser, "#chosen-word").text == "boring"
    assert find(browser, "#now").text.startswith("At ν = 0.5: one of 3, bad <movie>")
    rows = [
        [cell.text for cell in row.find_elements("css selector", "td")]
        for row in browser.find_elements("css selector", "#found tbody tr")
    ]
    assert [(ranges, size, change) for ranges, size, _, change in rows] == [
        ("0.001 … 0.01", "1", "by itself"),
        ("0.1", "3", "+ dull, awful"),
        ("0.2", "1", "− dull, awful"),
        ("0.5", "3", "+ dull, awful"),
        ("1", "4", "+ </script><b>x"),
        ("100", "8", "+ 日本 & co, superb, great, 7/10"),
    ]
    assert len(browser.find_elements("css selector", "#found tr.now")) == 1
    find(browser, "#found tbody tr:nth-child(2) button").click()
    assert facts(browser)["ν"] == "0.1"


def test_matches_are_chosen_with_the_arrows_and_closed_with_escape(opened):
    browser = opened("two")
    field = find(browser, "#search")
    field.send_keys("r")
    assert texts(browser, "#matches [role=option]") == [
        "boring",
        "great",
        "superb",
        "</script><b>x",
    ]
    field.send_keys(Keys.ARROW_DOWN)
    active = field.get_attribute("aria-activedescendant")
    assert find(browser, f"#{active}").text == "great"
    assert find(browser, f"#{active}").get_attribute("aria-selected") == "true"
    field.send_keys(Keys.ESCAPE)
    assert not find(browser, "#matches").is_displayed()
    field.send_keys(Keys.BACKSPACE, "zzz")
    assert find(browser, "#matches").text == "nothing found"
    field.send_keys(Keys.BACKSPACE * 3, "日", Keys.ENTER)
    assert find(browser, "#chosen-word").text == "日本 & co"


def test_a_chosen_word_can_be_shown_in_the_tree(opened):
    browser = opened("two", "#word=awful")
    find(browser, "#reveal").click()
    assert focused(browser).get_attribute("data-key") == "0:1"
    assert "here" in focused(browser).get_attribute("class")
    # Words of its cluster lead to others.
    next(
        c for c in browser.find_elements("css selector", ".chips button") if c.text == "dull"
    ).click()
    assert find(browser, "#chosen-word").text == "dull"


def test_a_link_leads_to_the_same_state(opened):
    browser = opened(
        "two", "#at=0.2&word=%E6%97%A5%E6%9C%AC%20%26%20co&open=c1&order=size&several=1"
    )
    assert facts(browser)["ν"] == "0.2"
    assert find(browser, "#chosen-word").text == "日本 & co"
    assert find(browser, "#several").is_selected()
    assert find(browser, "#order").get_attribute("value") == "size"
    assert item(browser, "c1").get_attribute("aria-expanded") == "true"
    find(browser, "#position").send_keys(Keys.ARROW_LEFT)
    find(browser, "#several").click()
    link = browser.current_url
    assert link.endswith("#at=0.1&word=%E6%97%A5%E6%9C%AC%20%26%20co&open=c1&order=size")
    before = find(browser, "main").text
    browser.get("about:blank")
    browser.get(link)
    assert find(browser, "main").text == before
    # And one that is typed into the open page.
    browser.execute_script("location.hash = '#at=1&word=great'")
    wait.WebDriverWait(browser, 30).until(lambda b: facts(b)["ν"] == "1")
    assert find(browser, "#chosen-word").text == "great"


@pytest.mark.parametrize(
    "link", ["#at=x&word=%", "#open=zz,9:9&covariate=99", "#word=nobody&&=", "#"]
)
def test_a_broken_link_opens_the_page_all_the_same(opened, link):
    browser = opened("two", link)
    assert facts(browser)["ν"] == "0.5"


def test_many_classes_have_numbers_and_few_have_none(opened):
    browser = opened("twenty", "#word=great")
    assert texts(browser, "#tree .badge") == ["1", "20"]
    assert texts(opened("two"), "#tree .badge") == ["", ""]


def test_a_path_without_classes(opened):
    browser = opened("plain", "#at=0.5&open=0:3")
    assert outline(item(browser, "0:3")) == "3 (2, boring)"
    assert not find(browser, "#order").is_displayed()
    assert facts(browser) == {"ν": "0.5", "clusters": "4"}
    find(browser, "#several").click()
    assert [
        e.get_attribute("data-key") for e in browser.find_elements("css selector", "#tree > li")
    ] == ["0:3", "3:3"]
    find(browser, "#collapse").click()
    assert browser.find_elements("css selector", "#tree ul") == []


def test_kmeans_is_flat(opened):
    browser = opened("kmeans", "#open=0:3")
    assert facts(browser) == {"k": "4", "clusters": "4"}
    assert outline(item(browser, "0:3")) == "3 (awful, dull, boring)"


def test_everything_to_be_used_has_a_name_and_the_theme_changes(opened):
    browser = opened("two", "#word=great&open=c0,c1")
    unnamed = browser.execute_script(
        """const used = "button, input, select, table, [role=tree], [role=treeitem], "
             + "[role=listbox], [role=img]";
           return [...document.querySelectorAll(used)].filter((element) => !(
             element.getAttribute("aria-label") || element.getAttribute("aria-labelledby")
             || element.labels?.length || element.textContent.trim())).map((e) => e.outerHTML)"""
    )
    assert unnamed == []
    colour = "return getComputedStyle(document.body).backgroundColor"
    before = browser.execute_script(colour)
    find(browser, "#theme").click()
    assert browser.execute_script(colour) != before
    assert find(browser, "#theme").get_attribute("aria-pressed") == "true"
    assert not browser.find_elements("css selector", "h1 b, #tree b, table b, .chips b")


def test_a_narrow_window_needs_no_sideways_scrolling(opened):
    browser = opened("two", "#word=great&open=c0,c1")
    browser.set_window_size(500, 900)
    try:
        wide = browser.execute_script(
            "return document.documentElement.scrollWidth - window.innerWidth"
        )
        assert wide <= 0
    finally:
        browser.set_window_size(1280, 1400)


def test_thousands_of_clusters_come_a_hundred_at_a_time(opened, pages, tmp_path):
    d = 2600
    names = [f"word{j}" for j in range(d)]
    many = SimpleNamespace(nus=[1.0, 2.0], labels=np.array([np.arange(d), np.arange(d) // 2]))
    write_explorer(tmp_path / "many.html", many, names, selected=0)
    pages["many"] = (tmp_path / "many.html").as_uri()
    browser = opened("many")
    items = "#tree [role=treeitem]"
    assert len(browser.find_elements("css selector", items)) == 101
    more = browser.find_elements("css selector", items)[-1]
    assert more.text == "2500 more"
    more.send_keys(Keys.ENTER)
    assert focused(browser).get_attribute("data-key") == "100:1"
    assert len(browser.find_elements("css selector", items)) == 201
    # A word far down is found in the tree all the same.
    find(browser, "#search").send_keys("word1500", Keys.ENTER)
    find(browser, "#reveal").click()
    assert focused(browser).get_attribute("data-key") == "1500:1"
    find(browser, "#position").send_keys(Keys.ARROW_RIGHT)
    assert facts(browser)["clusters"] == "1300"
    assert find(browser, "#now").text == "At ν = 2: one of 2"
