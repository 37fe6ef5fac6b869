"""``ccc info``: what a stored model is, in a few lines."""

from __future__ import annotations

import argparse

import numpy as np

from ccc.cli.model_file import StoredModel, read_model

__all__ = ["overview", "run"]

WIDTH = 100


def run(options: argparse.Namespace) -> None:
    stored = read_model(options.model)
    print(overview(stored))
    print("\n".join(clusters(stored)))


def overview(stored: StoredModel) -> str:
    """Data, clusters and how they were chosen."""
    training, choice = stored.facts["training"], stored.facts["choice"]
    rows = ", ".join(f"{name} {count}" for name, count in training["rows per class"].items())
    used = int(stored.model.used.sum())
    lines = [
        f"target {stored.target}: {rows}",
        f"{len(stored.covariates)} covariates in {len(stored.model.used)} clusters"
        + ("" if used == len(stored.model.used) else f", {used} of them used"),
        f"nu = {choice['nu']:.6g} ({_criterion(stored)}), "
        f"relative duality gap {choice['relative duality gap']:.1e}",
        f"accuracy {training['accuracy']:.4f} on the {training['rows']} rows of training "
        f"({training['table']})",
    ]
    return "\n".join(lines)


def _criterion(stored: StoredModel) -> str:
    criterion, wanted = stored.facts["choice"]["criterion"], stored.facts["settings"]["clusters"]
    text = {"evidence": "highest evidence", "cv": "cross-validation"}.get(criterion, criterion)
    return str(text if wanted is None else f"nearest to {wanted} clusters, then {text}")


def clusters(stored: StoredModel) -> list[str]:
    """A line per cluster: the strongest first, with its coefficients and covariates."""
    model = stored.model
    of = np.zeros((len(model.used), len(model.coef)))
    of[model.used] = model.coef.T
    shown = stored.classes[1:] if len(model.coef) == 1 else stored.classes
    lines = [
        f"clusters, with coefficients ({', '.join(shown)}) per "
        + ("standard deviation" if (model.scale != 1).any() else "unit")
    ]
    for k in np.argsort(-np.linalg.norm(of, axis=1), kind="stable"):
        names = [stored.covariates[j] for j in np.flatnonzero(model.labels == k)]
        numbers = " ".join(f"{value:+.3f}" for value in of[k])
        lines.append(f"  {int(k):>3}  {numbers}  {_shortened(names, WIDTH - 8 - len(numbers))}")
    return lines


def _shortened(names: list[str], width: int) -> str:
    """As many names as fit, and how many do not; at least one."""
    shown = names[0]
    for i, name in enumerate(names[1:], start=1):
        rest = len(names) - i
        if len(shown) + len(name) + len(f", and {rest} more") > width:
            return f"{shown}, and {rest} more"
        shown += f", {name}"
    return shown
