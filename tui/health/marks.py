"""Where a run becomes another without going back: its cadence or its learning rate makes a jump.

Lost entries are no mark, however many: to judge afresh after each gap of 50 cadences cost half of all plateaus in logs
that lack some, and avoided no false alarm.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Column, Floats
from tui.health.schedule import Schedule

GROUP = 16
"""Entries over which the first cadence (the median step between entries) is taken."""

CADENCE_FACTOR, RUN = 3.0, 8
"""So many steps in a row that are all so many times longer, or shorter, than the cadence are a mark behind them: before
a shift that comes with them is an alarm."""

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
        self._is_due = False  # the mark is the first entry of the next portion
        self._open: list[
            float
        ] = []  # the last steps: those of the first group, then those that may begin a run
        self._last_step = np.nan

    def find(self, first_entry: int, steps: Floats, lr: Column | None) -> list[int]:
        """The positions in a portion of entries, whose first has this index, at which a mark lies, in order."""
        found = self._find_rate_jumps(first_entry, lr) if lr is not None else []
        found += self._find_cadence_jumps(steps)
        found += [0] if self._is_due else []
        self._is_due = len(steps) in found
        return sorted({position for position in found if position < len(steps)})

    def _find_cadence_jumps(self, steps: Floats) -> list[int]:
        first, self._last_step = float(steps[0]) - self._last_step, float(steps[-1])
        if len(steps) == 1 and self._is_usual(first):
            self._open = [*self._open[2 - RUN :], first]
            return []
        deltas = np.concatenate(([first], steps[1:] - steps[:-1]))
        found: list[int] = []
        at = 0
        while at < len(deltas):
            if self._cadence is None:
                at += self._learn(deltas[at:])
                continue
            jump = self._find_jump(deltas[at:], self._cadence)
            if jump is None:
                break
            at += jump + 1
            found.append(at)
        return found

    def _is_usual(self, delta: float) -> bool:
        """Whether a step fits the cadence: what a live log brings nearly always, one by one."""
        cadence = self._cadence
        return cadence is not None and cadence / CADENCE_FACTOR <= delta <= CADENCE_FACTOR * cadence

    def _learn(self, deltas: Floats) -> int:
        """Take the first cadence, once there are enough steps; returns how many were taken in."""
        taken = deltas[: GROUP - len(self._open)].tolist()
        self._open += taken
        if len(self._open) == GROUP:
            cadence = float(np.sort(self._open)[GROUP // 2 - 1])
            self._cadence, self._open = cadence if cadence > 0 else None, []
        return len(taken)

    def _find_jump(self, deltas: Floats, cadence: float) -> int | None:
        """Where a run is complete with which the steps have another cadence; it is the new one from there on."""
        held = len(self._open)
        steps = np.concatenate((self._open, deltas))
        is_long = steps > CADENCE_FACTOR * cadence
        is_short = (steps < cadence / CADENCE_FACTOR) & (steps > 0)
        self._open = steps[1 - RUN :].tolist()
        if np.count_nonzero(is_long) + np.count_nonzero(is_short) < RUN:
            return None
        is_run = _in_a_row(is_long) | _in_a_row(is_short)
        if not is_run.any():
            return None
        first = int(is_run.argmax())
        self._cadence, self._open = float(np.sort(steps[first : first + RUN])[RUN // 2 - 1]), []
        return first + RUN - 1 - held

    def _find_rate_jumps(self, first_entry: int, lr: Column) -> list[int]:
        values = np.concatenate((self._lr, lr.values))
        known = len(self._lr)
        self._lr = values[-LR_ENTRIES:]
        if len(lr.values) == 1 and known and not values[-1] / LR_FACTOR > values[-2]:
            return []
        with np.errstate(invalid="ignore"):
            ahead = np.flatnonzero(values[1:] / LR_FACTOR > values[:-1]) + 1
        return [
            int(lr.at[where - known])
            for where in ahead.tolist()
            if where >= max(known, LR_ENTRIES)
            and values[where] / LR_FACTOR > np.max(values[where - LR_ENTRIES : where])
            and self._schedule.phase(first_entry + int(lr.at[where - known]) - 1).warm_end is not None
        ]


def _in_a_row(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Where a run of flags begins: (n,) gives (n - RUN + 1,)."""
    counts = np.concatenate(([0], np.cumsum(flags)))
    is_run: npt.NDArray[np.bool_] = counts[RUN:] - counts[:-RUN] == RUN
    return is_run
