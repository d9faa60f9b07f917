"""When Python looks for garbage: not while a program starts, and never again in what it then holds until its end.

A full collection walks over every object there is: 60 to 120 ms for an open screen, in which no key is heard. What
has outlived one that took long will most likely stay, so it is set aside (`gc.freeze`) and walked over no more.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONG_S = 0.005
"""Seconds that a full collection may take: about 50,000 objects."""


class _Watch:
    """Hears of each collection, and sets aside what has outlived a long one."""

    def __init__(self) -> None:
        self._began_s = 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if info["generation"] < 2:
            return
        if phase == "start":
            self._began_s = time.perf_counter()
        elif time.perf_counter() - self._began_s > LONG_S:
            gc.freeze()


@contextmanager
def loading() -> Iterator[None]:
    """Load modules meanwhile: they stay, and among what they bring no garbage is looked for, now or ever after."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if is_enabled:
            gc.enable()


@contextmanager
def spared() -> Iterator[None]:
    """Collect nothing until `settle` is called, and from then on only among what is new; after that all as before."""
    watch = _Watch()
    gc.disable()
    gc.callbacks.append(watch)
    try:
        yield
    finally:
        gc.callbacks.remove(watch)
        gc.unfreeze()
        gc.enable()


def settle() -> None:
    """The start is over, and what is there now stays; without `spared` nothing is changed."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
