"""How far the mean of some rows lies above that of the rows before, over what such a difference changes by."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import reduce
from math import sqrt
from operator import add
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tui.decode.batch import Floats
from tui.health.octets import WIDTH

GROUP, MEMORY_GROUPS = 8, 32
"""Rows between two updates of the unit, and over how many of these (2,048 values) it is averaged."""

UNKNOWN, UNKNOWN_GROUPS = 2.0, 4
"""Times what white noise gives, what the unit is taken for at first, as if so many groups had shown it. Data that
drift need as much; without it, half of all false alarms came from the first 800 values of a baseline."""

MOST_UNITS = 4.0
"""Times what white noise gives, the most that one difference counts, so that a cliff does not numb what comes."""

ROW_WINSOR, ROW_LEAD = 3.5, 1.5
"""The most sigma that a row counts from the level, and beyond the next highest: so two bad rows are needed, and where
the shift is large they are enough."""


class Pair(Struct, frozen=True):
    """Rows of the latest values, rows of those before them, and the units beyond which their shift is no chance."""

    recent: int
    before: int
    units: float


class Shifts(Struct, frozen=True, eq=False):
    """The shift at each fresh row, (fresh,) each: NaN while too few rows are known.

    `scores` are shares of what is no chance any more: `differences` over `bounds`, both in sigma, that of the values
    as they were before any averaging. `levels` are what the latest values are compared with, and `inflations` how
    much larger the variance of a mean is than in white noise.
    """

    scores: Floats
    differences: Floats
    bounds: Floats
    levels: Floats
    inflations: Floats


NO_SHIFTS = Shifts(*(np.empty(0),) * 5)


class Single(NamedTuple):
    """The shift at one row."""

    score: float
    difference: float
    bound: float
    level: float
    inflation: float


class Contrast:
    """The shifts of one pair."""

    def __init__(self, pair: Pair) -> None:
        self._recent, self._before, self._bound = pair.recent, pair.before, pair.units
        self._white = float(np.sqrt((1 / pair.recent + 1 / pair.before) / WIDTH))
        span = pair.recent + pair.before
        self._past: deque[float] = deque([np.nan] * span, span)
        self._open: list[float] = []
        self._groups = UNKNOWN_GROUPS
        self._square = (UNKNOWN * self._white) ** 2
        self._units = [UNKNOWN * self._white] * 2

    def extend(self, means: Floats, sigmas: Floats) -> Shifts:
        """The shifts at the last rows of `means`, one for each of `sigmas`."""
        differences, levels = self._compare(means, sigmas)
        past = np.concatenate((self._past, differences))
        self._past.extend(differences.tolist())
        units = self._follow((differences - past[: len(differences)]) / np.sqrt(2.0))
        scores, inflations = differences / units / self._bound, (units / self._white) ** 2
        return Shifts(scores, differences, units * self._bound, levels, inflations)

    def push(self, means: Sequence[float], sigma: float) -> Single:
        """The same for the last of up to 32 means, with its sigma, above 0."""
        difference = level = np.nan
        if len(means) >= self._recent + self._before:
            recent = means[-self._recent :]
            level = add_up(means[-self._recent - self._before : -self._recent]) / self._before
            rows = [min(max((mean - level) / sigma, -ROW_WINSOR), ROW_WINSOR) for mean in recent]
            *_, second, top = sorted(rows)
            difference = (reduce(add, rows) - max(top - second - ROW_LEAD, 0.0)) / self._recent
        unit, bound = self._units[0], MOST_UNITS * self._white
        self._open.append(min(max((difference - self._past[0]) / sqrt(2), -bound), bound))
        self._past.append(difference)
        if len(self._open) == GROUP:
            square = add_up([change * change for change in self._open]) / GROUP
            self._units, self._open = [self._units[1], *self._take([square])], []
        share = unit / self._white
        return Single(difference / unit / self._bound, difference, unit * self._bound, level, share * share)

    def _compare(self, means: Floats, sigmas: Floats) -> tuple[Floats, Floats]:
        """The differences in sigma, and the levels before them."""
        fresh, span = len(sigmas), self._recent + self._before
        known = means[-(fresh + span - 1) :]
        means = np.concatenate((np.full(fresh + span - 1 - len(known), np.nan), known))
        levels = running_sums(means, self._before)[:fresh] / self._before
        recent = np.array([means[self._before + at :][:fresh] for at in range(self._recent)])
        rows = np.minimum(np.maximum((recent - levels) / sigmas, -ROW_WINSOR), ROW_WINSOR)
        return (reduce(np.add, rows) - lone_excess(rows)) / self._recent, levels

    def _follow(self, changes: Floats) -> Floats:
        """The unit at each fresh row, from groups that ended at least one group before its own."""
        bound = MOST_UNITS * self._white
        held = len(self._open)
        changes = np.concatenate((self._open, np.minimum(np.maximum(changes, -bound), bound)))
        whole = len(changes) // GROUP * GROUP
        self._open = changes[whole:].tolist()
        groups = changes[:whole].reshape(-1, GROUP)
        units = self._units + self._take((add_up((groups * groups).T) / GROUP).tolist())
        self._units = units[-2:]
        return np.repeat(units[:-1], GROUP)[held : len(changes)]

    def _take(self, squares: Iterable[float]) -> list[float]:
        """Take in groups, but for those that have rows without a difference; the unit after each."""
        groups, mean, white, units = self._groups, self._square, self._white, list[float]()
        for square in squares:
            if square == square:
                groups += 1
                mean += (square - mean) / (groups if groups < MEMORY_GROUPS else MEMORY_GROUPS)
            units.append(max(sqrt(mean), white))
        self._groups, self._square = groups, mean
        return units


def lone_excess(rows: Floats) -> Floats:
    """By how much the highest of rows (m, n), for each of n, lies further beyond the next than it may: (n,)."""
    ordered = np.sort(rows, axis=0)
    excess: Floats = np.maximum(ordered[-1] - ordered[-2] - ROW_LEAD, 0.0)
    return excess


def add_up(parts: Sequence[Any] | npt.NDArray[Any]) -> Any:
    """The sum of numbers, or of arrays, by halves: in the order of `running_sums`, so that it is the same to a bit."""
    count = len(parts)
    if count <= 3:
        return reduce(add, parts)
    if count % 2:
        return add_up(parts[:-1]) + parts[-1]
    return add_up(parts[: count // 2]) + add_up(parts[count // 2 :])


def running_sums(values: Floats, count: int) -> Floats:
    """The sums of `count` neighbours of values (n,), (n - count + 1,): the same in any portions, to the last bit."""
    if count == 1:
        return values
    half = count // 2
    sums = running_sums(values, half)
    sums = sums[: len(sums) - half] + sums[half:]
    return sums if count % 2 == 0 else sums[:-1] + values[count - 1 :]
