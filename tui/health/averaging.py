"""How far a logger averages its values, and the values as they would be had it not."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Floats
from tui.health.octets import WIDTH, Octets
from tui.health.scale import WINDOW, spread
from tui.ordered import medians

EARLY, REFRESH = 16, 64
"""Rows between two looks, in the first 64 and then: 128 and 512 values, for no logger changes its ways."""

LOOKS = 16
"""Looks (8,192 values) over which the memory is averaged; a plain mean before there are as many."""

LAG = 8
"""Distance in values of the differences that are compared with those of neighbours: a trend's bend is not yet seen."""

LEAST, MOST = 0.3, 0.95
"""Below the first memory nobody has averaged: no raw loss had more. Beyond the other too little is left to go by."""

WINSOR = 4.0
"""The most sigma, of the values, that a difference counts from the middle one."""

_ROUNDS = 10  # of the fixed-point iteration, which then stands within a hundredth


class Averaging:
    """Follows the memory r of a metric's noise: that of an average which takes in 1 - r of each new value.

    It comes from the mean square of lag-1 over that of lag-8 differences of the last 256 values, which is
    (1 - r) / (1 - r^8) for AR(1) noise. What lies far out counts less (Huber 1964); a quantile would need three times
    as many values where the noise has two humps, as that of a log over several data sets has.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget it."""
        self._looks = 0
        self._ratio = 1.0
        self._memory = 0.0

    @property
    def memory(self) -> float:
        """The memory after the last look; 0 where the values are not averaged."""
        return min(self._memory, MOST) if self._memory >= LEAST else 0.0

    def extend(self, octets: Octets) -> Floats:
        """The memory that holds at each fresh row, from the rows before it: (fresh,)."""
        start, first = octets.count - octets.fresh, octets.first
        memories = np.full(octets.fresh, self.memory)
        every = range(-(-max(start, 1) // EARLY) * EARLY, octets.count, EARLY)
        looks = [row for row in every if row < REFRESH or row % REFRESH == 0]
        for row, ratio in zip(looks, _ratios(octets.values, [row - first for row in looks]), strict=True):
            if ratio == ratio:
                self._take(ratio)
                memories[row - start :] = self.memory
        return memories

    def _take(self, ratio: float) -> None:
        self._looks += 1
        self._ratio += (ratio - self._ratio) / min(self._looks, LOOKS)
        memory = 0.0
        for _ in range(_ROUNDS):
            memory = min(max(1 - self._ratio * (1 - memory**LAG), 0.0), 1.0)
        self._memory = memory


def _ratios(rows: Floats, stops: list[int]) -> list[float]:
    """The ratio of mean squares before each of these rows (r, 8); NaN where the values don't move."""
    flat = rows.ravel()
    windows = [flat[max(stop * WIDTH - WINDOW, 0) : stop * WIDTH] for stop in stops]
    if len(windows) > 1 and len(windows[0]) == WINDOW:
        return list(map(float, _compare(np.array(windows))))
    return [float(_compare(window[None, :])[0]) for window in windows]


def _compare(windows: Floats) -> Floats:
    """The ratios in windows (k, n) of values: (k,)."""
    near, far = windows[:, 1:] - windows[:, :-1], windows[:, LAG:] - windows[:, :-LAG]
    bounds = WINSOR * spread(far)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = _mean_squares(near, bounds) / _mean_squares(far, bounds)
    return np.where(bounds > 0, ratios, np.nan)


def _mean_squares(differences: Floats, bounds: Floats) -> Floats:
    """The mean squares of differences (k, n) from their medians, drawn in to bounds (k,): (k,)."""
    far = bounds[:, None]
    drawn = np.minimum(np.maximum(differences - medians(differences)[:, None], -far), far)
    squares: Floats = np.mean(drawn * drawn, axis=1)
    return squares


def undo(octets: Octets, memories: Floats) -> Floats:
    """The fresh rows (fresh, 8) as they were before a running average with these memories (fresh,) took them in.

    With x' = r x + (1 - r) v, v is (x' - r x) / (1 - r). The noise of v is white, as that of a logger which
    does not average; a step of v is a ramp in x.
    """
    rows = octets.values[-octets.fresh :]
    flat = octets.values.ravel()[-octets.fresh * WIDTH - 1 :]
    before = flat[:-1] if len(flat) > rows.size else np.concatenate((flat[:1], flat[:-1]))
    r = memories[:, None]
    undone: Floats = (rows - r * before.reshape(-1, WIDTH)) / (1 - r)
    return undone
