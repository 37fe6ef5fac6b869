"""The command ``ccc``: fit a table, predict with a stored model, say what a model is.

Exit codes: 0 success, 1 bad input, 2 bad usage, 130 interrupted. An error is one line on standard
error that names the file, column or value.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ccc.cli.arguments import parser
from ccc.cli.messages import Messages

__all__ = ["main"]

BAD_INPUT, INTERRUPTED = 1, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with the given arguments, by default those of the process."""
    options = parser().parse_args(arguments)
    messages = Messages(f"ccc {options.command}", quiet=getattr(options, "quiet", False))
    try:
        with messages.on_standard_error():
            # Imported now: help and usage errors should not wait for numba.
            import_module(f"ccc.cli.{options.command}").run(options)
            sys.stdout.flush()
    except (ValueError, OSError, MemoryError) as error:
        if isinstance(error, BrokenPipeError):
            # Who reads has seen enough; Python would complain once more at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        messages.error(error)
        return BAD_INPUT
    except KeyboardInterrupt:
        messages.error("interrupted, nothing was written")
        return INTERRUPTED
    return 0
