"""A robust slope with an interval: the median of the slopes of all pairs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tui.decode.batch import Floats
from tui.ordered import median

Z = 2.33
"""Normal quantile of the intervals: 98 % two-sided."""


class Slope(Struct, frozen=True):
    """Change of y per unit of x, and its interval at `Z`."""

    value: float
    low: float
    high: float


def fit_slope(x: Floats, y: Floats) -> Slope:
    """Theil–Sen slope of y over x (n,) with Kendall's interval; NaN throughout for fewer than 3 finite points.

    Theil (1950) and Sen (1968). What differs: the variance of Kendall's S is multiplied by (1 + r) / (1 - r)
    where the residuals' lag-1 correlation r is more than chance would have it, in the manner of Yue & Wang
    (2004).
    """
    known = np.isfinite(x) & np.isfinite(y)
    x, y, n = x[known], y[known], int(np.count_nonzero(known))
    if n < 3:
        return Slope(np.nan, np.nan, np.nan)
    first, second = _pairs(n)
    runs = x[second] - x[first]
    apart = runs != 0
    slopes = np.sort((y[second] - y[first])[apart] / runs[apart])
    count = len(slopes)
    if not count:
        return Slope(np.nan, np.nan, np.nan)
    value = float(slopes[(count - 1) // 2] + slopes[count // 2]) / 2
    variance = n * (n - 1) * (2 * n + 5) / 18 * _serial_inflation(y - value * x)
    half = Z * float(np.sqrt(variance)) / 2
    low, high = int(np.floor(count / 2 - half)), int(np.ceil(count / 2 + half))
    return Slope(value, float(slopes[max(low, 0)]), float(slopes[min(high, count - 1)]))


@lru_cache(maxsize=160)
def _pairs(n: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    return np.triu_indices(n, 1)


def _serial_inflation(residuals: Floats) -> float:
    """(1 + r) / (1 - r) of the residuals' lag-1 correlation, bias-corrected by 1 / n; 1 where r is within chance."""
    n = len(residuals)
    centred = residuals - median(residuals)
    power = float(centred @ centred)
    if power == 0:
        return 1.0
    r = float(centred[1:] @ centred[:-1]) / power + 1 / n
    if r <= 1 / np.sqrt(n):
        return 1.0
    r = min(r, 0.9)
    return (1 + r) / (1 - r)
