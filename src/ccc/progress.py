"""A progress bar with ν, clusters, gap and ETA; silent when nobody watches."""

from __future__ import annotations

import sys
from types import TracebackType

from tqdm import tqdm

__all__ = ["Progress"]


class Progress:
    """Bar over a ν grid: shown only if asked for and standard error is a terminal."""

    def __init__(self, total: int, show: bool) -> None:
        self._bar = tqdm(total=total, unit="ν", disable=not (show and sys.stderr.isatty()))

    def step(self, nu: float, n_clusters: int, gap: float) -> None:
        self._bar.set_postfix_str(f"ν={nu:.3g} clusters={n_clusters} gap={gap:.1e}", refresh=False)
        self._bar.update()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()
