"""How fast a run goes by its log's own clock, and how much its pace varies."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from tui.ordered import quantile
from tui.roles import ELAPSED_NAMES, FIRST_STAMP_S, STAMP_NAMES
from tui.store.stream import Stream

RATE_ENTRIES = 50
"""Over how many of the last entries a rate is measured at least."""

RATE_S = 600.0
"""Over how many of the last seconds it is, where that is more."""

MOST_ENTRIES = 4096
"""Over how many entries it is at most."""

BLOCKS, FEWEST = 8, 24
"""Into how many blocks of equal time that window is cut to see how the pace varies; and from how many entries on."""

QUANTILES = (0.1, 0.9)


class Rate(Struct, frozen=True):
    """Steps per second over the last minutes; `low` and `high` are its 10 % and 90 % quantiles over eight parts of it.

    `low` and `high` are None where there are too few entries, or where the run stood still in one of the parts.
    """

    value: float
    low: float | None = None
    high: float | None = None


def measure_rate(stream: Stream) -> Rate | None:
    """The rate by the log's own times; None where it has none, or does not move."""
    found = entry_times(stream, MOST_ENTRIES) or entry_times(stream, RATE_ENTRIES)
    if found is None:
        return None
    steps, times = found
    count = max(RATE_ENTRIES, int((times >= times[-1] - RATE_S).sum()))
    steps, times = steps[-count:], times[-count:]
    if not (times[-1] > times[0] and steps[-1] > steps[0]):
        return None
    value = float((steps[-1] - steps[0]) / (times[-1] - times[0]))
    if len(steps) < FEWEST:
        return Rate(value)
    edges = np.linspace(times[0], times[-1], BLOCKS + 1)
    parts = np.diff(np.interp(edges, times, steps)) / np.diff(edges)
    low, high = (quantile(parts, share) for share in QUANTILES)
    return Rate(value, min(low, value), max(high, value)) if low > 0 else Rate(value)


def entry_times(stream: Stream, entries: int) -> tuple[Floats, Floats] | None:
    """The steps and the times, in seconds, of the last `entries` entries that have a time; None where none has.

    The times are the log's own, from whichever of its fields is a clock: one that never goes back.
    """
    for name in (*ELAPSED_NAMES, *STAMP_NAMES):
        if name not in stream.series:
            continue
        steps, times = stream.last_points(name, entries)
        is_clock = len(times) > 1 and bool(np.isfinite(times).all() and (np.diff(times) >= 0).all())
        if (
            is_clock
            and times[-1] > times[0]
            and (name in ELAPSED_NAMES or name == "time" or times[0] > FIRST_STAMP_S)
        ):
            return steps, times
    return None


def last_stamp(stream: Stream) -> float | None:
    """When the last entry was written, in UTC epoch seconds, by the log's own word; None where it says no time."""
    for name in STAMP_NAMES:
        if name in stream.series:
            _, times = stream.last_points(name, 1)
            if len(times) and np.isfinite(times[-1]) and times[-1] > FIRST_STAMP_S:
                return float(times[-1])
    return None
