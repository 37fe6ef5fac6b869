r"""The paper's ADMM with node copies (Section 2.1), to the letter.

Every edge {i, j} keeps a copy :math:`z_{i \to j}` of :math:`b_i` and :math:`z_{j \to i}` of
:math:`b_j`. One iteration is

* B-step: L-BFGS on :math:`g(B, \beta_0)`, with :math:`q_{all}` and :math:`q{\uparrow}_i`
  precomputed, so that the quadratic part costs O(d);
* Z-step: the closed form :math:`z_{i \to j} = \theta p_i + (1 - \theta) p_j` with
  :math:`p_i = b_i - u_{i \to j}` and θ of Eq. (2);
* U-step: :math:`u_{i \to j} \leftarrow u_{i \to j} + z_{i \to j} - b_i = (1 - \theta)(p_j - p_i)`.

The U-step makes the scaled duals antisymmetric, :math:`u_{j \to i} = -u_{i \to j}`, and bounds
them by :math:`\nu S_{ij} / \rho`, so :math:`-\rho\, u_{i \to j}` is a feasible flow of the dual
problem: the certificate of an ADMM solution costs nothing but its evaluation.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize

from ccc.duality import Certificate, certify
from ccc.graph import Graph
from ccc.problem import Problem, log_loss
from ccc.progress import Progress
from ccc.results import Path
from ccc.solvers.collect import Collector

__all__ = ["Settings", "Solution", "solutions", "solve_path"]


@dataclass(frozen=True)
class Settings:
    """The paper's constants: penalty ρ, tolerance ε of the stopping rule, iteration cap."""

    rho: float = 1.0
    epsilon: float = 1e-5
    max_iter: int = 1000


PAPER = Settings()


@dataclass
class State:
    """Iterates: B (c, d), b0 (c,), copies ``z_head``, ``z_tail`` and duals ``u`` (n_edges, c)."""

    B: NDArray[np.float64]
    b0: NDArray[np.float64]
    z_head: NDArray[np.float64]
    z_tail: NDArray[np.float64]
    u: NDArray[np.float64]


@njit(cache=True)
def _edge_step(B, z_head, z_tail, u, heads, tails, caps, rho, fused):  # type: ignore[no-untyped-def]
    """Z- and U-step of every edge, in place; returns the squared primal and dual residuals.

    That of the dual has the factor ρ of the paper's appendix, where Boyd et al. have ρ².
    ``fused[e]`` is set iff θ = 0.5, that is, iff the two copies are equal.
    """
    n_edges, c = u.shape
    primal = 0.0
    dual = 0.0
    difference = np.empty(c)
    for e in range(n_edges):
        i, j = heads[e], tails[e]
        h = 0.0
        for k in range(c):
            difference[k] = (B[k, i] - u[e, k]) - (B[k, j] + u[e, k])
            h += difference[k] ** 2
        h = np.sqrt(h)
        theta = 0.5 if h == 0.0 else max(1.0 - caps[e] / (rho * h), 0.5)
        fused[e] = theta == 0.5
        for k in range(c):
            u_new = -(1.0 - theta) * difference[k]
            head = B[k, i] - u[e, k] + u_new
            tail = B[k, j] + u[e, k] - u_new
            if theta == 0.5:
                tail = head
            primal += (head - B[k, i]) ** 2 + (tail - B[k, j]) ** 2
            dual += (head - z_head[e, k]) ** 2 + (tail - z_tail[e, k]) ** 2
            z_head[e, k] = head
            z_tail[e, k] = tail
            u[e, k] = u_new
    return primal, rho * dual


@njit(cache=True)
def _copy_sums(z_head, z_tail, u, heads, tails, d):  # type: ignore[no-untyped-def]
    """q_all and q↑ (c, d) of the B-step: sums of (z + u) over the copies of each node."""
    n_edges, c = u.shape
    sums = np.zeros((c, d))
    total = 0.0
    for e in range(n_edges):
        for k in range(c):
            head = z_head[e, k] + u[e, k]
            tail = z_tail[e, k] - u[e, k]
            sums[k, heads[e]] += head
            sums[k, tails[e]] += tail
            total += head * head + tail * tail
    return total, sums


def _b_step(
    problem: Problem, graph: Graph, degree: NDArray[np.float64], state: State, rho: float
) -> None:
    """Minimise g(B, β0) by L-BFGS, warm-started at the previous iterate."""
    c, d = state.B.shape
    q_all, q_up = _copy_sums(state.z_head, state.z_tail, state.u, graph.heads, graph.tails, d)

    def g(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        B, b0 = x[: c * d].reshape(c, d), x[c * d :]
        loss, residuals = log_loss(problem.X, problem.y, B, b0)
        copies = q_all - 2 * np.sum(B * q_up) + np.sum(degree * B * B)
        value = loss + problem.ridge * np.sum(B * B) + 0.5 * rho * copies
        gradient = problem.X.tdot(residuals).T + 2 * problem.ridge * B - rho * (q_up - degree * B)
        return value, np.concatenate([gradient.ravel(), residuals.sum(axis=0)])

    x = minimize(g, np.r_[state.B.ravel(), state.b0], jac=True, method="L-BFGS-B").x
    state.B, state.b0 = x[: c * d].reshape(c, d), x[c * d :]


@dataclass(frozen=True)
class Solution:
    """Where the iterations for one ν ended; ``info`` tells how."""

    index: int
    B: NDArray[np.float64]
    b0: NDArray[np.float64]
    labels: NDArray[np.int64]
    certificate: Certificate
    n_iter: int
    seconds: float
    flows: NDArray[np.float64]
    info: dict[str, Any]


def solutions(
    problem: Problem, nus: NDArray[np.float64], settings: Settings = PAPER
) -> Iterator[Solution]:
    """One after the other along descending ν, Z and U warm-started; see the module's docstring.

    ``info`` has ``converged`` (the paper's stopping rule was met before the cap) and the norms
    ``primal_residual`` and ``dual_residual`` at the end.
    """
    graph = problem.graph()
    c, d, n_edges = problem.c, problem.d, graph.n_edges
    degree = np.bincount(np.r_[graph.heads, graph.tails], minlength=d).astype(np.float64)
    threshold = np.sqrt(c * (d + 2 * n_edges)) * settings.epsilon
    empty = np.zeros((n_edges, c))
    state = State(np.zeros((c, d)), np.zeros(c), empty.copy(), empty.copy(), empty.copy())
    fused = np.zeros(n_edges, dtype=np.bool_)

    for index in np.argsort(-nus, kind="stable"):
        start = time.perf_counter()
        caps = nus[index] * graph.weights
        iteration, converged = 0, False
        while iteration < settings.max_iter and not converged:
            iteration += 1
            _b_step(problem, graph, degree, state, settings.rho)
            primal, dual = _edge_step(
                state.B, state.z_head, state.z_tail, state.u,
                graph.heads, graph.tails, caps, settings.rho, fused,
            )  # fmt: skip
            primal_residual, dual_residual = np.sqrt(primal), np.sqrt(dual)
            # Without edges there is nothing to split: one B-step is the solution.
            converged = n_edges == 0 or max(primal_residual, dual_residual) < threshold
        flows = -settings.rho * state.u
        certificate = certify(problem, graph, state.B, state.b0, flows, nus[index])
        labels = graph.components(fused)
        yield Solution(
            int(index), state.B, state.b0, labels, certificate, iteration,
            time.perf_counter() - start, flows,
            {
                "converged": bool(converged),
                "primal_residual": primal_residual,
                "dual_residual": dual_residual,
            },
        )  # fmt: skip


def solve_path(
    problem: Problem,
    nus: NDArray[np.float64],
    tol: float,
    progress: bool = False,
    keep_flows: bool = False,
    settings: Settings = PAPER,
) -> tuple[Path, list[NDArray[np.float64]]]:
    """All :func:`solutions`, and their ``info``, as a path. ``tol`` only decides the status."""
    if problem.sparsity:
        raise ValueError(
            f"sparsity must be 0 with method 'admm', the paper's algorithm to the letter, got "
            f"{problem.sparsity}: method 'exact' has it"
        )
    collector = Collector(problem, nus, keep_flows)
    with Progress(len(nus), progress) as bar:
        for found in solutions(problem, nus, settings):
            collector.store(
                found.index, found.B, found.b0, found.labels, found.certificate, found.n_iter,
                found.seconds, found.flows, found.info,
            )  # fmt: skip
            n_clusters = int(found.labels.max()) + 1
            bar.step(nus[found.index], n_clusters, found.certificate.gap)
    return collector.path("admm", tol), collector.flows
