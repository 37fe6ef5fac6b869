"""What the proposed method is compared to, and what comes before it: Section 4 and the appendix."""

from ccc.baselines.convex_clustering import convex_clustering_path, convex_clustering_weights
from ccc.baselines.group_lasso import GroupLassoPath, group_lasso_path
from ccc.baselines.kmeans import kmeans_path
from ccc.clusterings import Clusterings

__all__ = [
    "Clusterings",
    "GroupLassoPath",
    "convex_clustering_path",
    "convex_clustering_weights",
    "group_lasso_path",
    "kmeans_path",
]
