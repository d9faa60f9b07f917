"""Loads the module of a command, without what would take a third of the time."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

from tui.garbage import loading

BLAS_THREADS = "OPENBLAS_NUM_THREADS"
"""Where numpy's linear algebra looks for how many threads to start."""


def load(name: str) -> Callable[[argparse.Namespace], int]:
    """The function `MODULE:NAME`; its module, and all that this needs, is loaded now."""
    module, function = name.split(":")
    if module not in sys.modules:
        with _loading_lightly():
            import_module(module)
    # asyncio warns of what is told as a state: a link that broke. Nobody can keep still in time: asyncssh writes by
    # itself until it hears of the break, a turn of the loop later, and shows nobody its transport, which knows.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    command: Callable[[argparse.Namespace], int] = getattr(sys.modules[module], function)
    return command


@contextmanager
def _loading_lightly() -> Iterator[None]:
    """Spare what takes a third of the time of loading: looking for garbage, and numpy's threads.

    Its linear algebra starts one for each core, and nothing here is large enough for them.
    """
    is_set = BLAS_THREADS in os.environ
    os.environ.setdefault(BLAS_THREADS, "1")
    try:
        with loading():
            yield
    finally:
        if not is_set:
            del os.environ[BLAS_THREADS]  # programs that we run decide for themselves
