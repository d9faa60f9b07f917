"""What the rule against instability sees of a metric at one row, and what it says of that when it is asked."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.health.excursion import Baseline
from tui.health.findings import Explanation
from tui.health.shift import ARMED_VALUES, mostly_zero
from tui.health.track import Track


class Sight(Struct, frozen=True):
    """What is known at one row: its position in the octets, the level of the last 48 values, and its shift.

    `before` is what the shift is measured against, `score` the shift as a share of what is no chance: `statistic`
    over `bound`, in sigma.
    """

    at: int
    level: float
    before: Baseline
    score: float
    statistic: float
    bound: float


NOTHING = Sight(0, np.nan, Baseline(np.nan, np.nan, 1.0), np.nan, np.nan, np.nan)


def look(track: Track, at: int) -> Sight:
    """What is seen at one of the fresh rows."""
    shifts, octets = track.shifts, track.octets
    return Sight(
        at=len(octets.values) - octets.fresh + at if at >= 0 else len(octets.values) - 1,
        level=float(track.levels[at]),
        before=Baseline(float(shifts.levels[at]), float(track.floored[at]), float(shifts.inflations[at])),
        score=float(shifts.scores[at]),
        statistic=float(shifts.differences[at]),
        bound=float(shifts.bounds[at]),
    )


def explain(track: Track, last: Sight, factor: float) -> Explanation:
    """The level before, its sigma, and by how many of them the latest mean lies beyond it, against the bound.

    `factor` is what the back-off multiplies the bound by.
    """
    reason = None if last.score == last.score else _why_not_armed(track, last)
    numbers = {
        "level": track.shown(last.before.level),
        "sigma": last.before.sigma,
        "inflation": last.before.kappa,
        "statistic": last.statistic * track.sign,
        "threshold": last.bound * factor * track.sign,
        "values": float(track.octets.total),
    }
    return Explanation("instability", track.name, reason is None, reason, numbers)


def _why_not_armed(track: Track, last: Sight) -> str:
    if track.octets.total < ARMED_VALUES:
        return f"{track.octets.total} of {ARMED_VALUES} values"
    if last.level != last.level:
        return "neither up nor down is worse"
    is_zero = mostly_zero(track.octets.values)[-1]
    return "more than a fifth of the last 256 values are zero" if is_zero else "no noise to measure by"
