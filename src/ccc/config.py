"""The workflow's configuration: checked against its schema, with errors of one line.

A mistake ends the run before anything is written, with a line that names the key.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import jsonschema
import yaml

__all__ = [
    "check_config",
    "check_runtime",
    "check_writable",
    "reduction",
    "reductions",
    "shared",
    "studies",
    "text_changes",
    "text_remarks",
]

MAIN_STUDY = "synthetic"

# What the paper's experiment has, for reductions to be named.
PAPER_D, PAPER_N, PAPER_REPETITIONS = [40, 200, 1000], [40, 400, 4000], 10
PAPER_NU_COUNT, PAPER_GAMMA_COUNT = 300, 1501
PAPER_WORDS, PAPER_DOCUMENTS, PAPER_LASSO_COUNT = 10_000, 10_000, 30
PAPER_EMBEDDINGS = {"imdb": ("word2vec", 50), "newsgroup20": ("glove", 300)}
EMBEDDING_NAMES = {"word2vec": "word2vec", "glove": "GloVe"}


def check_config(config: Mapping[str, Any], schema: str | os.PathLike[str]) -> None:
    """End the program with one line if ``config`` does not match the JSON schema in a YAML file."""
    rules = yaml.safe_load(Path(schema).read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(rules)
    error = jsonschema.exceptions.best_match(validator.iter_errors(config))
    if error is not None:
        _stop(f"config: {_describe(error)}")


def check_writable(folder: str | os.PathLike[str]) -> None:
    """End the program with one line if no file can be made in ``folder`` or its future place."""
    place = Path(folder)
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        _stop(f"results: cannot write to {folder}: {place} is not a folder; move it away")
    if not os.access(place, os.W_OK | os.X_OK):
        _stop(f"results: cannot write to {folder}: {place} is read-only; change its permissions")


def check_runtime(config: Mapping[str, Any]) -> None:
    """End the program with one line if the runtime experiments have no data, or no limits."""
    runtime, synthetic = config["runtime"], config["synthetic"]
    if runtime["design"] not in synthetic["designs"]:
        _stop(f"config: runtime.design {runtime['design']!r} is not in synthetic.designs")
    for axis in ("d", "n"):
        for key, values in (("", runtime[axis]), (".accuracy", [runtime["accuracy"][axis]])):
            missing = [value for value in values if value not in synthetic[axis]]
            if missing:
                _stop(f"config: runtime{key}.{axis} has {missing[0]}, synthetic.{axis} has not")
    for solver, limits in runtime["solvers"].items():
        for key, rows in limits.items():
            place = f"config: runtime.solvers.{solver}.{key}"
            if len(rows) != len(runtime["d"]):
                _stop(f"{place} has {len(rows)} rows, runtime.d has {len(runtime['d'])} values")
            for row, d in zip(rows, runtime["d"], strict=True):
                if len(row) != len(runtime["n"]):
                    _stop(
                        f"{place} has {len(row)} values for d = {d}, "
                        f"runtime.n has {len(runtime['n'])}"
                    )
        most = max(max(row) for row in limits["repetitions"])
        if most > synthetic["repetitions"]:
            _stop(
                f"config: runtime.solvers.{solver}.repetitions has {most}, there are "
                f"{synthetic['repetitions']} synthetic.repetitions"
            )
    last = max(runtime["accuracy"]["exponents"])
    if last >= config["nu_grid"]["count"]:
        _stop(f"config: runtime.accuracy.exponents has {last}, the last is nu_grid.count - 1")


def studies(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Settings of the main experiment and of each variant of it, by name.

    A variant has the main settings but for those that it names, and the proposed method alone.
    """
    main = config["synthetic"] | {"solver": config["solver"]["method"]}
    return {MAIN_STUDY: main} | {
        name: main | {"methods": ["proposed"]} | changes
        for name, changes in config["variants"].items()
    }


def shared(studies: Mapping[str, Mapping[str, Any]], *keys: str) -> dict[str, str]:
    """For each study the first one with the same values of ``keys``, which makes their files.

    Variants that draw the same data thus read the same file.
    """
    first: dict[tuple[Any, ...], str] = {}
    return {
        name: first.setdefault(tuple(settings[key] for key in keys), name)
        for name, settings in studies.items()
    }


def reduction(config: Mapping[str, Any]) -> str:
    """What a run leaves out of the paper's experiment, for captions; empty if nothing."""
    changes = reductions(config)
    return f"{config['run']} run: {'; '.join(changes)}" if changes else ""


def reductions(config: Mapping[str, Any]) -> list[str]:
    """The same, one by one."""
    synthetic, convex = config["synthetic"], config["convex"]
    counts = [
        (synthetic["repetitions"], PAPER_REPETITIONS, "repetitions"),
        (config["nu_grid"]["count"], PAPER_NU_COUNT, "ν"),
        (convex["max"] * convex["per_unit"] + 1, PAPER_GAMMA_COUNT, "γ"),
    ]
    changes = [
        f"{axis} = {', '.join(map(str, synthetic[axis]))}"
        for axis, paper in (("d", PAPER_D), ("n", PAPER_N))
        if synthetic[axis] != paper
    ]
    changes += [f"{count} of {paper} {what}" for count, paper, what in counts if count != paper]
    return changes


def text_remarks(config: Mapping[str, Any], only: str | None = None) -> str:
    """What the experiments on corpora, or on one of them, do otherwise than the paper."""
    kind = "Otherwise than in the paper" if config["run"] == "paper" else "Quick run"
    changes = text_changes(config, only)
    return f"{kind}: {'; '.join(changes)}." if changes else ""


def text_changes(config: Mapping[str, Any], only: str | None = None) -> list[str]:
    """The same, one by one."""
    corpora, convex = config["corpora"], config["convex"]
    counts = [
        (corpora["vocabulary"], PAPER_WORDS, "words"),
        (corpora["n_train"], PAPER_DOCUMENTS, "documents to learn from"),
        (corpora["gamma_grid"]["count"], PAPER_LASSO_COUNT, "γ of the group lasso"),
        (config["nu_grid"]["count"], PAPER_NU_COUNT, "ν"),
        (convex["max"] * convex["per_unit"] + 1, PAPER_GAMMA_COUNT, "γ of convex clustering"),
    ]
    changes = ["embedded sample corpora"] if corpora["source"] == "sample" else []
    changes += [f"{count} of {paper} {what}" for count, paper, what in counts if count != paper]
    for corpus, embedding in corpora["embeddings"].items():
        method, dimension = PAPER_EMBEDDINGS[corpus]
        other = (embedding["method"], embedding["dimension"]) != (method, dimension)
        if other and only in (None, corpus):
            here, paper = EMBEDDING_NAMES[embedding["method"]], EMBEDDING_NAMES[method]
            changes.append(
                f"{embedding['dimension']}-dimensional {here} vectors for {corpus}, in the paper "
                f"{dimension}-dimensional {paper}"
            )
    if corpora["statistics"] != "pooled":
        changes.append("idf, mean and variance of the documents to learn from alone")
    if not corpora["normalise"]:
        changes.append("word vectors not normalised")
    return changes


def _stop(message: str) -> NoReturn:
    sys.exit(f"Error in {message}")


def _describe(error: jsonschema.ValidationError) -> str:
    """The key, what is wrong with it, and what to do."""
    place = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        unknown = next(key for key in error.instance if key not in known)
        return f"unknown key '{_join(place, unknown)}'; {_suggestion(place, str(unknown), known)}"
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        about = error.schema["properties"][missing]["description"]
        return f"key '{_join(place, missing)}' is missing ({about})"
    about = f" ({error.schema['description']})" if "description" in error.schema else ""
    message = " ".join(str(error.message).split())
    return f"key '{place}': {message}{about}"


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else str(key)


def _suggestion(place: str, unknown: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(unknown, known, n=1)
    if close:
        return f"did you mean '{_join(place, close[0])}'?"
    return f"known keys are {', '.join(_join(place, key) for key in known)}"
