"""What happened between two milestones that their values hide: an alert began, or a metric went far beyond both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from tui.ordered import median
from tui.roles import Role

ROLES = frozenset({Role.LOSS, Role.QUALITY, Role.GRAD_NORM})
"""Roles of metrics whose excursions are looked for."""

FEWEST = 16
"""How many values must lie between two milestones for their noise to be known."""

ERRORS = 8.0
"""How many standard errors beyond both ends is far: past anything that noise does in a million entries."""

NEAR, BLOCK = 5, 32
"""How many values an end is, and how many make a block: a lasting excursion need not be a high one."""

LAGS = (1, 4, 16)
"""Distances, in values, over which noise is measured."""

SAMPLE = 2048
"""Differences that are looked at for each of them, at most."""

BLOCK_INFLATION = 2.0
"""By how much noise that remembers makes a block's mean worse than independent noise would."""


class Happening(Struct, frozen=True):
    """Something that began at a step, such as an alert, and the metrics that it is about."""

    step: float
    kind: str
    metrics: tuple[str, ...]


class Hidden(Struct, frozen=True):
    """Something between two milestones: the metric, where, what it was then, and its kind.

    `kind` is that of an alert, or `high` or `low` where the metric went far beyond its values at both ends, or
    `nonfinite`; `value` is None where only an alert tells of it.
    """

    metric: str
    step: float
    value: float | None
    kind: str


def find_hidden(
    points: Mapping[str, tuple[Floats, Floats]],
    low: float,
    high: float,
    roles: Mapping[str, Role],
    happenings: Iterable[Happening] = (),
) -> tuple[Hidden, ...]:
    """What lies between two steps, both excluded; one for each metric, alerts before excursions.

    Args:
        points: Steps and values (n,) of each metric, steps rising.
        low: The lower step.
        high: The higher one.
        roles: The role of each metric.
        happenings: What is known to have begun at some step.
    """
    found: dict[str, Hidden] = {}
    for each in happenings:
        for name in each.metrics:
            if low < each.step < high and name in points and name not in found:
                found[name] = Hidden(name, each.step, _value_at(*points[name], each.step), each.kind)
    for name, (steps, values) in points.items():
        if name not in found and roles[name] in ROLES:
            start, stop = np.searchsorted(steps, (low, high), side="right")
            excursion = find_excursion(values[max(start - 1, 0) : stop])
            if excursion is not None:
                at = max(start - 1, 0) + excursion[0]
                found[name] = Hidden(name, float(steps[at]), float(values[at]), excursion[1])
    return tuple(found.values())


def find_excursion(values: Floats) -> tuple[int, str] | None:
    """Where a metric is farthest beyond both its ends, and whether it is high or low there; None where it is not far.

    An end is the range of the five values there. Beyond both, a single value counts as far with eight times the noise,
    and the mean of 32, beyond the first and the last such mean, with eight of their standard errors, taken twice as
    large as independent noise would have it. One that is not finite counts where both ends are finite.
    """
    is_finite = np.isfinite(values)
    if len(values) < FEWEST:
        return None
    if not is_finite.all():
        is_shown = not (is_finite[0] and is_finite[-1])
        return None if is_shown else (int(np.argmin(is_finite)), "nonfinite")
    sigma = measure_noise(values)
    ends = np.concatenate([values[:NEAR], values[-NEAR:]])
    single = _beyond(values, ends, ERRORS * sigma)
    if single is not None or len(values) < 4 * BLOCK:
        return single
    count = len(values) // BLOCK
    means = values[: count * BLOCK].reshape(count, BLOCK).mean(axis=1)
    block = _beyond(means, means[[0, -1]], ERRORS * sigma * BLOCK_INFLATION / np.sqrt(BLOCK))
    return None if block is None else (block[0] * BLOCK + BLOCK // 2, block[1])


def measure_noise(values: Floats) -> float:
    """The noise of values (n,) that may have a trend and a memory.

    The robust spread (1.4826 × MAD) of the differences of values one, four and sixteen apart, over √2; the largest of
    them, for what remembers differs little from its neighbour. Of many, an even sample of 2,048 is taken, which knows
    the spread to 3 %.
    """
    spreads = []
    for lag in LAGS:
        count = len(values) - lag
        if count >= 3 * lag:
            at = np.arange(count) if count <= SAMPLE else np.linspace(0, count - 1, SAMPLE).astype(np.int64)
            differences = values[at + lag] - values[at]
            spreads.append(median(np.abs(differences - median(differences))))
    return 1.4826 * max(spreads) / math.sqrt(2)


def _beyond(values: Floats, ends: Floats, margin: float) -> tuple[int, str] | None:
    top, bottom = int(values.argmax()), int(values.argmin())
    over, under = float(values[top] - ends.max()), float(ends.min() - values[bottom])
    if max(over, under) <= margin or not margin > 0:
        return None
    return (top, "high") if (over, bottom) >= (under, top) else (bottom, "low")


def _value_at(steps: Floats, values: Floats, step: float) -> float | None:
    at = int(np.searchsorted(steps, step))
    return float(values[at]) if at < len(values) else None
