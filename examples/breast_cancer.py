"""Which of thirty measurements of cell nuclei say the same about a tumour?

Mean, standard error and worst value of ten properties, in different units. Left: how their
coefficients run together as ν grows. Right: the clusters that the evidence picks, with the
coefficient that all members share (log-odds of malignant, per standard deviation).
"""

from pathlib import Path
from textwrap import shorten

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from comparison import compared, run
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from ccc import ConvexCovariateClustering

PICTURE = "breast_cancer.png"


def main(out: Path) -> pd.DataFrame:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    y = y.map({0: "malignant", 1: "benign"})
    X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
    model = ConvexCovariateClustering().fit(X_train, y_train)
    draw(model).savefig(out / PICTURE, dpi=150)
    return compared(model, X_train, y_train, X_test, y_test)


def draw(model):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
    model.plot_path(left)
    effects = model.cluster_coef_[0]
    order = np.argsort(effects)
    names = model.feature_names_in_
    members = (", ".join(names[model.labels_ == k]) for k in order)
    titles = [shorten(text, 60, placeholder=" …") for text in members]
    colours = np.where(effects[order] > 0, "#D55E00", "#0072B2")
    right.barh(range(len(order)), effects[order], color=colours)
    right.set_yticks(range(len(order)), titles, fontsize=7)
    right.yaxis.tick_right()
    right.set_xlabel("coefficient shared by the members")
    right.spines[["top", "left"]].set_visible(False)
    return figure


if __name__ == "__main__":
    run(main, PICTURE, __doc__)
