"""A loss that rises after its gradient norm: the two together need less proof than either alone."""

from __future__ import annotations

from math import sqrt

import numpy as np
from msgspec import Struct

from tui.health.contrast import add_up
from tui.health.excursion import Baseline
from tui.health.octets import HISTORY, WIDTH
from tui.health.rises import Rise
from tui.health.shift import STRONG, draw_in
from tui.health.sight import Sight
from tui.health.track import Track

UNITS = 3.5
"""Standard errors by which the loss must be higher. Of 200 synthetic runs in which the norm alone rises, 0 were."""

LATEST_ROW = HISTORY
"""Rows (512 values) after the norm's onset, up to which a rise of the loss belongs to that of the norm."""

# of the difference between the two means, in white noise of unit scale
_ERROR = sqrt((1 / STRONG.recent + 1 / STRONG.before) / WIDTH)


class Held(Struct, frozen=True, eq=False):
    """What a rise of the norm is set against: the loss as it was before, and the row (by number) in which it began."""

    rise: Rise
    row: int
    baseline: Baseline
    onset_step: float


class Joint(Struct, frozen=True):
    """A loss that has risen with its norm: for how many values, by how much, and how much is no chance, in sigma."""

    held: Held
    age: int
    recent: float
    difference: float
    bound: float


class Accord:
    """Compares the mean of the latest 64 losses with that of the 192 before the norm began to rise.

    A divergence raises both, and the norm shows it first. A rule that looks for a rise at any time must ask for much,
    for it is tried at every row of the run; with the onset known it is tried a few times only, and the level before
    is not carried along by a slow ramp (the likelihood-ratio test of a known change point, Siegmund 1985). It is for
    such ramps: what is sudden is seen before there are 64 values.
    """

    def __init__(self, track: Track) -> None:
        self._track = track
        self.clear()

    def clear(self) -> None:
        """Forget what the loss was before."""
        self._held: Held | None = None
        self._last: Rise | None = None

    def look(self, row: Sight) -> Joint | None:
        """What is seen at a row: the loss that has risen with its norm, once for each rise of that."""
        octets = self._track.octets
        rise = self._track.rises.at(int(octets.entries[row.at, -1]))
        if rise is None or row.score != row.score:  # where no shift can be told, none of this kind can
            return None
        if rise is not self._last:
            self._last, self._held = rise, self._hold(rise, row)
        held = self._held
        rows = octets.first + row.at - held.row if held else 0
        if held is None or not STRONG.recent <= rows <= LATEST_ROW:
            return None
        joint = self._compare(held, row.at, rows * WIDTH)
        if joint is not None:
            self._held = None
        return joint

    def _hold(self, rise: Rise, row: Sight) -> Held | None:
        """The loss before the norm's onset; None where too little of it is kept."""
        octets = self._track.octets
        at = int(np.searchsorted(octets.entries[: row.at + 1, -1], rise.onset_entry))
        if octets.first + at < STRONG.before or row.at - at > HISTORY - STRONG.before:
            return None
        level = self._mean(at - STRONG.before, at, row.before.sigma)
        step = float(octets.steps[at][np.searchsorted(octets.entries[at], rise.onset_entry)])
        return Held(rise, octets.first + at, Baseline(level, row.before.sigma, row.before.kappa), step)

    def _compare(self, held: Held, at: int, age: int) -> Joint | None:
        before = held.baseline
        recent = self._mean(at + 1 - STRONG.recent, at + 1, before.sigma)
        difference, bound = (recent - before.level) / before.sigma, UNITS * _ERROR * sqrt(before.kappa)
        is_large = recent - before.level >= self._track.gate(before.level)
        return Joint(held, age, recent, difference, bound) if difference > bound and is_large else None

    def _mean(self, start: int, stop: int, sigma: float) -> float:
        octets = self._track.octets
        means = draw_in(octets.values[start:stop], octets.medians[start:stop], np.full(stop - start, sigma))
        return float(add_up(means.tolist())) / (stop - start)
