"""How a metric moves of late: improving, flat, declining, or too noisy to tell."""

from __future__ import annotations

from tui.health.alerts import Trend
from tui.health.pace import FEWEST_BLOCKS, History, Improvement, measure_improvement, measure_pace
from tui.health.wording import whole_step

WINDOWS = (0.25, 0.5, 1.0)
"""Shares of the time since the warm-up that a trend is taken over: the first with enough blocks in it."""

FLAT_SHARE = 1 / 3
"""A metric is flat where it cannot have improved by this share of what its earlier pace predicts."""


def measure_trend(history: History, origin: float, sign: float) -> Trend | None:
    """The trend over the last blocks of a history; None where it has fewer than three.

    Args:
        history: The metric's blocks after the warm-up, in y.
        origin: The step at which the history's time is zero.
        sign: What leads from y back to the metric: +1 or -1.
    """
    if len(history.times) < 3 or not history.times[-1] > history.times[0] > 0:
        return None
    first, stop = history.times[0], history.times[-1]
    starts = [stop - share * (stop - first) for share in WINDOWS]
    enough = [start for start in starts if history.count(start) >= FEWEST_BLOCKS]
    start = enough[0] if enough else history.times[0] * 0.999
    pace = measure_pace(history, start, stop) if enough else None
    found = measure_improvement(history, start, stop, pace or 0.0)
    per_1000 = 1000 / (stop - start)
    low, high = sorted((-sign * found.low, -sign * found.high))
    return Trend(
        from_step=whole_step(origin + start),
        to_step=whole_step(origin + stop),
        per_1000_steps=-sign * found.seen * per_1000,
        low=low * per_1000,
        high=high * per_1000,
        verdict=_name(found) if enough else "unclear",
    )


def _name(found: Improvement) -> str:
    if found.high < 0:
        return "declining"
    if found.expected > 0 and found.high < FLAT_SHARE * found.expected:
        return "flat"
    return "improving" if found.low > 0 else "unclear"
