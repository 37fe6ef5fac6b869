r"""Dual value and duality gap of Eq. (1): the certificate of every solution.

Dual variables are class probabilities :math:`\pi_s` and one flow
:math:`u_{ij} = -u_{ji} \in R^c` per edge. The dual of Eq. (1) is

.. math::

    D(\pi, u) = -\sum_{s,k} \pi_{sk} \log \pi_{sk}
                - \frac{1}{4\lambda} \sum_i \bigl(\lVert r_i \rVert - \gamma\bigr)_+^2 , \qquad
    r_i = \sum_s (\pi_s - e_{y_s}) x_{si} + \sum_j u_{ij} ,

subject to :math:`\lVert u_{ij} \rVert \le \nu S_{ij}` and
:math:`\sum_s (\pi_s - e_{y_s}) = 0`. With :math:`\pi_s` the model's own probabilities at (B, β0),
the gap is a sum of non-negative terms,

.. math::

    P - D = \sum_i \Bigl[ \tfrac{1}{4\lambda} \lVert r_i + t_i + 2 \lambda b_i \rVert^2
            + \gamma \lVert b_i \rVert - \langle t_i, b_i \rangle \Bigr]
            + \sum_{i<j} \bigl[ \nu S_{ij} \lVert b_i - b_j \rVert
            - \langle u_{ij}, b_i - b_j \rangle \bigr],

where :math:`t_i = -r_i \min(1, \gamma / \lVert r_i \rVert)`, so it is computed without the
cancellation of ``P - D``. Strong convexity turns it into a bound on the distance to the optimum:
:math:`\lambda \lVert B - B^* \rVert_F^2 \le P - D`.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ccc.graph import Graph
from ccc.magnitude import lengths, overflow
from ccc.problem import Problem, check_point, checked_value, make_problem, sizes, softmax
from ccc.validation import check_array, check_nu

__all__ = ["Certificate", "certificate", "certify", "column_gap", "stationary_intercepts"]


@dataclass(frozen=True)
class Certificate:
    """A primal point, a dual-feasible point, and what lies between them.

    Attributes
    ----------
    primal, dual : float
        Values of Eq. (1) and of its dual.
    gap : float
        Relative gap ``(primal - dual) / max(1, |primal|)``, summed from non-negative terms.
    residual, slack : float
        The two parts of the absolute gap: nodes and edges.
    intercept : float
        Largest entry of :math:`|\\sum_s (\\pi_s - e_{y_s})|`, zero up to rounding.
    excess : float
        Largest violation of an edge's cap in the given flows, relative to ν max S; the certificate
        itself uses the clipped flows.
    """

    primal: float
    dual: float
    gap: float
    residual: float
    slack: float
    intercept: float
    excess: float


def stationary_intercepts(
    Z: NDArray[np.float64], y: NDArray[np.int64], b0: NDArray[np.float64], steps: int = 50
) -> NDArray[np.float64]:
    r"""Newton's method on :math:`\sum_s (\pi_s - e_{y_s}) = 0` in the intercepts alone.

    ``Z`` (n, c) are the scores without intercepts. A step that does not lower the loss is halved;
    the result is centred, :math:`\sum_k \beta_{0k} = 0`.
    """
    n, c = Z.shape
    counts = np.bincount(y, minlength=c).astype(np.float64)
    b0 = b0 - b0.mean()
    P, lse = softmax(Z + b0)
    loss = lse.sum() - counts @ b0
    for _ in range(steps):
        gradient = P.sum(axis=0) - counts
        if np.abs(gradient).max() <= 1e-15 * n:
            break
        hessian = np.diag(P.sum(axis=0)) - P.T @ P
        # The Hessian is singular along the ones vector, where nothing is to be moved.
        step = np.linalg.lstsq(hessian + np.trace(hessian) / c, -gradient, rcond=None)[0]
        step -= step.mean()
        t = 1.0
        while t > 1e-4:
            trial, trial_lse = softmax(Z + b0 + t * step)
            trial_loss = trial_lse.sum() - counts @ (b0 + t * step)
            smaller = np.abs(trial.sum(axis=0) - counts).max() < np.abs(gradient).max()
            if smaller or trial_loss < loss - 1e-12 * abs(loss):
                break
            t /= 2
        else:
            break
        b0, P, loss = b0 + t * step, trial, trial_loss
    return b0


def column_gap(
    r: NDArray[np.float64], B: NDArray[np.float64], ridge: float, sparsity: float
) -> float:
    """The first sum of P - D: what columns B are worth beside forces r, both (c, d)."""
    r_norm = np.linalg.norm(r, axis=0)
    t = -r * np.divide(sparsity, r_norm, out=np.ones_like(r_norm), where=r_norm > sparsity)
    residual = float(np.sum((r + t + 2 * ridge * B) ** 2)) / (4 * ridge)
    cost = sparsity * lengths(B, axis=0)
    return residual + float(np.sum(np.maximum(cost - np.sum(t * B, axis=0), 0.0)))


def certify(
    problem: Problem,
    graph: Graph,
    B: NDArray[np.float64],
    b0: NDArray[np.float64],
    flows: NDArray[np.float64],
    nu: float,
) -> Certificate:
    """The certificate of (B, b0) with edge ``flows`` (n_edges, c), for checked data.

    Flows beyond their cap are clipped. The dual point takes its probabilities at stationary
    intercepts; where the given ``b0`` is not stationary, the loss it costs is part of the gap.
    """
    lam, gamma = problem.ridge, problem.sparsity
    caps = nu * graph.weights
    norms = lengths(flows, axis=1)
    excess = float(np.max(norms - caps, initial=0.0) / max(np.max(caps, initial=0.0), 1e-300))
    # Where the cap is exceeded the norm is positive, so the division is safe.
    scale = np.divide(caps, norms, out=np.ones_like(norms), where=norms > caps)
    u = flows * scale[:, None]

    Z = problem.X.dot(B.T)
    rows = np.arange(problem.n)
    P, lse = softmax(Z + b0)
    loss = float(np.sum(lse - (Z + b0)[rows, problem.y]))
    stationary = stationary_intercepts(Z, problem.y, b0)
    P, lse_at = softmax(Z + stationary)
    loss_at = float(np.sum(lse_at - (Z + stationary)[rows, problem.y]))
    P[rows, problem.y] -= 1.0
    intercept = float(np.abs(P.sum(axis=0)).max())

    r = problem.X.tdot(P).T + graph.divergence(u)
    b_norm = lengths(B, axis=0)
    residual = column_gap(r, B, lam, gamma)

    v = graph.differences(B)
    penalty = float(caps @ lengths(v, axis=1))
    slack = penalty - float(np.sum(u * v))

    primal = loss + lam * float(np.sum(B * B)) + gamma * float(b_norm.sum()) + penalty
    absolute = residual + max(slack, 0.0) + max(loss - loss_at, 0.0)
    return Certificate(
        primal=primal,
        dual=primal - absolute,
        gap=absolute / max(1.0, abs(primal)),
        residual=residual,
        slack=max(slack, 0.0),
        intercept=intercept,
        excess=excess,
    )


def certificate(
    X: Any,
    y: Any,
    S: Any,
    B: Any,
    b0: Any,
    flows: Any,
    nu: float,
    ridge: float = 0.1,
    sparsity: float = 0.0,
) -> Certificate:
    """Recompute the certificate of a solution from the data alone.

    ``flows`` is (n_edges, c), one row per pair i < j with S_ij > 0 in row-major order, as in
    ``Fit.flows``. Nothing of a solver's bookkeeping is used.

    Examples
    --------
    >>> import numpy as np
    >>> import ccc
    >>> X = np.array([[1.0, 1.1, -1.0], [-1.0, -0.9, 1.0], [1.2, 0.8, 0.9], [-0.8, -1.0, -1.1]])
    >>> y, S = [1, 0, 1, 0], np.ones((3, 3))
    >>> fit = ccc.solve(X, y, S, nu=0.3)
    >>> proof = ccc.certificate(X, y, S, fit.B, fit.b0, fit.flows, nu=0.3)
    >>> bool(proof.gap < 1e-6)
    True
    """
    problem = make_problem(X, y, S, ridge, sparsity)
    B, b0 = check_point(problem, B, b0)
    graph = problem.graph()
    flows = check_array(flows, (graph.n_edges, problem.c), "flows")
    nu = check_nu(nu)
    checked_value(problem, graph, B, b0, nu)
    with np.errstate(over="ignore", invalid="ignore"):
        proof = certify(problem, graph, B, b0, flows, nu)
    if not np.isfinite(astuple(proof)).all():
        raise overflow(
            "the certificate", sizes(problem) | {"B": B, "b0": b0, "flows": flows, "nu": nu}
        )
    return proof
