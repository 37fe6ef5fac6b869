"""Pages of tables and documents."""

import json
import re

import pandas as pd

from ccc.pages import page


def rows_of(text):
    """The data that a page sorts and filters."""
    return json.loads(re.search(r"^const rows = (.*);$", text, re.MULTILINE)[1])


def test_a_page_has_the_document_and_every_row():
    frame = pd.DataFrame({"method": ["a", None], "mean": [0.5, float("nan")]})
    text = page("anmi", "Caption.\n\n| d | n |\n| --: | :-- |\n| 1 | 0.5 <sub>0.6</sub> |\n", frame)
    assert "<title>anmi</title>" in text and "<p>Caption.</p>" in text
    assert "0.5 <sub>0.6</sub>" in text
    assert rows_of(text) == [["a", 0.5], [None, None]]
    assert text.count('<th scope="col">') == 2


def test_a_document_needs_no_rows():
    text = page("Report", "# Report")
    assert "<h1>Report</h1>" in text and "<script>" not in text


def test_words_never_become_mark_up():
    hostile = "</script><script>alert(1)</script>"
    frame = pd.DataFrame({f"<b>{hostile}": [hostile]})
    text = page(hostile, f"| a |\n| :-- |\n| {hostile} |\n", frame)
    assert "alert(1)</script>" not in text
    assert text.count("<script>") == text.count("</script>") == 1
    assert rows_of(text) == [[hostile]]


def test_a_page_asks_for_nothing_from_elsewhere():
    text = page("a", "b", pd.DataFrame({"c": [1]}))
    assert not re.search(r"(src|href)=|url\(|@import|fetch\(", text)


def test_of_links_the_text_stays():
    text = page(
        "A report", "shown in [real_trust](tables/real_trust.md), [a figure](figures/a.png)"
    )
    assert "<p>shown in real_trust, a figure</p>" in text
    assert "href" not in text
