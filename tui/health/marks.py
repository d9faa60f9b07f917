"""Where a run becomes another without going back: its cadence or its learning rate makes a jump."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Column, Floats
from tui.health.schedule import Schedule

GROUP = 16
"""Entries over which a cadence (the median step between entries) is taken."""

CADENCE_FACTOR = 3.0
"""Two groups in a row with a cadence so many times longer or shorter are a mark."""

LR_FACTOR, LR_ENTRIES = 1.5, 20
"""A learning rate so many times that of each of so many entries before is one, unless the run is warming up."""


class Marks:
    """Finds the entries from which on health has to be judged afresh."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._lr: Floats = np.empty(0)
        self.clear()

    def clear(self) -> None:
        """Forget the cadence; the next entries make a new one."""
        self._cadence: float | None = None
        self._strange = 0
        self._is_due = False  # the mark is the first entry of the next portion
        self._open: Floats = np.empty(0)
        self._last_step: float | None = None

    def find(self, first_entry: int, steps: Floats, lr: Column | None) -> list[int]:
        """The positions in a portion of entries, whose first has this index, at which a mark lies, in order."""
        found = self._find_rate_jumps(first_entry, lr) if lr is not None else []
        found += self._find_cadence_jumps(steps)
        found += [0] if self._is_due else []
        self._is_due = len(steps) in found
        return sorted({position for position in found if position < len(steps)})

    def _find_cadence_jumps(self, steps: Floats) -> list[int]:
        previous = np.nan if self._last_step is None else self._last_step
        deltas = np.concatenate((self._open, np.diff(steps, prepend=previous)))
        held, whole = len(self._open), len(deltas) // GROUP * GROUP
        self._last_step, self._open = float(steps[-1]), deltas[whole:]
        cadences = np.sort(deltas[:whole].reshape(-1, GROUP), axis=1)[:, GROUP // 2 - 1]
        ends = range(GROUP - held, whole - held + 1, GROUP)
        return [end for end, cadence in zip(ends, cadences.tolist(), strict=True) if self._take(cadence)]

    def _take(self, cadence: float) -> bool:
        """Take a group in; whether with it the run has another cadence than before."""
        if not cadence > 0:
            return False
        if self._cadence is None:
            self._cadence = cadence
            return False
        ratio = cadence / self._cadence
        self._strange = 0 if 1 / CADENCE_FACTOR < ratio < CADENCE_FACTOR else self._strange + 1
        if self._strange < 2:
            return False
        self._cadence, self._strange = cadence, 0
        return True

    def _find_rate_jumps(self, first_entry: int, lr: Column) -> list[int]:
        values = np.concatenate((self._lr, lr.values))
        known = len(self._lr)
        self._lr = values[-LR_ENTRIES:]
        with np.errstate(invalid="ignore"):
            ahead = np.flatnonzero(values[1:] / LR_FACTOR > values[:-1]) + 1
        return [
            int(lr.at[where - known])
            for where in ahead.tolist()
            if where >= max(known, LR_ENTRIES)
            and values[where] / LR_FACTOR > np.max(values[where - LR_ENTRIES : where])
            and self._schedule.phase(first_entry + int(lr.at[where - known]) - 1).warm_end is not None
        ]
