"""What all examples share: the methods beside ours, a small table, and where the picture goes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.cluster import FeatureAgglomeration
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

__all__ = ["compared", "others", "run"]


def others(n_clusters: int) -> dict[str, Any]:
    """Logistic regression on all covariates, and on as many clusters that have not seen y."""
    agglomeration = FeatureAgglomeration(n_clusters=n_clusters)
    return {
        "FeatureAgglomeration + logistic regression": make_pipeline(
            StandardScaler(), agglomeration, LogisticRegression(max_iter=1000)
        ),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    }


def compared(ours: Any, X: Any, y: Any, X_test: Any, y_test: Any) -> pd.DataFrame:
    """Number of parameters and held-out accuracy of our fit and of the others, fitted to X, y."""
    rows = {"ConvexCovariateClustering": (ours, ours.cluster_coef_)}
    for name, method in others(ours.n_clusters_).items():
        rows[name] = method.fit(X, y), method[-1].coef_
    columns = {
        "covariates or clusters": lambda fit, coef: coef.shape[1],
        "parameters": lambda fit, coef: coef.size + len(coef),
        "held-out accuracy": lambda fit, coef: fit.score(X_test, y_test),
    }
    return pd.DataFrame(
        {title: {name: of(*row) for name, row in rows.items()} for title, of in columns.items()}
    )


def run(main: Callable[..., pd.DataFrame], picture: str, about: str, **switches: str) -> None:
    """Run an example from the command line: print its table, say where its picture is.

    ``switches`` are further options of the example by name, with what they do.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--out", type=Path, default=Path(), help="folder of the picture")
    for name, does in switches.items():
        parser.add_argument(f"--{name}", action="store_true", help=does)
    given = vars(parser.parse_args())
    print(main(**given).to_string(float_format="{:.3f}".format))
    print(f"picture: {given['out'] / picture}")
