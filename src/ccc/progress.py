"""Where a solver stands on its grid: a bar on a terminal, else a line in the log now and then."""

from __future__ import annotations

import logging
import sys
import time
from types import TracebackType

from tqdm import tqdm

__all__ = ["Progress"]

logger = logging.getLogger("ccc.progress")

LINES = 10  # in the log, for a whole grid


class Progress:
    """Parameter (``symbol``), what is ``counted``, gap and time along a grid.

    A bar with ETA if asked for and standard error is a terminal; otherwise a line in the log, level
    INFO, for every tenth of the grid, which nobody sees who has not set up logging.
    """

    def __init__(
        self, total: int, show: bool, symbol: str = "ν", counted: str = "clusters"
    ) -> None:
        self._bar = tqdm(total=total, unit=symbol, disable=not (show and sys.stderr.isatty()))
        self._symbol, self._counted = symbol, counted
        self._total, self._done, self._start = total, 0, time.perf_counter()

    def step(self, value: float, count: int, gap: float) -> None:
        state = f"{self._symbol}={value:.3g} {self._counted}={count} gap={gap:.1e}"
        self._bar.set_postfix_str(state, refresh=False)
        self._bar.update()
        before, self._done = self._done, self._done + 1
        if self._bar.disable and before * LINES // self._total < self._done * LINES // self._total:
            seconds = time.perf_counter() - self._start
            rest = seconds * (self._total - self._done) / self._done
            logger.info(
                "%d of %d %s in %.1f s, about %.0f s to go: %s",
                self._done,
                self._total,
                self._symbol,
                seconds,
                rest,
                state,
            )

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()
