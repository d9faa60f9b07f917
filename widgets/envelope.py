"""A long series as few points, of which none hides a spike: the least and the greatest of every column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Columns = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """What a series is in each column of a canvas; only columns with a finite value are here.

    `columns` (m,) rises from 0; `low`, `high` and `mean` (m,) are over the finite values of the column, and
    `is_rising` (m,) says that its lowest stands before its highest. `holes` (k,) are the columns with a value
    that is not finite.
    """

    columns: Columns
    low: Floats
    high: Floats
    mean: Floats
    is_rising: npt.NDArray[np.bool_]
    holes: Columns

    def path(self) -> tuple[Columns, Floats]:
        """The columns (2m,) and heights (2m,) of a line through every extreme, in the order of the log."""
        first = np.where(self.is_rising, self.low, self.high)
        second = np.where(self.is_rising, self.high, self.low)
        return np.repeat(self.columns, 2), np.column_stack((first, second)).ravel()


def column_of(x: Floats, limits: tuple[float, float], columns: int) -> Columns:
    """The column (0 to `columns` - 1) of each x; those beyond the limits are in the outermost."""
    low, high = limits
    span = high - low
    if not span > 0:
        return np.zeros(len(x), np.int64)
    place = np.floor((x - low) / span * columns)
    return np.asarray(np.clip(np.nan_to_num(place), 0, columns - 1), np.int64)


def envelope(x: Floats, y: Floats, limits: tuple[float, float], columns: int) -> Envelope:
    """The extremes and the mean of `y` (n,) over each of the columns between the limits of `x` (n,).

    `x` need not rise. No finite y gives an envelope of no columns. O(n).
    """
    place = column_of(x, limits, columns)
    is_finite = np.isfinite(y)
    holes = np.unique(place[~is_finite])
    place, y = place[is_finite], y[is_finite]
    if len(y) == 0:
        return Envelope(place, y, y, y, np.zeros(0, np.bool_), holes)
    if np.any(place[1:] < place[:-1]):
        order = np.argsort(place, kind="stable")
        place, y = place[order], y[order]
    starts = np.flatnonzero(np.r_[True, place[1:] != place[:-1]])
    counts = np.diff(np.r_[starts, len(y)])
    low, high = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    with np.errstate(
        over="ignore"
    ):  # a sum may overflow where no value does; the clip below takes care of it
        mean = low + np.add.reduceat(y - np.repeat(low, counts), starts) / counts
    rising = _first_at(y, low, starts, counts) <= _first_at(y, high, starts, counts)
    return Envelope(place[starts], low, high, np.clip(mean, low, high), rising, holes)


def _first_at(y: Floats, extreme: Floats, starts: Columns, counts: Columns) -> Columns:
    """The index (m,) of the first entry of each column that equals its extreme."""
    here = np.flatnonzero(y == np.repeat(extreme, counts))
    return here[np.searchsorted(here, starts)]
