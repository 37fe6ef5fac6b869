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

__all__ = ["check_config", "check_writable", "reduction"]

PAPER_NU_COUNT = 300


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


def reduction(config: Mapping[str, Any]) -> str:
    """What a run leaves out of the paper's experiment, for captions; empty for the paper's own."""
    if config["run"] == "paper":
        return ""
    repetitions, count = config["synthetic"]["repetitions"], config["nu_grid"]["count"]
    return f"{config['run']} run: {repetitions} repetitions, {count} of {PAPER_NU_COUNT} ν"


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
