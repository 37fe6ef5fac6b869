import numpy as np
import pytest

import ccc
from ccc.results import warn_of_gaps


@pytest.fixture(scope="module")
def path():
    data = ccc.data.make_synthetic("agreeing", 20, 40, seed=1)
    S = ccc.similarity.ledoit_wolf(data.X, data.y)
    words = np.array(["α", "beta", "c", "d"])[data.y]
    with pytest.warns(ccc.ConvergenceWarning):
        return ccc.solve_path(data.X, words, S, [0.5, 4.0, 1.0], method="admm")


def test_order_is_the_callers(path):
    assert path.nus.tolist() == [0.5, 4.0, 1.0]
    assert path.objective[0] < path.objective[2] < path.objective[1]
    assert path.classes.tolist() == ["beta", "c", "d", "α"]


def test_fits_and_frame_agree_with_the_arrays(path):
    frame = path.to_frame()
    assert len(path) == len(frame) == 3
    for i, fit in enumerate(path):
        assert fit.nu == frame.nu[i] == path.nus[i]
        assert fit.n_clusters == len(np.unique(fit.labels)) == frame.n_clusters[i]
        assert fit.gap == pytest.approx((fit.objective - fit.dual) / max(1, fit.objective))
        assert fit.status == ("optimal" if fit.gap <= path.tol else "inaccurate")
    assert {"converged", "primal_residual", "dual_residual"} <= set(frame)


def test_save_and_load(path, tmp_path):
    path.save(tmp_path / "p.npz")
    back = ccc.Path.load(tmp_path / "p.npz")
    assert back.method == "admm"
    assert back.to_frame().equals(path.to_frame())
    np.testing.assert_array_equal(back.B, path.B)
    path[1].save(tmp_path / "f.npz")
    fit = ccc.Fit.load(tmp_path / "f.npz")
    assert (fit.nu, fit.status, fit.flows) == (4.0, path[1].status, None)
    np.testing.assert_array_equal(fit.labels, path.labels[1])


def test_a_gap_that_is_no_number_is_the_worst():
    for gaps in ([np.nan, np.nan], [np.nan, 0.5]):
        with pytest.warns(ccc.ConvergenceWarning, match="gap nan at nu = 3 exceeds"):
            warn_of_gaps("a solver", "nu", np.array([3.0, 2.0]), np.array(gaps), 1e-6)
