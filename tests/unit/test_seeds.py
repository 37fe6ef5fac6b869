"""Seeds depend on the axes of the experiment and on nothing else."""

import numpy as np

from ccc.seeds import seed_of


def draw(*axes, **root):
    return np.random.default_rng(seed_of(*axes, **root)).integers(0, 2**62)


def test_same_axes_give_same_numbers_in_every_process():
    # The value is fixed here because hash() of a string would differ between processes.
    assert draw("contradicting", 40, 400, 3) == 3710117012876407575


def test_every_axis_counts_and_so_does_the_root():
    points = [("a", 40, 400, 0), ("b", 40, 400, 0), ("a", 400, 40, 0), ("a", 40, 400, 1)]
    draws = {draw(*point) for point in points} | {draw(*points[0], root=1)}
    assert len(draws) == 5
