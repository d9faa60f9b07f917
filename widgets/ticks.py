"""Round positions for the few ticks of an axis."""

from __future__ import annotations

import math

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
