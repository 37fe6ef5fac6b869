"""``model.json``: a classifier on clusters as text that people can read, with a version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ccc.cli.arguments import installed_version
from ccc.estimator.model import ClusterModel
from ccc.storage import new_file

__all__ = ["StoredModel", "read_model", "write_model"]

FORMAT, VERSION = "ccc model", 1


@dataclass(frozen=True)
class StoredModel:
    """What predictions need, and what people want to know.

    Attributes
    ----------
    target : str
        Column of the class.
    classes : list of str
    covariates : list of str
        Columns, in the order of the model.
    model : ClusterModel
    facts : dict
        Of training, settings and choice; nothing is computed from it.
    """

    target: str
    classes: list[str]
    covariates: list[str]
    model: ClusterModel
    facts: dict[str, Any]


def write_model(stored: StoredModel, path: Path) -> None:
    """Write ``stored``; floats keep all their digits."""
    model = stored.model
    sizes = np.bincount(model.labels)
    coefficients = np.zeros((len(sizes), len(model.coef)))
    coefficients[model.used] = model.coef.T
    content = {
        "format": FORMAT,
        "version": VERSION,
        "written by": f"ccc {installed_version()}",
        "target": stored.target,
        "classes": stored.classes,
        "scores": "sum over clusters of coefficient times the sum of (value - centre) / scale over "
        "the covariates of the cluster, plus intercept; "
        + ("the log-odds of the second class" if len(stored.classes) == 2 else "one per class"),
        "intercepts": model.intercept.tolist(),
        **stored.facts,
        "clusters": [
            {
                "cluster": k,
                "size": int(sizes[k]),
                "used": bool(model.used[k]),
                "coefficients": coefficients[k].tolist(),
            }
            for k in range(len(sizes))
        ],
        "covariates": [
            {"name": name, "cluster": int(k), "centre": float(centre), "scale": float(scale)}
            for name, k, centre, scale in zip(
                stored.covariates, model.labels, model.centre, model.scale, strict=True
            )
        ],
    }
    with new_file(path) as file:
        file.write_text(_readable(content), encoding="utf-8")


def _readable(content: Mapping[str, Any]) -> str:
    """JSON with a line per key, and per entry of a list of objects."""
    lines = []
    for key, value in content.items():
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if isinstance(value, dict):
            text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
            text = text.replace("\n", "\n  ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            entries = (json.dumps(entry, ensure_ascii=False, allow_nan=False) for entry in value)
            text = "[\n    " + ",\n    ".join(entries) + "\n  ]"
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_model(path: str) -> StoredModel:
    """Read what :func:`write_model` wrote; anything else is an error that says what is wrong."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f'{path}: not a model of ccc fit (no "format": "{FORMAT}")')
    if content.get("version") != VERSION:
        raise ValueError(
            f"{path}: version {content.get('version')!r} of the format; this ccc reads {VERSION}"
        )
    try:
        return _stored(content)
    except KeyError as error:
        raise ValueError(f"{path}: the model lacks {error}") from None
    except (TypeError, ValueError, IndexError) as error:
        raise ValueError(f"{path}: the model is damaged: {error}") from None


def _stored(content: dict[str, Any]) -> StoredModel:
    clusters, covariates = content["clusters"], content["covariates"]
    classes = [str(name) for name in content["classes"]]
    rows = 1 if len(classes) == 2 else len(classes)
    used = np.array([cluster["used"] for cluster in clusters], dtype=bool)
    all_of_them = np.array([cluster["coefficients"] for cluster in clusters], dtype=np.float64)
    if all_of_them.shape != (len(clusters), rows):
        raise ValueError(f"coefficients of shape {all_of_them.shape}, not {(len(clusters), rows)}")
    model = ClusterModel(
        centre=np.array([one["centre"] for one in covariates], dtype=np.float64),
        scale=np.array([one["scale"] for one in covariates], dtype=np.float64),
        labels=np.array([one["cluster"] for one in covariates], dtype=np.int64),
        used=used,
        coef=np.ascontiguousarray(all_of_them[used].T),
        intercept=np.array(content["intercepts"], dtype=np.float64),
    )
    if model.intercept.shape != (rows,):
        raise ValueError(f"{model.intercept.size} intercepts, not {rows}")
    if sorted(set(model.labels.tolist())) != list(range(len(clusters))):
        raise ValueError(f"covariates are not in the clusters 0 to {len(clusters) - 1}")
    numbers = (model.centre, model.scale, model.coef, model.intercept)
    if not all(np.isfinite(values).all() for values in numbers) or (model.scale <= 0).any():
        raise ValueError("a number is not finite, or a scale not positive")
    names = [str(one["name"]) for one in covariates]
    facts = {key: content[key] for key in ("training", "choice", "settings")}
    return StoredModel(str(content["target"]), classes, names, model, facts)
