"""How long a log may be silent before that is a stall, by its own cadence."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from tui.ordered import median

FLOOR_S = 300.0
"""No silence below this is a stall: only a floor helps against the first evaluation or checkpoint, in seconds."""

CRITICAL_S, CRITICAL_FACTOR = 1800.0, 3.0
"""A stall is critical from so many seconds on, and from so many times the limit."""

LONGEST_FACTOR, MEDIAN_FACTOR = 5.0, 30.0
"""Times the longest gap seen, and times the usual one. Resiliency tools use 5 on observed maxima too."""

DECAY = 0.9995
"""What the memory of a long gap fades by at each entry."""

MEMORY_GAPS = 4000
"""Gaps that are worth keeping: one before them counts for less than a seventh of what it was."""

MEDIAN_GAPS = 200

BUFFER_BYTES = 8192
"""What Python holds back of a standard output that is no terminal; C does with half of it."""

ENOUGH_GAPS = 10
"""So many gaps between entries make a cadence; with fewer, a long silence tells nothing."""


class Cadence(Struct, frozen=True):
    """How a log is written: the usual time between entries and the longest silence that is none, in seconds.

    `is_known` is false with fewer than 10 gaps; the limit is then the floor.
    """

    expected_s: float | None
    limit_s: float
    is_known: bool

    @property
    def critical_s(self) -> float:
        """The silence that is critical."""
        return max(CRITICAL_FACTOR * self.limit_s, CRITICAL_S)


UNMEASURED = Cadence(None, FLOOR_S, is_known=False)
"""What is true of every log: a silence within the floor tells nothing, so nothing needs to be measured for it."""


def block_time_s(logged_s: Floats, line_bytes: float) -> float:
    """How long a writer with a buffer takes to fill it, in seconds: until then the log is silent.

    Args:
        logged_s: Seconds between entries by the log's own time (n,); none gives 0.
        line_bytes: The usual length of a line.
    """
    if not len(logged_s) or not line_bytes > 0:
        return 0.0
    return BUFFER_BYTES / line_bytes * median(logged_s[-MEDIAN_GAPS:])


def measure_cadence(
    arrived_s: Floats, logged_s: Floats, pause_s: float = 0.0, block_s: float = 0.0
) -> Cadence:
    """The cadence by both clocks there are; the larger limit holds, for each knows pauses the other does not.

    Args:
        arrived_s: Seconds between the arrivals of entries (n,), oldest first. They show how the log is buffered.
        logged_s: Seconds between entries by the log's own time (m,), oldest first: older, and free of the way.
        pause_s: A silence that is known to be usual, such as an evaluation's.
        block_s: How long the writer takes to fill its buffer, where it seems to have one; counts as a gap seen.
    """
    arrived_s, logged_s = arrived_s[arrived_s > 0], logged_s[logged_s > 0]
    shown = arrived_s if len(arrived_s) >= ENOUGH_GAPS or not len(logged_s) else logged_s
    return Cadence(
        expected_s=median(shown[-MEDIAN_GAPS:]) if len(shown) else None,
        limit_s=max(stall_limit_s(arrived_s), stall_limit_s(logged_s), pause_s, LONGEST_FACTOR * block_s),
        is_known=max(len(arrived_s), len(logged_s)) >= ENOUGH_GAPS,
    )


def stall_limit_s(gaps_s: Floats) -> float:
    """The silence, in seconds, beyond which a run has stalled: max(300 s, 5 × longest gap, 30 × median gap).

    The longest gap counts less with every entry since; the median is over the last 200 gaps.

    Args:
        gaps_s: Seconds between successive entries (n,), oldest first; none at all gives the floor. Gaps that
            are not finite or below zero (a clock set back) are left out.
    """
    gaps = gaps_s[np.isfinite(gaps_s) & (gaps_s >= 0)]
    if not len(gaps):
        return FLOOR_S
    longest = float(np.max(gaps * DECAY ** np.arange(len(gaps) - 1, -1, -1)))
    usual = median(gaps[-MEDIAN_GAPS:])
    return max(FLOOR_S, LONGEST_FACTOR * longest, MEDIAN_FACTOR * usual)
