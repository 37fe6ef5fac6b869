"""Exact line search along a convex function: the zero of its slope."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["zero_of_slope"]

TRIALS = 12
ENOUGH = 0.1  # share of the first slope that may be left


def zero_of_slope(slope: Callable[[float], float], start: float, end: float) -> float:
    """A t in (0, 1) at which the rising ``slope`` has all but vanished; the last one tried.

    Regula falsi with the Illinois rule: the weight of an end that has not moved twice running is
    halved.

    Parameters
    ----------
    slope : callable
    start, end : float
        The slopes at 0 and 1, the first negative and the second positive.
    """
    low, high, t, side, first = 0.0, 1.0, 1.0, 0, abs(start)
    for _ in range(TRIALS):
        t = (low * end - high * start) / (end - start)
        current = slope(t)
        if abs(current) <= ENOUGH * first:
            break
        if current > 0:
            high, end = t, current
            start *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, start = t, current
            end *= 0.5 if side == -1 else 1.0
            side = -1
    return t
