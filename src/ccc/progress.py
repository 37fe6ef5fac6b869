"""Where a solver stands on its grid, or a download in its file.

A bar on a terminal, else a line in the log now and then.
"""

from __future__ import annotations

import logging
import sys
import time
from types import TracebackType

from tqdm import tqdm

__all__ = ["Bytes", "Progress"]

logger = logging.getLogger("ccc.progress")

LINES = 10  # in the log, for a whole grid, if that takes no longer than
PATIENCE = 60.0  # seconds each
MEGABYTE = 10**6


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


class Bytes:
    """How much of a file has come, where no terminal shows a bar: a line in the log every minute.

    It has what pooch asks of a progress bar: it sets ``total``, 0 if the server does not say.
    """

    def __init__(self, name: str) -> None:
        self.total = 0
        self._name, self._done = name, 0
        self._start = self._said = time.perf_counter()

    def update(self, count: int) -> None:
        """So many bytes more."""
        self._done += count
        now = time.perf_counter()
        if now - self._said >= PATIENCE:
            self._said = now
            seconds = now - self._start
            rate = self._done / seconds
            of = f" of {self.total / MEGABYTE:.1f}" if self.total else ""
            rest = f", about {max(0, self.total - self._done) / rate:.0f} s to go" if of else ""
            logger.info(
                f"{self._name}: {self._done / MEGABYTE:.1f}{of} MB in {seconds:.0f} s, "
                f"{rate / MEGABYTE:.3g} MB/s{rest}"
            )

    def reset(self) -> None:
        """Before the last :meth:`update`, which is of the whole file."""
        self._done = 0

    def close(self) -> None:
        """Nothing is open."""
