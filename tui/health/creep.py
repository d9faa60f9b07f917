"""Divergence without a spike: a level well above the best that the run has had."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from tui.health.octets import Octets

SIGMAS, GAIN_SHARE = 3.0, 0.10
"""A level above the best one by so many sigma, times the root of the inflation, and by so much of all gained."""


class Best(Struct, frozen=True):
    """The lowest level so far, and the entry and step at which it was reached."""

    level: float
    entry: int
    step: float


class Creep:
    """Follows the best level of a metric (its drawdown, as in the statistics of markets).

    Attributes:
        best: The best level since the baseline began or was last reset.
        initial: The y at which the run began; None while unknown. A restart leaves it.
    """

    def __init__(self, gate: float) -> None:
        self._gate = gate
        self.best: Best | None = None
        self.initial: float | None = None

    def reset(self) -> None:
        """Forget the best level: what comes next is judged on its own."""
        self.best = None

    def bound(self, best: float, sigma: float, kappa: float = 1.0) -> float:
        """How far above the best level a level may lie."""
        gain = 0.0 if self.initial is None else self.initial - best
        return max(SIGMAS * float(np.sqrt(kappa)) * sigma, GAIN_SHARE * gain, self._gate * abs(best))

    def find_breach(self, levels: Floats, sigmas: Floats) -> int:
        """The first of these rows (n,) whose level lies beyond the bound at an inflation of 1; n if none does."""
        start = np.inf if self.best is None else self.best.level
        bests = np.fmin.accumulate(np.concatenate(([start], levels)))[:-1]
        bounds = np.maximum(SIGMAS * sigmas, self._gate * np.abs(bests))
        if self.initial is not None:
            bounds = np.maximum(bounds, GAIN_SHARE * (self.initial - bests))
        is_beyond = levels - bests > bounds
        return int(is_beyond.argmax()) if is_beyond.any() else len(levels)

    def follow(self, levels: Floats, octets: Octets, row: int) -> None:
        """Take in the levels (n,) of the rows from a position in the octets on."""
        if not len(levels):
            return
        lowest = float(np.fmin.reduce(levels))
        if lowest == lowest and (self.best is None or lowest < self.best.level):
            where = row + int(np.equal(levels, lowest).argmax())
            self.best = Best(lowest, int(octets.entries[where, 0]), float(octets.steps[where, 0]))
