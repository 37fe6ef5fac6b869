"""Where in the picture does a 3 differ from an 8? With a similarity of one's own.

Pixels are similar if they are neighbours. Clusters of covariates are then regions of the picture,
and their borders run where the classes differ: a method that clusters pixels first, without
looking at the labels, puts them where the grey values differ.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from comparison import compared, others, run
from sklearn.datasets import load_digits
from sklearn.feature_extraction.image import grid_to_graph
from sklearn.model_selection import train_test_split

from ccc import ConvexCovariateClustering

PICTURE = "digits.png"


def main(out: Path) -> pd.DataFrame:
    X, y = load_digits(return_X_y=True)
    two = np.isin(y, [3, 8])
    X_train, X_test, y_train, y_test = train_test_split(
        X[two], y[two], stratify=y[two], train_size=0.5, random_state=0
    )
    model = ConvexCovariateClustering(grid_to_graph(8, 8)).fit(X_train, y_train)
    draw(model, X_train, y_train).savefig(out / PICTURE, dpi=150)
    return compared(model, X_train, y_train, X_test, y_test)


def draw(model, X, y):
    agglomeration, _ = others(model.n_clusters_).values()
    agglomeration.fit(X, y)
    theirs = agglomeration[1].labels_, agglomeration[-1].coef_[0]
    figure, panels = plt.subplots(1, 4, figsize=(9.5, 2.6), layout="constrained")
    for panel, digit in zip(panels, (3, 8), strict=False):
        panel.imshow(X[y == digit].mean(axis=0).reshape(8, 8), cmap="Greys")
        panel.set_title(f"mean {digit}", fontsize=9)
    regions(panels[2], model.labels_, model.cluster_coef_[0])
    panels[2].set_title(f"{model.n_clusters_} clusters, with labels", fontsize=9)
    regions(panels[3], *theirs)
    panels[3].set_title("FeatureAgglomeration, without", fontsize=9)
    for panel in panels:
        panel.set_xticks([])
        panel.set_yticks([])
    return figure


def regions(panel, labels, coefficients):
    """Pixels in the colour of their cluster's coefficient, with borders between clusters."""
    grid = labels.reshape(8, 8)
    most = np.abs(coefficients).max()
    panel.imshow(coefficients[grid], cmap="PuOr_r", vmin=-most, vmax=most)
    for i, j in zip(*np.nonzero(np.diff(grid, axis=1)), strict=True):
        panel.plot([j + 0.5] * 2, [i - 0.5, i + 0.5], color="black", linewidth=1)
    for i, j in zip(*np.nonzero(np.diff(grid, axis=0)), strict=True):
        panel.plot([j - 0.5, j + 0.5], [i + 0.5] * 2, color="black", linewidth=1)


if __name__ == "__main__":
    run(main, PICTURE, __doc__)
