"""A long series as few points, of which none hides a spike: the least and the greatest of every column."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from widgets.scale import Axis, Columns, Floats


class Envelope(Struct, frozen=True, eq=False):
    """What a series is in each column of a canvas; only columns with a finite value are here.

    `columns` (m,) rises from 0; `low`, `high` and `mean` (m,) are over the finite values of the column. `holes`
    (k,) are the columns with a value that is not finite.
    """

    columns: Columns
    low: Floats
    high: Floats
    mean: Floats
    holes: Columns

    def gaps(self) -> list[int]:
        """The indices of columns before which a whole column has nothing finite, so that a line is broken there."""
        if len(self.holes) == 0 or len(self.columns) < 2:
            return []
        empty = np.setdiff1d(self.holes, self.columns)
        after = np.searchsorted(self.columns, empty)
        return sorted({int(index) for index in after if 0 < index < len(self.columns)})


def envelope(
    place: Columns, low: Floats, high: Floats, mean: Floats | None = None, holes: Columns | None = None
) -> Envelope:
    """The extremes and the mean over each column.

    Args:
        place: The column (n,) of each bucket of the series, in the order of the log; they need not rise.
        low: Its least value (n,).
        high: Its greatest value (n,); for single values the same array again.
        mean: Its mean (n,), where it has more than one value.
        holes: The columns (k,) of values that are not finite; those of `low` are holes anyway.
    """
    is_finite = np.isfinite(low) & np.isfinite(high)
    lost = place[~is_finite]
    lost = lost if holes is None else np.concatenate((lost, holes))
    lost = np.unique(lost) if len(lost) else lost
    if not is_finite.all():
        place, low, high = place[is_finite], low[is_finite], high[is_finite]
        mean = None if mean is None else mean[is_finite]
    if len(low) == 0:
        return Envelope(place, low, low, low, lost)
    if np.any(place[1:] < place[:-1]):
        order = np.argsort(place, kind="stable")
        place, low, high = place[order], low[order], high[order]
        mean = None if mean is None else mean[order]
    edges = np.concatenate(([0], np.flatnonzero(place[1:] != place[:-1]) + 1, [len(low)]))
    starts, counts = edges[:-1], np.diff(edges)
    least, most = np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
    means = _means(low if mean is None else mean, least, most, starts, counts)
    return Envelope(place[starts], least, most, means, lost)


def envelope_of(x: Floats, y: Floats, axis: Axis, columns: int) -> Envelope:
    """The same of single values `y` (n,) at `x` (n,)."""
    return envelope(axis.cells(x, columns), y, y)


def _means(values: Floats, low: Floats, high: Floats, starts: Columns, counts: Columns) -> Floats:
    with np.errstate(over="ignore"):  # a sum may overflow where no value does; the clip takes care of it
        mean = low + np.add.reduceat(values - np.repeat(low, counts), starts) / counts
    return np.asarray(np.clip(mean, low, high))
