"""What the proposed method is compared to (Section 4): clusterings that do not see the classes."""

from ccc.baselines.clusterings import Clusterings
from ccc.baselines.convex_clustering import convex_clustering_path, convex_clustering_weights
from ccc.baselines.kmeans import kmeans_path

__all__ = [
    "Clusterings",
    "convex_clustering_path",
    "convex_clustering_weights",
    "kmeans_path",
]
