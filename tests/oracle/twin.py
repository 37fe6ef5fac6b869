"""An independent twin of Eq. (1): modelled in CVXPY, solved by Clarabel."""

from __future__ import annotations

from dataclasses import dataclass

import cvxpy as cp
import numpy as np

import ccc
from ccc.graph import components


@dataclass
class Instance:
    X: np.ndarray
    y: np.ndarray
    S: np.ndarray


def random_instance(seed, n, d, c, density=1.0, separation=1.0):
    """Gaussian classes with block-wise equal means, random similarities of the given density."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(c), rng.integers(c, size=n - c)]
    means = separation * rng.standard_normal((c, max(d // 3, 1)))
    X = means[y][:, rng.integers(means.shape[1], size=d)] + rng.standard_normal((n, d))
    S = rng.random((d, d)) * (rng.random((d, d)) < density)
    S = np.triu(S, 1)
    return Instance(X, y, S + S.T)


def clarabel(instance, nu, ridge=0.1, sparsity=0.0):
    """B, b0 and the value of Eq. (1) by an interior-point method at tight tolerances."""
    X, S = instance.X, instance.S
    classes, y = np.unique(instance.y, return_inverse=True)
    n, d = X.shape
    c = len(classes)
    B, b0 = cp.Variable((c, d)), cp.Variable(c)
    scores = X @ B.T + np.ones((n, 1)) @ cp.reshape(b0, (1, c), order="C")
    chosen = cp.sum(cp.multiply(np.eye(c)[y], scores))
    loss = cp.sum(cp.log_sum_exp(scores, axis=1)) - chosen
    heads, tails = np.nonzero(np.triu(S, 1))
    value = loss + ridge * cp.sum_squares(B)
    if len(heads) and nu > 0:
        differences = B[:, heads] - B[:, tails]
        value += nu * (S[heads, tails] @ cp.norm(differences, 2, axis=0))
    if sparsity:
        value += sparsity * cp.sum(cp.norm(B, 2, axis=0))
    # The intercepts have one free direction; fixing it makes the solution unique.
    problem = cp.Problem(cp.Minimize(value), [cp.sum(b0) == 0])
    tight = {"tol_gap_abs": 1e-11, "tol_gap_rel": 1e-11, "tol_feas": 1e-11, "tol_ktratio": 1e-9}
    problem.solve(solver=cp.CLARABEL, **tight)
    B_opt, b0_opt = np.asarray(B.value), np.asarray(b0.value)
    return B_opt, b0_opt, ccc.objective(X, instance.y, S, B_opt, b0_opt, nu, ridge, sparsity)


def partition_of(B, S, eps):
    """Components of the graph of edges whose columns differ by less than ``eps`` of the largest."""
    heads, tails = np.nonzero(np.triu(S, 1))
    gaps = np.linalg.norm(B[:, heads] - B[:, tails], axis=0)
    keep = gaps < eps * np.abs(B).max()
    return components(B.shape[1], heads[keep], tails[keep])
