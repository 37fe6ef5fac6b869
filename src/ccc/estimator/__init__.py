"""The scikit-learn face of the method: a classifier that is a transformer as well."""

from ccc.estimator.classifier import ConvexCovariateClustering

__all__ = ["ConvexCovariateClustering"]
