"""What every job of the workflow needs around its work: threads, a log, an honest ending.

A script defines ``main(input, output, params, threads)`` and ends with ::

    if "snakemake" in globals():
        run(main, snakemake)
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from ccc.seal import check_sizes, forget_sizes, record_sizes

__all__ = ["limit_threads", "log_to", "run"]

logger = logging.getLogger("ccc.job")


def run(main: Callable[..., None], snakemake: Any) -> None:
    """Call a script's ``main`` as the job that Snakemake describes.

    A failure leaves its traceback in the job's log and one line on the terminal.
    """
    log = snakemake.log[0] if len(snakemake.log) else None
    name = f"{snakemake.rule} {_wildcards(snakemake)}".strip()
    with log_to(log), limit_threads(snakemake.threads):
        start = time.perf_counter()
        logger.info("%s: started with %d thread(s)", name, snakemake.threads)
        try:
            check_sizes(snakemake.input)
            forget_sizes(snakemake.output)
            main(snakemake.input, snakemake.output, snakemake.params, snakemake.threads)
            record_sizes(snakemake.output)
        except Exception as error:
            logger.exception("%s: failed", name)
            print(_one_line(name, error, log), file=sys.stderr)
            sys.exit(1)
        logger.info("%s: done in %.2f s", name, time.perf_counter() - start)


@contextmanager
def limit_threads(threads: int) -> Iterator[None]:
    """Hold BLAS, OpenMP and numba to ``threads`` threads.

    Snakemake tells the first two through the environment, but not numba, and libraries that are
    already loaded read no environment.
    """
    if "numba" in sys.modules:
        import numba

        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    else:
        os.environ["NUMBA_NUM_THREADS"] = str(threads)
    with threadpool_limits(limits=threads):
        yield


@contextmanager
def log_to(path: str | os.PathLike[str] | None) -> Iterator[None]:
    """Send log and warnings to the file ``path``, written anew (None: to the terminal)."""
    handler: logging.Handler
    if path is None:
        handler = logging.StreamHandler()
    else:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, mode="w", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.setLevel(level)
        root.removeHandler(handler)
        handler.close()


def _wildcards(snakemake: Any) -> str:
    return ", ".join(f"{key}={value}" for key, value in snakemake.wildcards.items())


def _one_line(name: str, error: Exception, log: str | None) -> str:
    message = " ".join(str(error).split()) or type(error).__name__
    where = f" (traceback in {log})" if log else ""
    return f"{name}: {type(error).__name__}: {message}{where}"
