"""Single entries of a series: the nearest to a place, the greatest, the one of a number; without counting through."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.store.axes import Positions
from tui.store.standing import Standing
from tui.store.trace import coarsest, finer, measure


class Entry(Struct, frozen=True):
    """One logged value: which of the standing points it is, and where on the axis."""

    point: int
    x: float
    value: float


def entry_at(points: Standing, x_of: Positions, point: int) -> Entry:
    """One entry by its number; beyond the ends it is the first or the last."""
    place = np.array([min(max(point, 0), len(points) - 1)])
    return Entry(int(place[0]), float(x_of(points.rows_at(place))[0]), float(points.values_at(place)[0]))


def extreme_entry(points: Standing, x_of: Positions, *, is_greatest: bool) -> Entry | None:
    """The entry with the least or the greatest finite value, the first of equals; None where none is finite."""
    count = len(points)
    size = coarsest(count)
    starts = np.arange(0, count, size, dtype=np.int64)
    sizes = np.minimum(size, count - starts)
    low, high, _ = measure(points, starts, sizes)
    sign = -1.0 if is_greatest else 1.0
    bounds = sign * (high if is_greatest else low)
    if not np.isfinite(bounds).any():
        return None
    start = int(starts[int(np.nanargmin(bounds))])
    values = points.values(start, start + size)
    return entry_at(
        points, x_of, start + int(np.argmin(np.where(np.isfinite(values), sign * values, np.inf)))
    )


def nearest_entry(points: Standing, x_of: Positions, x: float) -> Entry | None:
    """The entry nearest to x, the earlier of two as near; None where the series has none."""
    if not len(points):
        return None
    size = coarsest(len(points))
    low, high = 0, len(points)
    while True:
        places = np.append(np.arange(low, high, size, dtype=np.int64), high - 1)
        away = np.abs(x_of(points.rows_at(places)) - x)
        if np.isnan(away).all():
            return None
        best = int(places[int(np.nanargmin(away))])
        if size == 1:
            return entry_at(points, x_of, best)
        low, high = max(low, best - size), min(high, best + size + 1)
        size = finer(size)
