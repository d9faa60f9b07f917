"""A series as a picture needs it: in a few thousand buckets of which none hides a spike, at a cost that is bounded."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tui.decode.batch import Floats, Indices
from tui.store.axes import Positions
from tui.store.pyramid import FACTOR, FIRST_BUCKET, summarize
from tui.store.standing import Standing

PARTS = 1024
"""Buckets that a window is cut into at least, where it has as many entries: three to a column of a wide screen."""

GLANCE = 128
"""Parts of a whole series at least, where it has one row of the screen: three to a column of the longest."""

MOST = 16 * PARTS
"""Buckets at most; only positions that leap to and fro would need more."""

MOST_LOST = 2 * PARTS
"""Positions of non-finite values at most; what is beyond is thinned out."""

MOST_LEADS = 16
"""Stretches, each with what leads up to it, at most: a window over a time that restarts has some of them."""

Window = tuple[float, float]


class Trace(Struct, frozen=True, eq=False):
    """Buckets in the order of the log, each of which may be a single entry.

    `x` (m,) is where each begins; `low`, `high` and `mean` (m,) are over its finite values, NaN where there is
    none; `entries` (m,) says how many entries it has. `is_lead` (m,) marks what lies before the window and is
    there for a smoothed curve to begin right. `lost` (k,) are the x of values that are not finite.
    """

    x: Floats
    low: Floats
    high: Floats
    mean: Floats
    entries: Indices
    is_lead: npt.NDArray[np.bool_]
    lost: Floats


def make_trace(
    points: Standing, x_of: Positions, window: Window | None = None, *, is_log: bool = False, lead: int = 0
) -> Trace:
    """Cut a series into buckets.

    A bucket is split until it is narrower than a part of the window, or a single entry; so a long tail costs
    no more than a short one, and the first decade of a logarithmic axis is as fine as the last.

    Args:
        points: The series.
        x_of: Where its rows are.
        window: The range of x to show; None for all.
        is_log: Whether x is drawn on a logarithmic axis: what is not positive is left out.
        lead: How many entries before the window to give too.
    """
    reach = window or find_extent(points, x_of, is_log=is_log) or (0.0, 0.0)
    starts, sizes, is_lead = _cut(points, x_of, reach, is_log)
    if lead:
        starts, sizes, is_lead = _with_leads(starts, sizes, lead)
    low, high, mean = measure(points, starts, sizes)
    return Trace(
        x_of(points.rows_at(starts)), low, high, mean, sizes, is_lead, _lost(points, x_of, window, is_log)
    )


def find_extent(points: Standing, x_of: Positions, *, is_log: bool = False) -> Window | None:
    """The least and the greatest x, of a logarithmic axis the least that is positive; None where there is none.

    An axis that goes back between two looks, some thousand in all, may reach a little farther.
    """
    count = len(points)
    size = coarsest(count)
    starts = np.arange(0, count, size, dtype=np.int64)
    looks = np.concatenate((starts, np.minimum(starts + size, count) - 1))
    x = x_of(points.rows_at(looks))
    finite = x[np.isfinite(x) & ((x > 0) | (not is_log))]
    if not len(finite):
        return None
    low = float(finite.min())
    turns = np.flatnonzero((x[: len(starts)] <= 0) & (x[len(starts) :] > 0)) if is_log else starts[:0]
    for turn in turns[:1]:
        within = x_of(points.rows_at(np.arange(starts[turn], min(starts[turn] + size, count))))
        low = min(low, float(within[within > 0].min()))
    return low, float(finite.max())


def overview(points: Standing) -> Floats:
    """The whole series as some hundred means, in the order of the log; NaN where nothing is finite."""
    count = len(points)
    size = coarsest(count, GLANCE)
    starts = np.arange(0, count, size, dtype=np.int64)
    return measure(points, starts, np.minimum(size, count - starts))[2]


def coarsest(count: int, parts: int = PARTS) -> int:
    """The size of the largest buckets that there are at least so many of."""
    size = FIRST_BUCKET
    while count // (size * FACTOR) >= parts:
        size *= FACTOR
    return size if count // size >= parts else 1


def finer(size: int) -> int:
    """The next smaller size; under the smallest buckets are the entries themselves."""
    return size // FACTOR if size > FIRST_BUCKET else 1


def _cut(
    points: Standing, x_of: Positions, window: Window, is_log: bool
) -> tuple[Indices, Indices, npt.NDArray[np.bool_]]:
    """Where the buckets begin (m,) and their sizes (m,), in order; none of them leads."""
    count = len(points)
    size = coarsest(count)
    starts = np.arange(0, count, size, dtype=np.int64)
    edges = _place(np.array(window), is_log)
    done: list[tuple[Indices, int]] = []
    taken = 0
    while len(starts):
        first, last = _ends(points, x_of, starts, size, is_log)
        reach_low, reach_high = np.fmin(first, last), np.fmax(first, last)
        is_seen = (reach_high >= edges[0]) & (reach_low <= edges[1])
        with np.errstate(invalid="ignore"):  # what has no place on a logarithmic axis is nowhere, not wide
            is_wide = is_seen & (reach_high - reach_low > (edges[1] - edges[0]) / PARTS)
        if size == 1 or taken + int(is_wide.sum()) * FACTOR > MOST:
            is_wide[:] = False
        kept = starts[is_seen & ~is_wide]
        done.append((kept, size))
        taken += len(kept)
        if not is_wide.any():
            break
        smaller = finer(size)
        starts = (starts[is_wide][:, None] + np.arange(0, size, smaller)).ravel()
        starts, size = starts[starts < count], smaller
    return _ordered(done, count)


def _ordered(done: list[tuple[Indices, int]], count: int) -> tuple[Indices, Indices, npt.NDArray[np.bool_]]:
    starts = np.concatenate([np.zeros(0, np.int64), *(kept for kept, _ in done)])
    sizes = np.concatenate([np.zeros(0, np.int64), *(np.full(len(kept), size) for kept, size in done)])
    if len(done) > 1:
        order = np.argsort(starts, kind="stable")
        starts, sizes = starts[order], sizes[order]
    return starts, np.minimum(sizes, count - starts), np.zeros(len(starts), np.bool_)


def _ends(
    points: Standing, x_of: Positions, starts: Indices, size: int, is_log: bool
) -> tuple[Floats, Floats]:
    """Where buckets begin and end on the axis; the end of one is the beginning of its neighbour."""
    first = _place(x_of(points.rows_at(starts)), is_log)
    if size == 1:
        return first, first
    stops = np.minimum(starts + size, len(points) - 1)
    return first, _place(x_of(points.rows_at(stops)), is_log)


def _place(x: Floats, is_log: bool) -> Floats:
    """Positions on the axis: their logarithms, and minus infinity for what has none."""
    if not is_log:
        return x
    return np.log10(x, out=np.where(np.isnan(x), np.nan, -np.inf), where=x > 0)


def _with_leads(starts: Indices, sizes: Indices, lead: int) -> tuple[Indices, Indices, npt.NDArray[np.bool_]]:
    """The same, with single entries before each stretch that does not continue the one before."""
    gaps: Indices | list[int] = (
        np.concatenate(([0], np.flatnonzero(starts[1:] != starts[:-1] + sizes[:-1]) + 1))[:MOST_LEADS]
        if len(starts)
        else []
    )
    pieces: list[tuple[Indices, Indices, bool]] = []
    before = 0
    for number, gap in enumerate(gaps):
        until = int(gaps[number + 1]) if number + 1 < len(gaps) else len(starts)
        leading = np.arange(max(before, int(starts[gap]) - lead), starts[gap], dtype=np.int64)
        pieces.append((leading, np.ones(len(leading), np.int64), True))
        pieces.append((starts[gap:until], sizes[gap:until], False))
        before = int(starts[until - 1] + sizes[until - 1])
    if not pieces:
        return starts, sizes, np.zeros(0, np.bool_)
    return (
        np.concatenate([piece[0] for piece in pieces]),
        np.concatenate([piece[1] for piece in pieces]),
        np.concatenate([np.full(len(piece[0]), piece[2]) for piece in pieces]),
    )


def measure(points: Standing, starts: Indices, sizes: Indices) -> tuple[Floats, Floats, Floats]:
    """The least, the greatest and the mean of each bucket."""
    low, high, mean = (np.empty(len(starts)) for _ in range(3))
    single = sizes == 1
    values = points.values_at(starts[single])
    low[single] = high[single] = mean[single] = np.where(np.isfinite(values), values, np.nan)
    is_left = ~single
    for level in points.pyramid.levels:
        of_level = np.flatnonzero(is_left & (sizes == level.entries))
        buckets = starts[of_level] // level.entries
        low[of_level] = level.low.view[buckets]
        high[of_level] = level.high.view[buckets]
        mean[of_level] = level.mean.view[buckets]
        is_left[of_level] = False
    for place in np.flatnonzero(is_left):  # the last of a size, which is not complete yet
        start = int(starts[place])
        low[place], high[place], mean[place] = summarize(points.values(start, start + int(sizes[place])))
    return low, high, mean


def _lost(points: Standing, x_of: Positions, window: Window | None, is_log: bool) -> Floats:
    lost = points.lost.view
    if len(lost) > MOST_LOST:
        lost = lost[:: -(-len(lost) // MOST_LOST)]
    x = x_of(points.rows_at(lost))
    x = x[np.isfinite(x) & ((x > 0) | (not is_log))]
    return x if window is None else x[(x >= window[0]) & (x <= window[1])]
