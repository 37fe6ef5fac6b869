"""How few clusters of thirteen chemical properties still tell three wines apart?

Over ten splits, held-out accuracy against the number of clusters: ours, which have seen the labels
of the training half, and those of FeatureAgglomeration, which have not. Here labels add nothing:
with five to nine clusters both are alike, with two or three FeatureAgglomeration is ahead. The
table is of the numbers of clusters that the evidence picks, means over splits.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from comparison import compared, others, run
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from ccc import ConvexCovariateClustering, Standardized
from ccc.selection import score_held_out

PICTURE = "wine.png"
SPLITS = 10


def main(out: Path) -> pd.DataFrame:
    X, y = load_wine(return_X_y=True)
    tables, curves = [], []
    for split in range(SPLITS):
        parts = train_test_split(X, y, stratify=y, train_size=0.5, random_state=split)
        X_train, X_test, y_train, y_test = parts
        model = ConvexCovariateClustering(nus=40).fit(X_train, y_train)
        tables.append(compared(model, X_train, y_train, X_test, y_test))
        curves.append(along_the_path(model, *parts))
    draw(pd.concat(curves, ignore_index=True)).savefig(out / PICTURE, dpi=150)
    return pd.concat(tables).groupby(level=0, sort=False).mean()


def along_the_path(model, X_train, X_test, y_train, y_test):
    """Held-out accuracy of the best clustering, by its evidence, of every number of clusters."""
    scores = model.selection_.scores
    best = scores.groupby("n_clusters")["log_marginal_likelihood"].idxmax()
    seen, new = (Standardized(part, model.centre_, model.scale_) for part in (X_train, X_test))
    clusterings = model.path_.labels[best]
    ours = score_held_out(clusterings, seen, y_train, new, y_test, model.sigma_)
    theirs = [others(int(k))["FeatureAgglomeration + logistic regression"] for k in best.index]
    return pd.DataFrame(
        {
            "clusters": best.index,
            "ConvexCovariateClustering": ours["heldout_accuracy"],
            "FeatureAgglomeration": [
                method.fit(X_train, y_train).score(X_test, y_test) for method in theirs
            ],
            "chosen": best.index == model.n_clusters_,
        }
    )


def draw(curves):
    figure, axes = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
    for name, colour in (
        ("ConvexCovariateClustering", "#D55E00"),
        ("FeatureAgglomeration", "#0072B2"),
    ):
        by_number = curves.groupby("clusters")[name]
        mean, error = by_number.mean(), by_number.sem().fillna(0.0)
        axes.plot(mean.index, mean, "o-", color=colour, markersize=3, linewidth=1, label=name)
        axes.fill_between(mean.index, mean - error, mean + error, color=colour, alpha=0.15, lw=0)
    for number, times in curves["clusters"][curves["chosen"]].value_counts().items():
        axes.annotate(f"{times}×", (number, 1.02), xycoords=("data", "axes fraction"), ha="center")
    axes.annotate("chosen by\nevidence", (0.0, 1.02), xycoords="axes fraction", fontsize=8)
    axes.set_xlabel("number of clusters")
    axes.set_ylabel("held-out accuracy, mean of ten splits")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="center right", frameon=False)
    return figure


if __name__ == "__main__":
    run(main, PICTURE, __doc__)
