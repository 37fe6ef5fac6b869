"""Solver against solver on the same problem: time of a path, time to an accuracy (Section 4.1)."""

from ccc.timing.accuracy import accuracy_of
from ccc.timing.limited import Outcome, run_limited
from ccc.timing.machine import describe_machine
from ccc.timing.paths import path_time, spread

__all__ = ["Outcome", "accuracy_of", "describe_machine", "path_time", "run_limited", "spread"]
