"""How much a metric improves over its recent window, against what its own earlier pace predicts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from msgspec import Struct

from tui.health.theilsen import Z, fit_slope

FEWEST_BLOCKS = 10
"""Blocks inside a window, to say anything about it."""

_GROUPS = ((1 / 6, 1 / 4), (1 / 3, 1 / 2), (0.8, 1.0))
"""Of the time at the window's start: the blocks between which the pace is measured, early, middle and late."""

_LEAST_LOG_TIME = 0.35  # e-folds between two groups, or there is no pace to speak of
_LEAST_DECAY = 0.4  # the pace is not taken to decay faster than to this from one pair of groups to the next


class History(Struct, frozen=True):
    """Blocks of a metric after its warm-up: times since its baseline began, y, and the running sum of y.

    Times are in steps, counted from the baseline's first: on a power law improvement goes with the logarithm
    of the time since the start. A run that was resumed is judged by its own time, which expects too little of
    it rather than too much.
    """

    times: Sequence[float]
    values: Sequence[float]
    sums: Sequence[float]

    @classmethod
    def of(cls, times: Sequence[float], values: Sequence[float]) -> History:
        """The history of blocks in order of time."""
        return cls(times, values, [0.0, *accumulate(values)])

    def mean(self, start: float, stop: float) -> tuple[float, float] | None:
        """Mean y, and middle time, of the blocks in (start, stop]; None without any."""
        low, high = bisect_right(self.times, start), bisect_right(self.times, stop)
        if high <= low:
            return None
        middle = (self.times[low] * self.times[high - 1]) ** 0.5
        return (self.sums[high] - self.sums[low]) / (high - low), middle

    def count(self, start: float) -> int:
        """How many blocks lie beyond a time."""
        return len(self.times) - bisect_right(self.times, start)


class Improvement(Struct, frozen=True):
    """What happened in a window, in y turned so that up is better, over the whole window.

    `seen` with its interval `low` to `high` is what the metric improved by, `error` its standard error;
    `expected` what its earlier pace, `per_efold` of time, predicts.
    """

    start: float
    stop: float
    blocks: int
    seen: float
    low: float
    high: float
    error: float
    expected: float
    per_efold: float

    @property
    def power(self) -> float:
        """How many standard errors the expected improvement has."""
        return self.expected / self.error if self.error > 0 else float("inf")


def measure_pace(history: History, start: float, stop: float) -> float | None:
    """Improvement per e-fold of time that is to be expected in a window; None where the history is too short.

    On a power law the improvement per e-fold itself decays. It is measured between three groups of blocks
    before the window, and its decay from the first pair to the second is carried on into the window. Without
    an early group, the pace of the second pair is taken as it is.
    """
    first = history.times[0]
    early, middle, late = (
        history.mean(max(start * low, 0.999 * first), start * high) for low, high in _GROUPS
    )
    if middle is None or late is None or middle[1] <= 0:
        return None
    recent = _pace(middle, late)
    if recent is None or early is None or early[1] <= 0:
        return recent
    before = _pace(early, middle)
    if before is None or recent <= 0:
        return recent
    if recent > before:  # a step for the better, as when the learning rate is cut, is no pace to be kept up
        return before
    decay = max(recent / before, _LEAST_DECAY)
    ahead = np.log(start * stop / (middle[1] * late[1])) / np.log(late[1] / early[1])
    return recent * float(decay**ahead)


def _pace(before: tuple[float, float], after: tuple[float, float]) -> float | None:
    log_time = float(np.log(after[1] / before[1]))
    return (before[0] - after[0]) / log_time if log_time >= _LEAST_LOG_TIME else None


def guess_improvement(history: History, start: float, stop: float) -> float | None:
    """A cheap first guess of the improvement over a window, from its first and last third."""
    third = (stop - start) / 3
    before, after = history.mean(start, start + third), history.mean(stop - third, stop)
    return None if before is None or after is None else 1.5 * (before[0] - after[0])


def measure_improvement(
    history: History, start: float, stop: float, per_efold: float, noise: float = 0.0
) -> Improvement:
    """The improvement over a window by a robust slope, and what a pace predicts for it.

    `noise` is the standard error of the mean of a block, as its own values tell it. A slope over few blocks
    can't see a memory longer than a few of them, so its error is taken to be no less than that of a
    least-squares slope over blocks with this noise.
    """
    low = bisect_right(history.times, start)
    times, values = np.array(history.times[low:]), np.array(history.values[low:])
    slope, span, n = fit_slope(times, values), stop - start, len(times)
    error = max((slope.high - slope.low) * span / (2 * Z), noise * float(np.sqrt(12 / max(n, 1))))
    seen = -slope.value * span
    return Improvement(
        start=start,
        stop=stop,
        blocks=n,
        seen=seen,
        low=min(-slope.high * span, seen - Z * error),
        high=max(-slope.low * span, seen + Z * error),
        error=error,
        expected=per_efold * float(np.log(stop / start)) if 0 < start < stop else 0.0,
        per_efold=per_efold,
    )
