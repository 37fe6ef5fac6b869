"""A function in a process of its own, with one thread and limits on its time and memory.

Compiled solvers heed no Python signal: what takes too long can only be killed, and what it had
found by then must be known already. So the function is a generator, whose reports are sent as they
come. Nor does a compiled solver always say that it lacks memory, so that is watched from outside.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Outcome", "peak_megabytes", "run_limited"]

Report = dict[str, Any]
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
)
LOOK = 0.2  # seconds between two looks at the memory of the process


@dataclass
class Outcome:
    """What a limited function reported, and how it ended.

    Attributes
    ----------
    setup : dict or None
        Its first report, which says that the clock may start; None if it did not come so far.
    reports : list of dict
        The others.
    ending : {"finished", "time", "memory", "failed"}
    message : str
        Why it failed.
    seconds : float
        Since the first report, or without one since the start.
    unfinished : float
        Seconds since the last report.
    peak_mb : float
        Most memory that the process was seen to hold (10^6 bytes).
    """

    setup: Report | None = None
    reports: list[Report] = field(default_factory=list)
    ending: str = "finished"
    message: str = ""
    seconds: float = 0.0
    unfinished: float = 0.0
    peak_mb: float = 0.0


def run_limited(
    function: Callable[..., Iterator[Report]],
    *arguments: Any,
    seconds: float,
    setup_seconds: float,
    memory_mb: float = float("inf"),
) -> Outcome:
    """Call a generator function of some module in a fresh process and collect its reports.

    Parameters
    ----------
    function, *arguments
        What to call. Its first report ends the setup.
    seconds, setup_seconds : float
        How long it may take after the first report, and before it; then it is killed.
    memory_mb : float, optional
        How much memory (10^6 bytes) it may hold; then it is killed. Heeded on Linux only.
    """
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    with _one_thread():
        child = context.Process(target=_report_to, args=(sender, function, arguments), daemon=True)
        child.start()
    # The child holds the only other end: when it dies, this end notices.
    sender.close()
    outcome = Outcome()
    start = last = time.perf_counter()
    allowed = setup_seconds
    try:
        while True:
            left = start + allowed - time.perf_counter()
            heard = receiver.poll(min(LOOK, max(0.0, left)))
            outcome.peak_mb = max(outcome.peak_mb, _peak_of(child.pid))
            if not heard:
                if outcome.peak_mb > memory_mb:
                    outcome.ending, outcome.message = "memory", f"more than {memory_mb:g} MB"
                    break
                if left <= 0:
                    outcome.ending = "time"
                    break
                continue
            try:
                kind, content = receiver.recv()
            except EOFError:
                child.join()
                outcome.ending, outcome.message = _how_it_died(child.exitcode)
                break
            if kind != "report":
                outcome.ending, outcome.message = kind, content
                break
            last = time.perf_counter()
            if outcome.setup is None:
                outcome.setup = content
                start, allowed = last, seconds
            else:
                outcome.reports.append(content)
    finally:
        now = time.perf_counter()
        outcome.seconds, outcome.unfinished = now - start, now - last
        child.kill()
        child.join()
        receiver.close()
    return outcome


def peak_megabytes() -> float:
    """The most memory (10^6 bytes) that this process has held, interpreter and all."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def _report_to(
    sender: Any, function: Callable[..., Iterator[Report]], arguments: tuple[Any, ...]
) -> None:
    """The child: every report at once, then how it ended."""
    try:
        for report in function(*arguments):
            sender.send(("report", report))
        sender.send(("finished", ""))
    except MemoryError:
        sender.send(("memory", "an array could not be allocated"))
    except Exception as error:
        text = " ".join(str(error).split())
        sender.send(("failed", f"{type(error).__name__}: {text}"))


def _peak_of(pid: int | None) -> float:
    """The same of another process; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return peaks[0] * 1024 / 1e6 if peaks else 0.0


def _how_it_died(exit_code: int | None) -> tuple[str, str]:
    """A process that ended without a word: the kernel kills those that take the last memory."""
    if exit_code == -signal.SIGKILL:
        return "memory", "killed for lack of memory"
    if exit_code is not None and exit_code < 0:
        return "failed", f"ended by {signal.Signals(-exit_code).name}"
    return "failed", f"ended with exit code {exit_code}"


@contextmanager
def _one_thread() -> Iterator[None]:
    """An environment in which a new process has one thread for all that reads it there."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
