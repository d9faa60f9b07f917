"""How long a log may be silent before that is a stall, by its own cadence."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Floats

FLOOR_S = 300.0
"""No silence below this is a stall: only a floor helps against the first evaluation or checkpoint, in seconds."""

LONGEST_FACTOR, MEDIAN_FACTOR = 5.0, 30.0
"""Times the longest gap seen, and times the usual one. Resiliency tools use 5 on observed maxima too."""

DECAY = 0.9995
"""What the memory of a long gap fades by at each entry."""

MEDIAN_GAPS = 200


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
    usual = float(np.median(gaps[-MEDIAN_GAPS:]))
    return max(FLOOR_S, LONGEST_FACTOR * longest, MEDIAN_FACTOR * usual)
