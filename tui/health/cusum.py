"""A robust one-sided CUSUM over rows of eight: the sum, its freezing while a change is suspected, its onset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Floats
from tui.health.octets import HISTORY, WIDTH, Octets

ALLOWANCE = 0.75
"""Sigma a value may lie above the level before it counts: half of the smallest shift that is looked for."""

WINSOR = 4.0
"""The most sigma that one value can count, so that it takes five bad ones in a row to raise anything."""

THRESHOLD = 16.0
"""Where the sum raises a notice, times the inflation: no false one in 115,708 entries of healthy real logs."""

SUSPICION = 0.4 * THRESHOLD
"""From here on level and sigma are frozen, so that they don't learn the change."""

FROZEN_ROWS = 24
"""Rows (192 values) that they stay frozen for at most without a notice."""


ZERO_ROWS, ZERO_SHARE = 32, 0.2
"""Rows (256 values) of which such a share may be zero."""


def row_gains(values: Floats, levels: Floats, sigmas: Floats) -> Floats:
    """What rows (r, 8) add to the sum at their levels and sigmas (r,); minus infinity where these are unknown."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        z = (values - levels[:, None]) / sigmas[:, None]
    gains: Floats = (np.minimum(np.maximum(z, -WINSOR), WINSOR) - ALLOWANCE).sum(axis=1)
    gains[~((sigmas > 0) & (gains == gains))] = -np.inf
    return gains


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


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a change is measured against: level and sigma in y, and the noise's variance inflation."""

    level: float
    sigma: float
    kappa: float


class Cusum:
    """The sum of one metric (Page 1954), winsorised (Lucas & Crosier 1982): S = max(0, S + a row's gain).

    What differs from the textbook: it advances by rows, level and sigma are robust and taken from the run
    itself, they are frozen from a suspicion on, and the threshold grows with the variance inflation, which
    keeps false alarms rare under autocorrelation (their distance goes with exp(2 k h) of independent values,
    Siegmund 1985).

    Attributes:
        total: The sum S after the last row.
        frozen: The baseline of the suspicion, None without one.
    """

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, next_row: int) -> None:
        """Start from zero at a row, numbered from the baseline's start."""
        self.total = 0.0
        self.frozen: Baseline | None = None
        self._frozen_rows = 0
        self._rise = next_row

    def cruise(self, gains: Sequence[float], first_row: int) -> int:
        """Add rows numbered from `first_row` as long as nothing is suspect; returns how many were added."""
        total, rise = self.total, self._rise
        taken = 0
        for gain in gains:
            ahead = total + gain
            if ahead > SUSPICION:
                break
            taken += 1
            if ahead > 0:
                total = ahead
            else:
                total, rise = 0.0, first_row + taken
        self.total, self._rise = total, rise
        return taken

    def add(self, gain: float, row: int) -> None:
        """Add one row; the suspicion ends where the sum has fallen back."""
        self.total = max(0.0, self.total + gain)
        if self.total == 0:
            self._rise = row + 1
        self._frozen_rows += 1
        if self.total <= SUSPICION:
            self.frozen = None

    def suspect(self, live: Baseline) -> Baseline:
        """The baseline for a row under suspicion: frozen for 192 values, then the live one's level again."""
        if self.frozen is None:
            self.frozen, self._frozen_rows = live, 0
        elif self._frozen_rows >= FROZEN_ROWS:
            self.frozen = Baseline(live.level, self.frozen.sigma, self.frozen.kappa)
        return self.frozen

    def locate_onset(self, octets: Octets, row: int, baseline: Baseline) -> int:
        """Where the change began: a position among the kept values, after which the unbounded sum only rose.

        This is Page's own estimate, the last point at which the sum was at its lowest, by single values.
        `row` is the position in the octets of the row just added.
        """
        low = max(self._rise - octets.first - 1, row - HISTORY, 0)
        z = (octets.values[low : row + 1].ravel() - baseline.level) / baseline.sigma
        path = np.cumsum(np.clip(z, -WINSOR, WINSOR) - ALLOWANCE)
        return low * WIDTH + int(np.argmin(np.concatenate(([0.0], path[:-1]))))
