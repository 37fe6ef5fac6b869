"""Exact line search along a convex function: the zero of its slope."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["zero_of_slope"]

TRIALS = 12
ENOUGH = 0.1


def zero_of_slope(
    slope: Callable[[float], float],
    start: float,
    end: float,
    kinks: bool = False,
    enough: float = ENOUGH,
) -> float:
    """A t in (0, 1) at which the rising ``slope`` has all but vanished; the last one tried.

    Regula falsi with the Illinois rule: the weight of an end that has not moved twice running is
    halved.

    Parameters
    ----------
    slope : callable
    start, end : float
        The slopes at 0 and 1, the first negative and the second positive.
    kinks : bool
        The slope may rise a million times faster beyond some t, where regula falsi would creep.
        Then every other trial halves the bracket, and if there is no end to it the result is beyond
        the kink: the next Newton step shall see its curvature.
    enough : float
        Share of the first slope that may be left.
    """
    low, high, t, side, first = 0.0, 1.0, 1.0, 0, abs(start)
    for trial in range(2 * TRIALS if kinks else TRIALS):
        t = (low * end - high * start) / (end - start)
        if kinks and trial % 2:
            t = 0.5 * (low + high)
        current = slope(t)
        if abs(current) <= enough * first:
            return t
        if current > 0:
            high, end = t, current
            start *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, start = t, current
            end *= 0.5 if side == -1 else 1.0
            side = -1
    return high if kinks else t
