"""How far the latest values of a metric lie above those before, by what such means differ by in a healthy run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Floats
from tui.health.averaging import Averaging, undo
from tui.health.octets import WIDTH, Octets


@dataclass(frozen=True, slots=True)
class Pair:
    """Rows of the latest values, rows of those before them, and the units beyond which their shift is no chance."""

    recent: int
    before: int
    units: float


QUICK, STRONG = Pair(3, 12, 5.75), Pair(8, 24, 5.0)
"""24 after 96 values, for speed, and 64 after 192, for small shifts. The shorter one is tried more often and feels
every burst, so more is asked of it. Of the shifts in 3.3 million entries of healthy synthetic runs 1 went beyond."""

ARMED_VALUES = (QUICK.recent + QUICK.before) * WIDTH
"""Values before the first shift is known."""

VALUE_WINSOR, ROW_WINSOR = 3.0, 2.5
"""The most sigma that a value counts from its row's median, and a row from the level: so two bad rows are needed."""

ZERO_ROWS, ZERO_SHARE = 32, 0.2
"""Rows (256 values) of which such a share may be zero."""

GROUP, MEMORY_GROUPS = 8, 32
"""Rows between two updates of the unit, and over how many of these (2,048 values) it is averaged."""

UNKNOWN, UNKNOWN_GROUPS = 2.0, 4
"""Times what white noise gives, what the unit is taken for at first, as if so many groups had shown it. Data that
drift need as much; without it, half of all false alarms came from the first 800 values of a baseline."""

MOST_UNITS = 4.0
"""Times what white noise gives, the most that one difference counts, so that a cliff does not numb what comes."""


@dataclass(frozen=True, slots=True, eq=False)
class Shifts:
    """The shift at each fresh row, (fresh,) each: NaN while too few rows are known.

    `scores` are shares of what is no chance any more, `levels` what the latest values are compared with, and
    `inflations` how much larger the variance of a mean is than in white noise.
    """

    scores: Floats
    levels: Floats
    inflations: Floats


class Shift:
    """The mean of the latest values less that of those before them, over the unit of such differences.

    The unit is the root mean square of what the difference itself has changed by from one stretch to the next
    in this run, or what white noise would give, whichever is larger. Steady progress changes no difference,
    while noise with a memory, or data that drift, raise the unit to what they need. Values of a logger that
    averages are taken as they were before, where the noise is white again and nothing dies away slowly.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._averaging = Averaging()
        self._means: Floats = np.empty(0)
        self._quick, self._strong = _Contrast(QUICK), _Contrast(STRONG)

    def extend(self, octets: Octets, sigmas: Floats) -> Shifts:
        """The shifts at the fresh rows, whose sigmas (fresh,) are given, from these rows and those before."""
        memories = self._averaging.extend(octets)
        inflations = (1 + memories) / (1 - memories)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            sigmas = sigmas * np.sqrt(inflations)
            fresh = row_means(octets, memories, sigmas)
            means = np.concatenate((self._means, fresh))
            self._means = means[-STRONG.recent - STRONG.before :]
            quick, strong = self._quick.extend(means, sigmas), self._strong.extend(means, sigmas)
        quick.scores[memories > 0] = np.nan  # where one bad value takes long to die away
        is_strong = strong.scores > np.fmax(quick.scores, -np.inf)
        scores = np.where(is_strong, strong.scores, quick.scores)
        scores[mostly_zero(octets.values)[-octets.fresh :]] = np.nan
        return Shifts(
            scores,
            np.where(is_strong, strong.levels, quick.levels),
            inflations * np.where(is_strong, strong.inflations, quick.inflations),
        )


class _Contrast:
    """The shifts of one pair."""

    def __init__(self, pair: Pair) -> None:
        self._recent, self._before, self._bound = pair.recent, pair.before, pair.units
        self._white = float(np.sqrt((1 / pair.recent + 1 / pair.before) / WIDTH))
        self._past: Floats = np.full(pair.recent + pair.before, np.nan)
        self._open: Floats = np.empty(0)
        self._groups = UNKNOWN_GROUPS
        self._square = (UNKNOWN * self._white) ** 2
        self._units = [UNKNOWN * self._white] * 2

    def extend(self, means: Floats, sigmas: Floats) -> Shifts:
        """The shifts at the last rows of `means`, one for each of `sigmas`."""
        differences, levels = self._compare(means, sigmas)
        past = np.concatenate((self._past, differences))
        self._past = past[len(differences) :]
        units = self._follow((differences - past[: len(differences)]) / np.sqrt(2.0))
        return Shifts(differences / units / self._bound, levels, (units / self._white) ** 2)

    def _compare(self, means: Floats, sigmas: Floats) -> tuple[Floats, Floats]:
        """The differences in sigma, and the levels before them."""
        fresh, span = len(sigmas), self._recent + self._before
        known = means[-(fresh + span - 1) :]
        means = np.concatenate((np.full(fresh + span - 1 - len(known), np.nan), known))
        levels = running_sums(means, self._before)[:fresh] / self._before
        recent = np.array([means[self._before + at :][:fresh] for at in range(self._recent)])
        rows = np.minimum(np.maximum((recent - levels) / sigmas, -ROW_WINSOR), ROW_WINSOR)
        return reduce(np.add, rows) / self._recent, levels

    def _follow(self, changes: Floats) -> Floats:
        """The unit at each fresh row, from groups that ended at least one group before its own."""
        bound = MOST_UNITS * self._white
        held = len(self._open)
        changes = np.concatenate((self._open, np.minimum(np.maximum(changes, -bound), bound)))
        whole = len(changes) // GROUP * GROUP
        self._open = changes[whole:]
        groups = changes[:whole].reshape(-1, GROUP)
        units = self._units + [
            self._take(square) for square in ((groups * groups).sum(axis=1) / GROUP).tolist()
        ]
        self._units = units[-2:]
        return np.repeat(units[:-1], GROUP)[held : len(changes)]

    def _take(self, square: float) -> float:
        """Take in a group, unless it has rows without a difference; the unit after it."""
        if square == square:
            self._groups += 1
            self._square += (square - self._square) / min(self._groups, MEMORY_GROUPS)
        return max(float(np.sqrt(self._square)), self._white)


def mostly_zero(values: Floats) -> npt.NDArray[np.bool_]:
    """Which rows of (r, 8) end 32 rows with too many exact zeros to have a level and a sigma: (r,).

    The losses of a fine-tune may be zero in most entries, and what is left of the noise is no noise.
    """
    is_zero = values == 0
    if not is_zero.any():
        return np.zeros(len(values), bool)
    zeros = np.cumsum(np.count_nonzero(is_zero, axis=1))
    zeros[ZERO_ROWS:] -= zeros[:-ZERO_ROWS].copy()
    return zeros > ZERO_SHARE * ZERO_ROWS * WIDTH


def locate_onset(octets: Octets, row: int, level: float) -> int:
    """Where a shift that shows in a row began: a position among the kept values.

    It is the likeliest place of a step from the level to that of the last 24 values (Page 1954): from there on
    the values lie above the middle between the two most clearly. `row` is a position in the octets.
    """
    low = max(row - QUICK.recent - QUICK.before, 0)
    values = octets.values[low : row + 1].ravel()
    half = (float(np.median(values[-QUICK.recent * WIDTH :])) - level) / 2
    above = np.cumsum(np.clip(values - level - half, -abs(half), abs(half))[::-1])[::-1]
    return low * WIDTH + int(np.argmax(above))


def row_means(octets: Octets, memories: Floats, sigmas: Floats) -> Floats:
    """The means (fresh,) of the fresh rows, with what lies beyond 3 sigma from a row's median drawn in to there.

    One step towards Huber's estimate (1964): nearly as efficient as the mean, and no lone value moves it far.
    """
    rows, middles = octets.values[-octets.fresh :], octets.medians[-octets.fresh :]
    if memories.any():
        rows = undo(octets, memories)
        middles = np.median(rows, axis=1)
    far = np.where(sigmas > 0, VALUE_WINSOR * sigmas, 0.0)  # while no sigma is known the medians must do
    drawn = np.minimum(np.maximum(rows, (middles - far)[:, None]), (middles + far)[:, None])
    means: Floats = drawn.sum(axis=1) / WIDTH
    return means


def running_sums(values: Floats, count: int) -> Floats:
    """The sums of `count` neighbours of values (n,), (n - count + 1,): the same in any portions, to the last bit."""
    if count == 1:
        return values
    half = count // 2
    sums = running_sums(values, half)
    sums = sums[: len(sums) - half] + sums[half:]
    return sums if count % 2 == 0 else sums[:-1] + values[count - 1 :]
