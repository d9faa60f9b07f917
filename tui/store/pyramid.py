"""A growing series over buckets of 8, 32, 128, … entries: what a picture of it needs, however long it is."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Floats
from tui.store.series import Growing

FIRST_BUCKET = 8
"""Entries in a bucket of the first level."""

FACTOR = 4
"""Buckets of a level that make one of the next; with three numbers a bucket it all takes 4 bytes an entry."""

CHUNK = 1 << 15
"""Entries that are taken at once, so that what is made of them stays in the processor's cache."""


class Level:
    """The complete buckets of one size: the least, the greatest and the mean of their finite values, else NaN."""

    def __init__(self, entries: int) -> None:
        self.entries = entries
        self.low = Growing(np.float64)
        self.high = Growing(np.float64)
        self.mean = Growing(np.float64)

    def __len__(self) -> int:
        return len(self.mean)

    def extend(self, low: Floats, high: Floats, mean: Floats) -> None:
        """Append buckets."""
        self.low.extend(low)
        self.high.extend(high)
        self.mean.extend(mean)

    def truncate(self, count: int) -> None:
        """Keep the first `count` buckets."""
        for column in (self.low, self.high, self.mean):
            column.truncate(count)


class Pyramid:
    """The levels over a series that grows at its end, and now and then loses some of it; a bucket is made once."""

    def __init__(self) -> None:
        self.levels: list[Level] = []

    @property
    def covered(self) -> int:
        """How many entries stand in a complete bucket of the first level."""
        return len(self.levels[0]) * FIRST_BUCKET if self.levels else 0

    def extend(self, values: Floats) -> None:
        """Make the buckets that are complete now; `values` (n,) follow those that are covered."""
        whole = len(values) // FIRST_BUCKET * FIRST_BUCKET
        for start in range(0, whole, CHUNK):
            part = values[start : min(start + CHUNK, whole)]
            is_finite = np.isfinite(part)
            if not is_finite.all():
                part = np.where(is_finite, part, np.nan)
            self._add(0, part, part, part)

    def truncate(self, entries: int) -> None:
        """Forget all buckets that reach beyond the first `entries` entries."""
        for level in self.levels:
            level.truncate(min(len(level), entries // level.entries))

    def _add(self, depth: int, low: Floats, high: Floats, mean: Floats) -> None:
        """Append to a level what is made of whole buckets of the one below, and so on upwards."""
        if depth == len(self.levels):
            self.levels.append(Level(FIRST_BUCKET * FACTOR**depth))
        level = self.levels[depth]
        group = FIRST_BUCKET if depth == 0 else FACTOR
        level.extend(fold_low(low, group), fold_high(high, group), fold_mean(mean, group))
        done = len(self.levels[depth + 1]) * FACTOR if depth + 1 < len(self.levels) else 0
        until = len(level) // FACTOR * FACTOR
        if until > done:
            part = slice(done, until)
            self._add(depth + 1, level.low.view[part], level.high.view[part], level.mean.view[part])


def fold_low(values: Floats, group: int) -> Floats:
    """The least of every `group` (a power of two) neighbours, NaN passed over; by halves, which numpy does fast."""
    while group > 1:
        values = np.fmin(values[::2], values[1::2])
        group //= 2
    return values


def fold_high(values: Floats, group: int) -> Floats:
    """The greatest of every `group` neighbours, NaN passed over."""
    while group > 1:
        values = np.fmax(values[::2], values[1::2])
        group //= 2
    return values


def fold_mean(values: Floats, group: int) -> Floats:
    """The mean of every `group` neighbours; one beside a NaN counts for both."""
    while group > 1:
        left, right = values[::2], values[1::2]
        mean = left * 0.5
        mean += right * 0.5
        lost = np.isnan(mean)
        if lost.any():
            mean[lost] = np.where(np.isnan(left[lost]), right[lost], left[lost])
        values = mean
        group //= 2
    return values


def summarize(values: Floats) -> tuple[float, float, float]:
    """The least, the greatest and the mean of the finite values (n,); NaN where there is none."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return (np.nan, np.nan, np.nan)
    low = float(finite.min())
    return low, float(finite.max()), low + float(np.mean(finite - low))
