"""Tables and documents as HTML pages of one file each, for Snakemake's report and for the browser.

A page shows what is written in Markdown and, below it, a long table whose columns can be sorted and
filtered. It needs no network.
"""

from __future__ import annotations

import html
import json
from string import Template

import pandas as pd
from markdown_it import MarkdownIt

__all__ = ["page"]

PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --accent: #0072b2; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; }
body { margin: 1.5rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; }
th { border-bottom-width: 2px; }
sub { color: #888; font-size: .85em; vertical-align: baseline; }
.wide { overflow-x: auto; }
.number { text-align: right; white-space: nowrap; }
tbody tr:hover { background: var(--soft); }
th button { all: unset; cursor: pointer; font-weight: 600; white-space: nowrap; }
th button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); }
th[aria-sort] button::after { content: " ▴"; }
th[aria-sort="descending"] button::after { content: " ▾"; }
input { font: inherit; padding: .25rem .5rem; width: 18rem; }
</style>
</head>
<body>
$body
$rows
</body>
</html>
""")

ROWS = Template("""<h2>All rows</h2>
<p><label>Show rows with
<input type="search" id="filter" placeholder="for instance: proposed 1000"></label>
<output id="count"></output></p>
<div class="wide"><table id="rows"><thead><tr>$headings</tr></thead><tbody></tbody></table></div>
<script>
"use strict";
const rows = $data;
const head = document.querySelectorAll("#rows th"), body = document.querySelector("#rows tbody");
const filter = document.getElementById("filter");
let column = null, ascending = true;
const text = value => value === null ? "" : String(value);
function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "number" && typeof b === "number" ? a - b
    : text(a).localeCompare(text(b), "en", { numeric: true });
  return ascending ? order : -order;
}
function show() {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const shown = rows.filter(row => {
    const cells = row.map(value => text(value).toLowerCase());
    return words.every(word => cells.some(cell => cell.includes(word)));
  });
  if (column !== null) shown.sort((a, b) => compare(a[column], b[column]));
  body.replaceChildren(...shown.map(row => {
    const line = document.createElement("tr");
    for (const value of row) {
      const cell = line.insertCell();
      cell.textContent = text(value);
      if (typeof value === "number") cell.className = "number";
    }
    return line;
  }));
  document.getElementById("count").textContent = shown.length + " of " + rows.length;
}
head.forEach((cell, index) => cell.firstChild.addEventListener("click", () => {
  ascending = column === index ? !ascending : true;
  column = index;
  head.forEach(other => other.removeAttribute("aria-sort"));
  cell.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  show();
}));
filter.addEventListener("input", show);
show();
</script>
""")


def page(title: str, markdown: str, frame: pd.DataFrame | None = None) -> str:
    """A page with a document and, if given, the rows of a long table.

    Parameters
    ----------
    title : str
        Of the browser's tab.
    markdown : str
        With tables, and with ``<sub>`` for small print as the only HTML that is kept. Of links the
        text stays: in Snakemake's report a page has no place from which they would lead anywhere.
    frame : DataFrame, optional
    """
    # Raw HTML is shown as text, so that no word of a corpus becomes mark-up.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for end in ("link_open", "link_close"):
        parser.add_render_rule(end, lambda *_: "")
    body = parser.render(markdown)
    for tag in ("<sub>", "</sub>"):
        body = body.replace(html.escape(tag), tag)
    body = body.replace("<table>", '<div class="wide"><table>').replace(
        "</table>", "</table></div>"
    )
    rows = "" if frame is None else _rows(frame)
    return PAGE.substitute(title=html.escape(title), body=body, rows=rows)


def _rows(frame: pd.DataFrame) -> str:
    headings = "".join(
        f'<th scope="col"><button type="button">{html.escape(str(name))}</button></th>'
        for name in frame.columns
    )
    values = json.loads(frame.to_json(orient="values", double_precision=10))
    # "</script>" in a cell would end the script.
    data = json.dumps(values, ensure_ascii=False).replace("<", "\\u003c")
    return ROWS.substitute(headings=headings, data=data)
