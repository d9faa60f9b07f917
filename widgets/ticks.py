"""Round positions for the few ticks of an axis."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """At most `most` rising round numbers from `low` to `high`; a range of no extent gives that one number.

    >>> round_ticks(0.0, 21784.0, 5), round_ticks(0.86, 3.8, 4)
    ([0.0, 5000.0, 10000.0, 15000.0, 20000.0], [1.0, 2.0, 3.0])
    """
    if not (math.isfinite(low) and math.isfinite(high)) or most < 1 or high < low:
        return []
    if high == low:
        return [low]
    step = _round_step((high - low) / most)
    while 0 < step < math.inf:  # the largest numbers have no round step above them
        ticks = _multiples(low, high, step)
        if len(ticks) <= most:
            return ticks
        step = _round_step(step * 1.01)
    return [low]


def _round_step(rough: float) -> float:
    if rough <= 0 or not math.isfinite(rough):
        return 0.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in _STEPS if factor * power >= rough * (1 - 1e-9))


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    if last - first > 1000:
        return [low] * 1001
    decimals = max(0, 1 - math.floor(math.log10(step)))
    return [round(index * step, decimals) + 0.0 for index in range(first, last + 1)]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """At most `most` rising round numbers of a positive range on a logarithmic axis: powers of ten, or 1, 2, 5 of them.

    A range in which these are hardly any gets the ticks of a linear axis.

    >>> log_ticks(1.0, 21784.0, 5), log_ticks(0.05, 0.6, 5), log_ticks(0.7, 3.0, 5)
    ([1.0, 10.0, 100.0, 1000.0, 10000.0], [0.05, 0.1, 0.2, 0.5], [1.0, 1.5, 2.0, 2.5, 3.0])
    """
    if not 0 < low < high < math.inf or most < 1:
        return [low] if low == high and low > 0 else []
    first, last = math.floor(math.log10(low)), math.floor(math.log10(high))
    fine = [
        round(factor * 10.0**power, 15 - power) for power in range(first, last + 1) for factor in (1, 2, 5)
    ]
    fine = [tick for tick in fine if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
    if len(fine) < 3 <= most:
        return [tick for tick in round_ticks(low, high, most) if tick > 0]
    if len(fine) <= most:
        return fine
    apart = -(-(last - first + 1) // most)
    decades = [10.0**power for power in range(first, last + 1) if power % apart == 0]
    return [tick for tick in decades if low * (1 - 1e-9) <= tick <= high] or fine[:1]


_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86400
_SPANS_S = (
    *(1, 2, 5, 10, 15, 30),
    *(_MINUTE_S * count for count in (1, 2, 5, 10, 15, 30)),
    *(_HOUR_S * count for count in (1, 2, 3, 6, 12)),
    *(_DAY_S * count for count in (1, 2, 7, 14, 30, 90, 365)),
)
"""Seconds from one tick to the next that clocks and calendars have."""

_UNITS_S = ((_DAY_S, "d"), (_HOUR_S, "h"), (_MINUTE_S, "m"))


def duration_ticks(low: float, high: float, most: int) -> tuple[list[float], list[str]]:
    """At most `most` spans of time, in seconds, with their names; below a second they are plain numbers.

    >>> duration_ticks(0.0, 90_000.0, 5)
    ([0.0, 21600.0, 43200.0, 64800.0, 86400.0], ['0', '6h', '12h', '18h', '24h'])
    """
    step = _span(low, high, most)
    if step is None:
        ticks = round_ticks(low, high, most)
        return ticks, [f"{tick:.4g}s" for tick in ticks]
    ticks = [float(count * step) for count in range(math.ceil(low / step), math.floor(high / step) + 1)]
    unit_s, unit = next((pair for pair in _UNITS_S if step % pair[0] == 0), (1, "s"))
    return ticks, [f"{tick / unit_s:.0f}{unit}" if tick else "0" for tick in ticks]


def clock_ticks(low: float, high: float, most: int) -> tuple[list[float], list[str]]:
    """At most `most` times of day or dates, in UTC epoch seconds, with their names in the local time zone."""
    step = _span(low, high, most)
    if step is None or not 0 <= low <= high < 2e11:
        return [], []
    begin = datetime.fromtimestamp(low)
    midnight = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    grain = min(step, _DAY_S)
    tick = midnight + timedelta(seconds=math.ceil((begin - midnight).total_seconds() / grain) * grain)
    places: list[float] = []
    while tick.timestamp() <= high and len(places) < most:
        places.append(tick.timestamp())
        tick += timedelta(seconds=step)
    return places, [_name_time(datetime.fromtimestamp(place), step) for place in places]


def _span(low: float, high: float, most: int) -> int | None:
    """The shortest span that needs no more than `most` ticks; None below a second and beyond many years."""
    rough = (high - low) / max(most, 1)
    if not (math.isfinite(rough) and rough > 0.2):
        return None
    return next((span for span in _SPANS_S if span >= rough), None)


def _name_time(time: datetime, step: int) -> str:
    if step >= _DAY_S or (time.hour, time.minute, time.second) == (0, 0, 0):
        return f"{time:%b} {time.day}"
    return f"{time:%H:%M:%S}" if step < _MINUTE_S else f"{time:%H:%M}"
