"""What the command tells on standard error: errors, warnings and stages, a line each."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Messages"]


class Messages:
    """Lines that begin with the name of the command."""

    def __init__(self, command: str, quiet: bool = False) -> None:
        self.command, self.quiet = command, quiet

    def error(self, error: BaseException | str) -> None:
        text = str(error) or type(error).__name__
        if isinstance(error, OSError) and error.filename is not None:
            text = f"{error.filename}: {error.strerror}"
        self._write("error", text)

    @contextmanager
    def on_standard_error(self) -> Iterator[None]:
        """Show warnings of users' concern, once each, and unless quiet the stages of a fit."""
        handler = _Lines(self)
        logger = logging.getLogger("ccc.estimator")
        level = logger.level
        if not self.quiet:
            logger.addHandler(handler)
            logger.setLevel(logging.INFO)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.filterwarnings("default", category=UserWarning)
                warnings.showwarning = self._show_warning
                yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(level)

    def _show_warning(self, message: Warning | str, *where: Any, **how: Any) -> None:
        self._write("warning", str(message))

    def _write(self, kind: str, text: str) -> None:
        print(f"{self.command}: {kind}: {' '.join(text.split())}", file=sys.stderr)


class _Lines(logging.Handler):
    """Stages of a fit."""

    def __init__(self, messages: Messages) -> None:
        super().__init__()
        self.messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        print(f"{self.messages.command}: {record.getMessage()}", file=sys.stderr)
