"""What a run of the workflow does before Snakemake looks at its files.

Snakemake reads the Snakefile for whatever it is asked, a report or a list of rules, and has no hook
between that and its plan of a run. Only then is it known that there will be a run, and which kind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from ccc.locks import RunLocks
from ccc.seal import put_aside_damaged

__all__ = ["with_a_look_around"]


def with_a_look_around(
    execute: Callable[..., None], locks: RunLocks, results: str | os.PathLike[str]
) -> Callable[..., None]:
    """Snakemake's ``Workflow.execute``, for runs that begin with left-overs and damage.

    Lock files of dead runs go. Results that have another size than when they were written are put
    aside, a line for each, so that they are planned like those that are missing: not in a dry run
    or with ``--touch``, and not while another run is at work.
    """

    def run(*arguments: Any, executor_plugin: Any, **settings: Any) -> None:
        plan = partial(execute, *arguments, executor_plugin=executor_plugin, **settings)
        kind = executor_plugin.common_settings
        with locks.held() as alone:
            if alone and not (kind.dryrun_exec or kind.touch_exec):
                for line in put_aside_damaged(results):
                    print(f"{line}, and made anew if it is needed", file=sys.stderr)
            if not kind.dryrun_exec:
                return plan()
        # Who only looks is in nobody's way.
        return plan()

    return run
