"""How slow each rank of a run is, entry by entry and in medians over eight entries."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats, Indices
from tui.ordered import medians
from tui.store.spread import columns_alike

BLOCK = 8
"""Entries in a block."""


class Block(Struct, frozen=True):
    """A rank over eight entries: its median slowness, what it took and the others, and where the block begins."""

    slowness: float
    own: float
    others: float
    step: float


class Laps(Struct, frozen=True, eq=False):
    """Entries (n,) that tell how slow ranks are: steps, places in the batch, slowness and times (ranks, n)."""

    steps: Floats
    at: Indices
    slowness: Floats
    times: Floats

    @classmethod
    def none(cls) -> Laps:
        """Not one."""
        return cls(np.empty(0), np.empty(0, np.int64), np.empty((0, 0)), np.empty((0, 0)))

    def slice(self, start: int, stop: int) -> Laps:
        """The entries from `start` to `stop` (exclusive)."""
        own = slice(start, stop)
        return Laps(self.steps[own], self.at[own], self.slowness[:, own], self.times[:, own])

    def spread_over(self, files: Sequence[str], known: Sequence[str]) -> Laps:
        """The same with a row for each of the ranks that are known, these among them."""
        shape, rows = (len(known), len(self.steps)), [known.index(file) for file in files]
        slowness, times = np.full(shape, np.nan), np.full(shape, np.nan)
        slowness[rows], times[rows] = self.slowness, self.times
        return Laps(self.steps, self.at, slowness, times)

    def extend(self, later: Laps) -> Laps:
        """These, and later ones, which know of all their ranks, and maybe of more."""
        more = len(later.slowness) - len(self.slowness)
        slowness, times = (
            np.concatenate((np.pad(own, ((0, more), (0, 0)), constant_values=np.nan), new), axis=1)
            for own, new in ((self.slowness, later.slowness), (self.times, later.times))
        )
        return Laps(
            np.concatenate((self.steps, later.steps)), np.concatenate((self.at, later.at)), slowness, times
        )


def compare_ranks(times: Floats) -> Floats:
    """The logarithm of each rank's time (ranks, n) over the median of the others'; NaN where either is not known."""
    found = np.full(times.shape, np.nan)
    for ranks, own in columns_alike(np.isfinite(times)):
        if len(ranks) > 1:
            found[np.ix_(ranks, own)] = _compare_all(times[np.ix_(ranks, own)])
    return found


def _compare_all(times: Floats) -> Floats:
    """The same where all times are known; what is left of them in order, once one is taken out, has its median."""
    order = np.argsort(times, axis=0, kind="stable")
    ordered, places = np.take_along_axis(times, order, axis=0), np.argsort(order, axis=0, kind="stable")
    others = len(times) - 1
    low, high = (others - 1) // 2, others // 2
    left, right = (np.where(places <= middle, ordered[middle + 1], ordered[middle]) for middle in (low, high))
    return np.asarray(np.log(times / ((left + right) / 2)))


def summarize(slowness: Floats, times: Floats, firsts: Floats) -> list[Block | None]:
    """A rank's blocks of eight entries, by their first steps; None for one with less than half of its entries."""
    shape = (len(firsts), BLOCK)
    slowness, times = (
        slowness[: len(firsts) * BLOCK].reshape(shape),
        times[: len(firsts) * BLOCK].reshape(shape),
    )
    is_known = np.isfinite(slowness)
    middles, owns = np.full(len(firsts), np.nan), np.full(len(firsts), np.nan)
    for entries, blocks in columns_alike(is_known.T):
        if 2 * len(entries) >= BLOCK:
            part = np.ix_(blocks, entries)
            middles[blocks], owns[blocks] = medians(slowness[part]), medians(times[part])
    return [
        Block(middle, own, own / math.exp(middle), first) if middle == middle else None
        for middle, own, first in zip(middles.tolist(), owns.tolist(), firsts.tolist(), strict=True)
    ]
