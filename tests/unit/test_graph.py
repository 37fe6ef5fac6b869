import numpy as np
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from ccc.graph import canonical_labels, graph_of


def test_dense_and_sparse_give_the_same_edges():
    S = np.array([[9, 2, 0, 0], [2, 9, 0, 1], [0, 0, 9, 0], [0, 1, 0, 9.0]])
    for matrix in (S, sp.csr_array(S), sp.coo_matrix(S), sp.csc_array(S)):
        graph = graph_of(matrix)
        assert graph.heads.tolist() == [0, 1]
        assert graph.tails.tolist() == [1, 3]
        assert graph.weights.tolist() == [2.0, 1.0]
        assert graph.components().tolist() == [0, 0, 1, 0]
        assert graph.components(np.array([True, False])).tolist() == [0, 0, 1, 2]


def test_divergence_is_the_adjoint_of_differences():
    rng = np.random.default_rng(0)
    S = rng.random((6, 6))
    graph = graph_of(S + S.T)
    B, u = rng.standard_normal((3, 6)), rng.standard_normal((graph.n_edges, 3))
    assert np.isclose(np.sum(graph.differences(B) * u), np.sum(B * graph.divergence(u)))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_canonical_labels_keep_the_partition_and_count_up(labels):
    out = canonical_labels(labels)
    assert adjusted_rand_score(labels, out) == 1.0
    firsts = [out.tolist().index(k) for k in range(out.max() + 1)]
    assert firsts == sorted(firsts)
    assert out[0] == 0
