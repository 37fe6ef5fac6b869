"""The certificate against its definition and against Clarabel."""

import numpy as np
import pytest

import ccc
from ccc.duality import stationary_intercepts
from ccc.problem import make_problem, softmax
from tests.oracle.twin import clarabel, random_instance


def dual_by_definition(problem, P, flows):
    """Entropy minus the conjugate of ridge and sparsity, as written in ``ccc.duality``."""
    entropy = -np.sum(P * np.log(P))
    R = P - np.eye(problem.c)[problem.y]
    r = R.T @ problem.X.toarray() + problem.graph().divergence(flows)
    return entropy - np.sum(np.maximum(np.linalg.norm(r, axis=0) - problem.sparsity, 0) ** 2) / (
        4 * problem.ridge
    )


@pytest.mark.parametrize("sparsity", [0.0, 0.7])
@pytest.mark.parametrize("seed", range(4))
def test_collapsed_gap_equals_primal_minus_dual(seed, sparsity):
    instance = random_instance(seed, n=30, d=8, c=3)
    rng = np.random.default_rng(seed)
    problem = make_problem(instance.X, instance.y, instance.S, 0.1, sparsity)
    graph = problem.graph()
    B = rng.standard_normal((3, 8))
    b0 = rng.standard_normal(3)
    nu = 0.8
    flows = rng.standard_normal((graph.n_edges, 3))
    flows *= (nu * graph.weights * rng.random(graph.n_edges) / np.linalg.norm(flows, axis=1))[
        :, None
    ]
    cert = ccc.certificate(instance.X, instance.y, instance.S, B, b0, flows, nu, 0.1, sparsity)

    Z = instance.X @ B.T
    stationary = stationary_intercepts(Z, problem.y, b0)
    P, _ = softmax(Z + stationary)
    assert np.abs(P.sum(0) - np.bincount(problem.y)).max() < 1e-10
    dual = dual_by_definition(problem, P, flows)
    assert cert.excess == 0
    assert cert.dual == pytest.approx(dual, rel=1e-10)
    value = ccc.objective(instance.X, instance.y, instance.S, B, b0, nu, 0.1, sparsity)
    assert cert.primal == pytest.approx(value, rel=1e-14)
    assert cert.gap == pytest.approx((cert.primal - dual) / max(1, abs(cert.primal)), rel=1e-9)


def test_dual_never_exceeds_the_optimum():
    instance = random_instance(1, n=25, d=6, c=3)
    _, _, optimum = clarabel(instance, nu=0.5)
    graph = make_problem(instance.X, instance.y, instance.S).graph()
    rng = np.random.default_rng(0)
    for _ in range(20):
        B, flows = rng.standard_normal((3, 6)), 0.3 * rng.standard_normal((graph.n_edges, 3))
        cert = ccc.certificate(instance.X, instance.y, instance.S, B, np.zeros(3), flows, 0.5)
        assert cert.dual <= optimum * (1 + 1e-9) <= cert.primal * (1 + 1e-8)


def test_flows_beyond_their_cap_are_clipped_and_reported():
    instance = random_instance(2, n=20, d=5, c=2)
    graph = make_problem(instance.X, instance.y, instance.S).graph()
    flows = np.full((graph.n_edges, 2), 100.0)
    cert = ccc.certificate(
        instance.X, instance.y, instance.S, np.zeros((2, 5)), np.zeros(2), flows, 1.0
    )
    assert cert.excess > 1
    capped = flows / np.linalg.norm(flows, axis=1)[:, None] * graph.weights[:, None]
    again = ccc.certificate(
        instance.X, instance.y, instance.S, np.zeros((2, 5)), np.zeros(2), capped, 1.0
    )
    assert cert.gap == pytest.approx(again.gap, rel=1e-12)
