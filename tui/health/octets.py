"""A metric's finite values in rows of eight, the clock that every detector runs by.

Detectors see whole rows only. What they say is therefore a function of the values alone, and not of the
portions in which these arrived; a row is judged when its eighth value is there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Floats, Indices

WIDTH = 8
"""Values in a row: a level shift needs about as many to be told from noise."""

HISTORY = 64
"""Rows (512 values) kept behind the fresh ones, for scales, levels and the search for an onset."""

Rows = npt.NDArray[np.float64]


class Octets:
    """The rows of the last `HISTORY`, and behind them the fresh ones of the latest `extend`.

    Attributes:
        values: (r, 8) the values.
        medians: (r,) the median of each row.
        steps: (r, 8) the step of each value.
        entries: (r, 8) the index in the stream of each value's entry.
        count: How many rows there have ever been; the last of `values` is number `count - 1`.
        fresh: How many of them the latest `extend` added.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything, as if no value had come yet."""
        self.values: Rows = np.empty((0, WIDTH))
        self.steps: Rows = np.empty((0, WIDTH))
        self.entries: npt.NDArray[np.int64] = np.empty((0, WIDTH), np.int64)
        self.medians: Floats = np.empty(0)
        self.count = 0
        self.fresh = 0
        self._rest: tuple[list[float], list[float], list[int]] = ([], [], [])

    @property
    def first(self) -> int:
        """The number of the oldest row that is kept."""
        return self.count - len(self.values)

    @property
    def total(self) -> int:
        """How many values there have been, those of a row not yet complete included."""
        return self.count * WIDTH + len(self._rest[0])

    @property
    def missing(self) -> int:
        """How many values the row that is not yet complete still needs."""
        return WIDTH - len(self._rest[0])

    def extend(self, values: Floats, steps: Floats, entries: Indices) -> int:
        """Add values (n,) with their steps and entries; returns how many rows that completed."""
        rest = self._rest
        if len(rest[0]):
            values, steps = np.concatenate((rest[0], values)), np.concatenate((rest[1], steps))
            entries = np.concatenate((rest[2], entries))
        whole = len(values) // WIDTH * WIDTH
        self._rest = (values[whole:].tolist(), steps[whole:].tolist(), entries[whole:].tolist())
        self.fresh = whole // WIDTH
        if whole:
            rows = values[:whole].reshape(-1, WIDTH)
            ordered = np.sort(rows, axis=1)
            medians = (ordered[:, WIDTH // 2 - 1] + ordered[:, WIDTH // 2]) / 2
            self._append(rows, steps[:whole].reshape(-1, WIDTH), entries[:whole].reshape(-1, WIDTH), medians)
        return self.fresh

    def push(self, value: float, step: float, entry: int) -> int:
        """Add one value: the same as `extend`, at a tenth of its cost where entries come singly."""
        values, steps, entries = self._rest
        values.append(value)
        steps.append(step)
        entries.append(entry)
        self.fresh = len(values) // WIDTH
        if self.fresh:
            ordered = sorted(values)
            median = (ordered[WIDTH // 2 - 1] + ordered[WIDTH // 2]) / 2
            self._append([values], [steps], [entries], [median])
            self._rest = ([], [], [])
        return self.fresh

    def _append(
        self, values: npt.ArrayLike, steps: npt.ArrayLike, entries: npt.ArrayLike, medians: npt.ArrayLike
    ) -> None:
        """Add rows: (r, 8) values, steps and entries, (r,) medians."""
        self.values = np.concatenate((self.values[-HISTORY:], values))
        self.steps = np.concatenate((self.steps[-HISTORY:], steps))
        self.entries = np.concatenate((self.entries[-HISTORY:], entries))
        self.medians = np.concatenate((self.medians[-HISTORY:], medians))
        self.count += self.fresh
