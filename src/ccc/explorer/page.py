"""The page: data and template in one HTML file."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.explorer.encode import encode_labels, encode_odds
from ccc.odds import ClassOdds, odds_of_path
from ccc.palette import class_colours, dark, numbered
from ccc.selection.clusterings import check_clusterings
from ccc.storage import new_file
from ccc.validation import check_nus

__all__ = ["write_explorer"]

SYMBOLS = {"nu": "ν", "gamma": "γ", "k": "k"}
SHOWN_AS = {"evidence": "evidence", "accuracy": "held-out accuracy"}
# In the order in which they use each other.
SCRIPTS = ("data", "tree", "state", "chart", "path", "search", "word", "clusters", "main")


def write_explorer(
    file: str | os.PathLike[str],
    path: Any,
    names: Sequence[str] | None = None,
    *,
    odds: ClassOdds | None = None,
    selected: Any = None,
    evidence: Any = None,
    accuracy: Any = None,
    title: str = "Clusters of covariates",
    remarks: str = "",
) -> None:
    """Write a path as an HTML file that can be searched and walked through, without a network.

    Parameters
    ----------
    file : path
    path : anything with ``nus`` (K,) and ``labels`` (K, d)
        A :class:`ccc.Path` or the clusterings of a baseline; ``parameter``, if it has one, says
        what ``nus`` are values of: "nu", "gamma" or "k".
    names : (d,) sequence of str, optional
        What to call the covariates; else they are numbered from 1.
    odds : ClassOdds, optional
        Classes and odds ratios of the clusters, :func:`ccc.odds.class_odds` of ``path.labels``.
        Without it those of the coefficients of a :class:`ccc.Path` are shown, and none of others.
    selected : int or Selection, optional
        Position in ``path.nus`` of the selected clustering, where the page opens. A
        :class:`ccc.Selection` also gives the evidence, or the accuracy, of every clustering.
    evidence, accuracy : (K,) arrays, optional
        Of every clustering; nan where it is not known. The accuracy is that on samples that the
        models have not seen.
    title, remarks : str
        Above the page; what must be said of the data.
    """
    nus = check_nus(path.nus, "path.nus")
    d = np.shape(path.labels)[-1]
    labels = check_clusterings(path.labels, len(nus), d, "path.labels")
    names = [str(j + 1) for j in range(d)] if names is None else [str(name) for name in names]
    if len(names) != d:
        raise ValueError(f"names must have {d} entries like path.labels, got {len(names)}")
    if odds is None and hasattr(path, "B"):
        odds = odds_of_path(path)
    if odds is not None and odds.leading.shape != (len(nus) + 1, d):
        raise ValueError(
            f"odds must have shape ({len(nus) + 1}, {d}), a row for single covariates and one per "
            f"nu; got {odds.leading.shape}"
        )
    scores, index = {}, selected
    if hasattr(selected, "scores"):
        scores, index = selected.scores, selected.index
    series = {
        "evidence": scores.get("log_marginal_likelihood") if evidence is None else evidence,
        "accuracy": scores.get("accuracy") if accuracy is None else accuracy,
    }
    chosen = _position(index, len(nus))
    parameter = getattr(path, "parameter", "nu")
    # From fine to coarse; k counts clusters, the others are penalties.
    order = np.argsort(-nus if parameter == "k" else nus, kind="stable")
    data = {
        "title": title,
        "remarks": remarks,
        "parameter": parameter,
        "symbol": SYMBOLS.get(parameter, parameter),
        "nested": parameter != "k",
        "names": names,
        "nus": [float(f"{nu:.6g}") for nu in nus[order]],
        "selected": None if chosen is None else int(np.flatnonzero(order == chosen)[0]),
        "series": [
            {"name": SHOWN_AS[name], "values": _numbers(values, name, order)}
            for name, values in series.items()
            if values is not None
        ],
        **_coded(labels[order], None if odds is None else odds.take(order)),
    }
    page = _filled({"title": html.escape(title), "data": _embedded(data)})
    with new_file(file) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _coded(labels: NDArray[np.int64], odds: ClassOdds | None) -> dict[str, Any]:
    """Each clustering once as long as it stays, and which one every ν has."""
    new = np.append(True, (labels[1:] != labels[:-1]).any(axis=1))
    rows = np.flatnonzero(new)
    coded = {"rows": (np.cumsum(new) - 1).tolist(), "labels": encode_labels(labels[rows])}
    if odds is None:
        return coded | {"classes": None}
    c = len(odds.classes)
    colours = class_colours(c)
    return coded | {
        "odds": encode_odds(labels[rows], odds.take(rows)),
        "classes": [
            {"name": str(label), "colour": colour, "dark": dark(colour)}
            for label, colour in zip(odds.classes.tolist(), colours, strict=True)
        ],
        "numbered": numbered(c),
    }


def _position(selected: Any, count: int) -> int | None:
    if selected is None:
        return None
    if not isinstance(selected, int | np.integer) or not 0 <= selected < count:
        raise ValueError(
            f"selected must be a position in path.nus, 0 to {count - 1}, got {selected!r}"
        )
    return int(selected)


def _numbers(values: Any, name: str, order: NDArray[np.int64]) -> list[float | None]:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.shape != order.shape:
        raise ValueError(f"{name} must have shape {order.shape} like path.nus, got {numbers.shape}")
    return [float(f"{value:.8g}") if np.isfinite(value) else None for value in numbers[order]]


def _embedded(data: Mapping[str, Any]) -> str:
    """JSON in ASCII that an HTML parser cannot mistake for the end of a script."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _filled(values: Mapping[str, str]) -> str:
    """The template with its parts. What is put in is not looked at again."""
    template = files("ccc.explorer") / "template"
    scripts = (template.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    parts = dict(values) | {
        "style": template.joinpath("page.css").read_text("utf-8"),
        "script": "\n".join(scripts),
    }
    page = template.joinpath("page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)
