"""How far the latest values of a metric lie above those before, by what such means differ by in a healthy run."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Floats
from tui.health.averaging import Averaging, undo
from tui.health.contrast import Contrast, Pair, Shifts, add_up
from tui.health.octets import WIDTH, Octets
from tui.ordered import median, medians

QUICK, STRONG = Pair(3, 12, 5.75), Pair(8, 24, 5.0)
"""24 after 96 values, for speed, and 64 after 192, for small shifts. The shorter one is tried more often and feels
every burst, so more is asked of it. Of the shifts in 3.3 million entries of healthy synthetic runs 1 went beyond."""

ARMED_VALUES = (QUICK.recent + QUICK.before) * WIDTH
"""Values before the first shift is known."""

VALUE_WINSOR = 3.0
"""The most sigma that a value counts from its row's median."""

ZERO_ROWS, ZERO_SHARE = 32, 0.2
"""Rows (256 values) of which such a share may be zero."""


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
        self.inflation = 1.0
        self._means: deque[float] = deque(maxlen=STRONG.recent + STRONG.before)
        self._quick, self._strong = Contrast(QUICK), Contrast(STRONG)

    def extend(self, octets: Octets, sigmas: Floats) -> Shifts:
        """The shifts at the fresh rows, whose sigmas (fresh,) are given, from these rows and those before."""
        memories = self._averaging.extend(octets)
        if octets.fresh == 1 and memories[0] == 0 and sigmas[0] > 0:
            return self._push(octets, float(sigmas[0]))
        inflations = (1 + memories) / (1 - memories)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            sigmas = sigmas * np.sqrt(inflations)
            fresh = row_means(octets, memories, sigmas)
            means = np.concatenate((self._means, fresh))
            self._means.extend(fresh.tolist())
            quick, strong = self._quick.extend(means, sigmas), self._strong.extend(means, sigmas)
        quick.scores[memories > 0] = np.nan  # where one bad value takes long to die away
        is_strong = strong.scores > np.fmax(quick.scores, -np.inf)
        scores = np.where(is_strong, strong.scores, quick.scores)
        scores[mostly_zero(octets.values)[-octets.fresh :]] = np.nan
        inflations = np.maximum(inflations, strong.inflations)
        self.inflation = float(inflations[-1])
        return Shifts(
            scores,
            np.where(is_strong, strong.differences, quick.differences),
            np.where(is_strong, strong.bounds, quick.bounds),
            np.where(is_strong, strong.levels, quick.levels),
            inflations,
        )

    def _push(self, octets: Octets, sigma: float) -> Shifts:
        """The same for one row of a logger that does not average: live entries complete rows singly."""
        middle, far = float(octets.medians[-1]), VALUE_WINSOR * sigma
        low, high = middle - far, middle + far
        drawn = [min(max(value, low), high) for value in octets.values[-1].tolist()]
        self._means.append(add_up(drawn) / WIDTH)
        means = list(self._means)
        quick, strong = self._quick.push(means, sigma), self._strong.push(means, sigma)
        is_strong = strong.score > (quick.score if quick.score == quick.score else -np.inf)
        told = strong if is_strong else quick
        score = np.nan if mostly_zero(octets.values)[-1] else told.score
        self.inflation = max(strong.inflation, 1.0)
        found = np.array([[score], [told.difference], [told.bound], [told.level], [self.inflation]])
        return Shifts(*found)


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
    half = (median(values[-QUICK.recent * WIDTH :]) - level) / 2
    above = np.cumsum(np.clip(values - level - half, -abs(half), abs(half))[::-1])[::-1]
    return low * WIDTH + int(np.argmax(above))


def row_means(octets: Octets, memories: Floats, sigmas: Floats) -> Floats:
    """The means (fresh,) of the fresh rows, with what lies beyond 3 sigma from a row's median drawn in to there.

    One step towards Huber's estimate (1964): nearly as efficient as the mean, and no lone value moves it far.
    """
    rows, middles = octets.values[-octets.fresh :], octets.medians[-octets.fresh :]
    if memories.any():
        rows = undo(octets, memories)
        middles = medians(rows)
    known = np.where(sigmas > 0, sigmas, 0.0)  # while no sigma is known the medians must do
    return draw_in(rows, middles, known)


def draw_in(rows: Floats, middles: Floats, sigmas: Floats) -> Floats:
    """The means (r,) of rows (r, 8) whose values count no more than 3 of their sigmas (r,) from their middles (r,)."""
    far = VALUE_WINSOR * sigmas
    drawn = np.minimum(np.maximum(rows, (middles - far)[:, None]), (middles + far)[:, None])
    means: Floats = add_up(drawn.T) / WIDTH
    return means
