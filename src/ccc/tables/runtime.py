"""The table of runtimes: minutes per path for every solver, beside the published ones.

Starts from a list of timed paths, a row per repetition, with the columns ``solver, design, d, n,
repetition`` and what :func:`ccc.timing.path_time` returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from ccc.tables.layout import MISSING

__all__ = ["SOLVER_NAMES", "runtime_frame", "runtime_shapes", "significant"]

CELL = ["design", "method", "d", "n"]
MEASURE = "minutes_per_path"
TEXT = ["statuses", "size", "message"]
SOLVER_NAMES = {
    "exact": "exact (ours)",
    "admm": "the paper's ADMM",
    "ecos": "ECOS",
    "scs": "SCS",
    "clarabel": "Clarabel",
}


def runtime_frame(
    times: pd.DataFrame, published: pd.DataFrame, table: str, note: str = ""
) -> pd.DataFrame:
    """One row per solver and size.

    Parameters
    ----------
    times : DataFrame
        See the module.
    published : DataFrame
        The paper's numbers.
    table, note : str
        Name of the table; what must be said of every row.

    Returns
    -------
    DataFrame
        The columns of the paper's tables (``table, design, method, d, n, measure, selection, mean,
        sd, note, published_mean, published_sd, repetitions, worst_gap``), then ``basis`` (of the
        repetitions with a number ``"extrapolated"`` if any is, else ``"path"``; where there is no
        number, why), ``missing`` (repetitions without a number) and ``because`` of what,
        ``at_least`` (minutes that a path takes more than), ``solved`` (ν, of the repetition with
        the fewest), ``times_exact`` (the time over that of the exact solver on the same data, or
        what it is at least), ``statuses``, ``iterations``, ``setup_seconds``, ``peak_mb``,
        ``size``, ``ending``, ``message``.
    """
    times = times.rename(columns={"solver": "method"})
    times[TEXT] = times[TEXT].astype(object).fillna("")
    exact = times[times["method"] == "exact"].set_index(["design", "d", "n", "repetition"])
    times["reference"] = (
        exact["seconds"]
        .reindex(pd.MultiIndex.from_frame(times[["design", "d", "n", "repetition"]]))
        .to_numpy()
    )
    rows = pd.DataFrame(
        [dict(zip(CELL, key, strict=True)) | _cell(cell) for key, cell in times.groupby(CELL)]
    )
    theirs = published[published["measure"] == MEASURE].rename(
        columns={"mean": "published_mean", "sd": "published_sd", "note": "published_note"}
    )
    wanted = [*CELL, "published_mean", "published_sd", "published_note"]
    rows = rows.merge(theirs[wanted], on=CELL, how="left", validate="one_to_one")
    remarks = rows["published_note"].map(
        lambda remark: "" if pd.isna(remark) else f"published value {remark}"
    )
    rows["note"] = ["; ".join(filter(None, [note, remark])) for remark in remarks]
    rows = rows.assign(table=table, measure=MEASURE, selection="")
    order = rows["method"].map({name: i for i, name in enumerate(SOLVER_NAMES)})
    rows = rows.assign(order=order).sort_values(["order", "d", "n"], ignore_index=True)
    first = [
        *["table", *CELL, "measure", "selection", "mean", "sd", "note"],
        *["published_mean", "published_sd", "repetitions", "worst_gap"],
    ]
    last = [
        *["basis", "missing", "because", "at_least", "solved", "times_exact", "statuses"],
        *["iterations", "setup_seconds", "peak_mb", "size", "ending", "message"],
    ]
    return rows[[*first, *last]]


def _cell(cell: pd.DataFrame) -> dict[str, Any]:
    """Repetitions of one solver at one size; numbers are of those that have any."""
    good, bad = cell[cell["seconds"].notna()], cell[cell["seconds"].isna()]
    minutes, at_least = good["seconds"] / 60, cell["at_least"].min() / 60
    if len(good):
        basis = "path" if (good["basis"] == "path").all() else "extrapolated"
        ratio = good["seconds"].mean() / good["reference"].mean()
    else:
        basis = str(cell["basis"].iloc[0])
        ratio = 60 * at_least / cell["reference"].mean()
    return {
        "mean": minutes.mean(),
        "sd": minutes.std(),
        "repetitions": len(cell),
        "missing": len(bad),
        "because": ", ".join(dict.fromkeys(bad["basis"])),
        "worst_gap": good["worst_gap"].max(),
        "basis": basis,
        "at_least": np.nan if len(good) else at_least,
        "solved": int(cell["solved"].min()),
        "times_exact": ratio,
        "statuses": "; ".join(dict.fromkeys(filter(None, cell["statuses"]))),
        "iterations": good["iterations"].mean(),
        "setup_seconds": cell["setup_seconds"].mean(),
        "peak_mb": cell["peak_mb"].max(),
        "size": next(filter(None, cell["size"]), ""),
        "ending": next((e for e in (good if len(good) else cell)["ending"] if e != "finished"), ""),
        "message": next(filter(None, cell["message"]), ""),
    }


def runtime_shapes(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Frames of text: minutes in the paper's shape, ratios, gaps with statuses, memory, setup."""
    return [
        _minutes(frame),
        _wide(frame[frame["method"] != "exact"], _ratio, "/ exact"),
        _wide(frame, _accuracy, "gap"),
        _wide(frame, lambda row: significant(row["peak_mb"], 3), "MB"),
        _wide(frame, lambda row: significant(row["setup_seconds"]), "setup, s"),
    ]


def significant(value: float, digits: int = 2) -> str:
    """A number with so many significant digits, without an exponent."""
    if pd.isna(value):
        return MISSING
    if value == 0:
        return "0"
    # Rounding first: 9.97 has two digits before the point once it is rounded to two.
    value = float(f"{value:.{digits - 1}e}")
    places = digits - 1 - int(np.floor(np.log10(abs(value))))
    return f"{value:.{places}f}" if places > 0 else f"{value:,.0f}"


def _minutes(frame: pd.DataFrame) -> pd.DataFrame:
    """A block of rows per solver, a pair of columns per n: ours and the published."""
    columns = ["solver", "d"]
    sizes = sorted(frame["n"].unique())
    for n in sizes:
        columns += [f"n = {n}", "paper"]
    lines = []
    for (method, d), rows in frame.groupby(["method", "d"], sort=False):
        line = [SOLVER_NAMES[str(method)], str(d)]
        for n in sizes:
            found = rows[rows["n"] == n]
            line += [_ours(found.iloc[0]), _theirs(found.iloc[0])] if len(found) else [MISSING] * 2
        lines.append(line)
    return pd.DataFrame(lines, columns=columns)


def _ours(row: Any) -> str:
    if row["basis"] == "time":
        return f"> {significant(row['at_least'])}{'' if row['method'] == 'exact' else '*'}"
    if row["basis"] == "setup":
        return f"not set up in {significant(row['setup_seconds'])} s"
    if row["basis"] == "memory":
        return f"does not fit ({row['size']})"
    if row["basis"] == "failed":
        return f"failed ({row['message'] or row['statuses']})"
    sd = "" if pd.isna(row["sd"]) else f" ({significant(row['sd'])})"
    remarks = [] if row["basis"] == "path" else [str(row["solved"])]
    if row["ending"] in ("memory", "failed"):
        remarks.append(f"then {row['message'] or row['ending']}")
    if row["missing"]:
        remarks.append(f"{row['missing']} of {row['repetitions']}: {row['because']}")
    star = "" if row["basis"] == "path" else "*"
    more = f" [{', '.join(remarks)}]" if remarks else ""
    return f"{significant(row['mean'])}{sd}{star}{more}"


def _theirs(row: Any) -> str:
    if pd.isna(row["published_mean"]):
        return MISSING
    if pd.isna(row["published_sd"]):
        return f"{significant(row['published_mean'], 3)}*"
    return f"{significant(row['published_mean'], 3)} ({significant(row['published_sd'])})"


def _ratio(row: Any) -> str:
    if pd.isna(row["times_exact"]):
        return MISSING
    more = "> " if pd.isna(row["mean"]) else ""
    star = "" if row["basis"] in ("path", "setup") else "*"
    return f"{more}{significant(row['times_exact'])}{star}"


def _accuracy(row: Any) -> str:
    """The gap and, in brackets, what else than success the solver said of how many ν."""
    gap = MISSING if pd.isna(row["worst_gap"]) else f"{row['worst_gap']:.0e}"
    said = [
        part
        for part in row["statuses"].replace("; ", ", ").split(", ")
        if part.split(" ", 1)[-1] not in ("optimal", "converged", "")
    ]
    return f"{gap} ({', '.join(said)})" if said else gap


def _wide(frame: pd.DataFrame, text: Callable[[Any], str], what: str) -> pd.DataFrame:
    """A row per size, a column per solver."""
    methods = list(frame["method"].unique())
    lines = []
    for (d, n), rows in frame.groupby(["d", "n"], sort=True):
        cells = {row["method"]: text(row) for _, row in rows.iterrows()}
        lines.append([str(d), str(n), *(cells.get(method, MISSING) for method in methods)])
    headings = [f"{SOLVER_NAMES[method]} {what}" for method in methods]
    return pd.DataFrame(lines, columns=["d", "n", *headings])
