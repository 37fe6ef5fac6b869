"""Where a solver stands on its grid: a bar on a terminal, else a line in the log now and then."""

from __future__ import annotations

import logging
import sys
import time
from types import TracebackType

from tqdm import tqdm

__all__ = ["Progress"]

logger = logging.getLogger("ccc.progress")

LINES = 10  # in the log, for a whole grid, if that takes no longer than
PATIENCE = 60.0  # seconds each


class Progress:
    """Parameter (``symbol``), what is ``counted``, gap and time along a grid.

    A bar with ETA if asked for and standard error is a terminal; otherwise a line in the log, level
    INFO, for every tenth of the grid and every minute, which nobody sees who has not set up
    logging.
    """

    def __init__(
        self, total: int, show: bool, symbol: str = "ν", counted: str = "clusters"
    ) -> None:
        self._bar = tqdm(total=total, unit=symbol, disable=not (show and sys.stderr.isatty()))
        self._symbol, self._counted = symbol, counted
        self._total, self._done = total, 0
        self._start = self._entered = self._said = time.perf_counter()

    def approach(self, value: float, count: int) -> None:
        """A step on the way to where the grid begins; the time to go is reckoned from the last."""
        state = f"{self._symbol}={value:.3g} {self._counted}={count}"
        self._bar.set_postfix_str(f"on the way, {state}", refresh=True)
        self._entered = time.perf_counter()
        if self._bar.disable and self._entered - self._said > PATIENCE:
            seconds = self._entered - self._start
            self._say(f"on the way to the grid for {seconds:.1f} s: {state}")

    def step(self, value: float, count: int, gap: float) -> None:
        """The next value of the grid is done."""
        state = f"{self._symbol}={value:.3g} {self._counted}={count} gap={gap:.1e}"
        self._bar.set_postfix_str(state, refresh=False)
        self._bar.update()
        before, self._done = self._done, self._done + 1
        now = time.perf_counter()
        tenth = before * LINES // self._total < self._done * LINES // self._total
        if self._bar.disable and (tenth or now - self._said > PATIENCE):
            rest = (now - self._entered) * (self._total - self._done) / self._done
            self._say(
                f"{self._done} of {self._total} {self._symbol} in {now - self._start:.1f} s, "
                f"about {rest:.0f} s to go: {state}"
            )

    def _say(self, line: str) -> None:
        logger.info("%s", line)
        self._said = time.perf_counter()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()
