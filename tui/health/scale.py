"""How noisy a metric is: a robust sigma that no trend and no level shift inflates, and the noise's memory."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Floats
from tui.health.octets import WIDTH, Octets

LAG = 24
"""Distance of the differences that sigma is taken from, in values: blind to slow trend, and past most memory."""

WINDOW = 256
"""Differences that sigma is taken over; a step contaminates `LAG` of them."""

REFRESH = 16
"""Rows between two refreshes of sigma; it is a slow property, and rows are numbered from the baseline's start."""

ARMED_ROWS = 12
"""Rows (96 values, 72 differences) before there is a sigma at all."""


_IQR_SIGMA = 1.3489795  # the interquartile range of a unit normal


def spread(differences: Floats) -> Floats:
    """The sigma of values whose differences are given: (m, n) differences in rows give (m,) sigmas.

    It is the interquartile range of the differences, over 1.349 √2. Half of the median absolute deviation's
    partner for symmetric laws (Rousseeuw & Croux 1993), and free of the differences' own median, that is, of
    the trend; differences are symmetric whatever the values are. At least 4 differences a row.
    """
    ordered = np.sort(differences, axis=1)
    n = ordered.shape[1]
    quarter = n // 4
    span: Floats = (ordered[:, n - 1 - quarter] - ordered[:, quarter]) / (_IQR_SIGMA * np.sqrt(2.0))
    return span


def recent_sigma(rows: Floats) -> float:
    """The lag-24 sigma of the last 256 differences of rows (r, 8), oldest first; 0 where there are too few."""
    flat = rows[-(WINDOW + LAG) // WIDTH :].ravel()
    return float(spread((flat[LAG:] - flat[:-LAG])[None, :])[0]) if len(flat) >= 2 * LAG else 0.0


class Scale:
    """The lag-24 sigma of a metric as of each row, refreshed on rows 12, 16, 32, 48 and so on."""

    def __init__(self) -> None:
        self._sigma = np.nan

    def clear(self) -> None:
        """Forget it."""
        self._sigma = np.nan

    def extend(self, octets: Octets) -> Floats:
        """The sigma that holds at each fresh row, from the rows before it: (fresh,), NaN before row 12."""
        start = octets.count - octets.fresh
        changes = _refreshes(start, octets.count)
        if not changes:
            return np.full(octets.fresh, self._sigma)
        known = np.array([self._sigma, *_sigmas_before(octets, changes)])
        self._sigma = float(known[-1])
        which = np.searchsorted(changes, np.arange(start, octets.count), side="right")
        return known[which]


def _refreshes(start: int, stop: int) -> list[int]:
    """The rows from `start` to `stop` (exclusive) at which sigma is taken anew."""
    first = max(-(-start // REFRESH), 1) * REFRESH
    regular = list(range(first, stop, REFRESH))
    return [ARMED_ROWS, *regular] if start <= ARMED_ROWS < stop else regular


def _sigmas_before(octets: Octets, rows: list[int]) -> list[float]:
    """The sigma from the window of differences that ends before each of the rows."""
    if not rows:
        return []
    flat = octets.values.ravel()
    differences = flat[LAG:] - flat[:-LAG]
    ends = [(row - octets.first) * WIDTH - LAG for row in rows]
    sigmas = [float(spread(differences[None, :end])[0]) for end in ends if end < WINDOW]
    full = [differences[end - WINDOW : end] for end in ends if end >= WINDOW]
    if full:
        sigmas += spread(np.array(full)).tolist()
    return sigmas
