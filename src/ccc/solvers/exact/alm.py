r"""The reduced problem at one ν: inexact augmented Lagrangian, inner problem by semismooth Newton.

The inner problem is solved only as far as the multipliers deserve: until its residual is a fraction
of the slack that the next multiplier step can remove.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ccc.solvers.exact.losses import Point
from ccc.solvers.exact.newton import Newton
from ccc.solvers.exact.pairs import Pairs
from ccc.solvers.line_search import zero_of_slope

Array = NDArray[np.float64]

__all__ = ["LOOSE", "Outcome", "minimise"]

OUTER, INNER = 40, 40
CROWD = 10  # near pairs per node that are too many
LOOSE = 0.5  # κ by which a crowd is merged
EXTRA = 12  # multiplier steps granted to undecided pairs


@dataclass
class Outcome:
    """A: the solution; ``gap`` and ``primal`` are absolute, of the reduced problem.

    ``crowded``: not solved, because too many pairs of nodes are fused without being merged.
    """

    A: Array
    point: Point
    primal: float
    gap: float
    newton_steps: int
    crowded: bool = False


class Model:
    """Value, gradient and residual of the augmented Lagrangian of one partition."""

    def __init__(self, newton: Newton) -> None:
        self.newton = newton
        self.weights = newton.diagonal[0, : newton.m] / 2  # ridge times sizes

    def at(self, A: Array) -> None:
        """Evaluate at ``A``."""
        newton = self.newton
        m = newton.m
        self.A = A
        self.point = newton.loss.evaluate(A)
        ridge = float(np.sum(self.weights * A[:, :m] ** 2))
        self.gradient = self.point.gradient + newton.diagonal * A
        model, penalty, self.slack, self.close = newton.pairs.value_gradient(A, self.gradient)
        smooth = self.point.value + ridge
        self.value, self.primal = smooth + model, smooth + penalty
        self.size = max(self.primal, newton.loss.floor)
        self.residual = newton.residual(self.gradient)
        self.imbalance = np.abs(self.gradient[:, m:]).max(initial=0.0)


def minimise(newton: Newton, A: Array, target: float, kappa: float, crowd: bool = False) -> Outcome:
    """Solve until residual and slack together are at most ``target`` times the objective.

    Where most nodes fuse at once, so that near pairs abound, it is cheaper to merge what looks
    fused and to split it again if need be: with ``crowd`` the outcome is then ``crowded``.

    A small gap alone does not say which near pairs are fused, so some further multiplier steps are
    spent on those that are still undecided (:meth:`Pairs.resting`).
    """
    pairs, loss = newton.pairs, newton.loss
    model = Model(newton)
    steps = extra = 0
    last = np.inf
    for _ in range(OUTER):
        model.at(A)
        inner = 0
        while inner < INNER:
            if model.close:
                pairs.admit(A, model.close)
                newton.stale_ok = newton.stale_ok and model.close < 0.02 * newton.m
                model.at(A)
            solved = model.residual <= 0.5 * target * model.size
            if solved and model.imbalance <= 1e-7 * loss.n + 1e-3 * model.residual:
                break
            if inner > 0 and max(model.residual, model.imbalance**2 / loss.n) <= 0.3 * model.slack:
                break
            if crowd and crowded(pairs, A):
                gap = model.residual + model.slack
                return Outcome(A, model.point, model.primal, gap, steps + inner, crowded=True)
            accuracy = 0.1 if model.residual > 10 * target * model.size else 0.03
            worth = 0.2 * target * model.size
            step = newton.direction(A, model.point, model.gradient, accuracy, worth)
            pairs.admit_crossing(A, A + step)
            A = line_search(model, step)
            inner += 1
        steps += inner
        pairs.dual_step(A)
        gap = model.residual + model.slack
        if gap <= target * model.size:
            if extra == EXTRA or pairs.resting(A, kappa)[1].all():
                break
            extra += 1
        pairs.release(A)
        if inner > 6:
            pairs.delta *= 3.0
            newton.stale_ok = False
        elif model.slack > 0.1 * last:
            pairs.delta *= 0.2
            newton.stale_ok = False
        last = model.slack
    return Outcome(A, model.point, model.primal, gap, steps)


def crowded(pairs: Pairs, A: Array) -> bool:
    """Whether near pairs abound and more than half of the nodes look fused."""
    many = len(pairs.heads) > CROWD * pairs.m
    return many and int(pairs.fused(A, LOOSE).max()) + 1 <= pairs.m // 2


def line_search(model: Model, step: Array) -> Array:
    """Move along ``step``: the full step if it descends enough, else the zero of the slope.

    The model is left evaluated at the point that is returned.
    """
    A, point, value, newton = model.A, model.point, model.value, model.newton
    start = float(np.vdot(model.gradient, step))
    model.at(A + step)
    end = float(np.vdot(model.gradient, step))
    if end <= 0.1 * abs(start) or model.value <= value + 1e-4 * start:
        return model.A
    loss_slope = newton.loss.slope(point, step)

    def slope(t: float) -> float:
        gradient = newton.diagonal * (A + t * step)
        newton.pairs.value_gradient(A + t * step, gradient)
        return loss_slope(t) + float(np.vdot(gradient, step))

    t = zero_of_slope(slope, start, end, newton.pairs.kinks)
    model.at(A + t * step)
    return model.A
