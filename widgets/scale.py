"""From a number to its place on an axis, linear or logarithmic."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Floats = npt.NDArray[np.float64]
Columns = npt.NDArray[np.int64]


class Axis(Struct, frozen=True):
    """A range from `low` to `high`; a logarithmic one has only what is positive."""

    low: float
    high: float
    is_log: bool = False

    def fractions(self, values: Floats) -> Floats:
        """The place of each value (n,): 0 at the low end, 1 at the high one; NaN for what has none."""
        low, high = self.low, self.high
        if self.is_log:
            values = np.log10(values, out=np.full(len(values), np.nan), where=values > 0)
            low, high = math.log10(low), math.log10(high)
        if not high > low:
            return np.where(np.isnan(values), np.nan, 0.5)
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray((values - low) / (high - low))

    def fraction(self, value: float) -> float:
        """The place of one value."""
        return float(self.fractions(np.array([value]))[0])

    def cells(self, values: Floats, count: int) -> Columns:
        """The cell (0 to `count` - 1) of each value; what is beyond the ends is in the outermost."""
        return _bounded(np.floor(self.fractions(values) * count), count)

    def levels(self, values: Floats, count: int) -> Columns:
        """The level (0 to `count` - 1) nearest to each value, the ends of the range being the outermost."""
        return _bounded(np.rint(self.fractions(values) * (count - 1)), count)

    def value_at(self, fraction: float) -> float:
        """The value at a place; what `fraction` undoes."""
        if not self.is_log:
            return self.low + fraction * (self.high - self.low)
        low, high = math.log10(self.low), math.log10(self.high)
        return float(10.0 ** min(max(low + fraction * (high - low), -300.0), 300.0))

    def has(self, value: float) -> bool:
        """Whether the value is in the range."""
        return self.low <= value <= self.high and (value > 0 or not self.is_log)


def _bounded(places: Floats, count: int) -> Columns:
    """Whole numbers from 0 to `count` - 1; NaN is 0."""
    return np.asarray(np.fmin(np.fmax(places, 0.0), count - 1.0), np.int64)
