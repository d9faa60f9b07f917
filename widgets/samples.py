"""A series as a curve is drawn from it: single values, or the extremes of parts that are too small to be seen."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from widgets.scale import Floats
from widgets.smoothing import smooth


def _nothing() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Parts of a series in the order of the log, each of one entry or many.

    `x` (m,) is where each begins, `low` and `high` (m,) its extremes, NaN where it has no finite value.
    `smoothed` (m,) is the moving average, None where it is not asked for. `lost` (k,) are the x of values that
    are not finite. `last` is the last value of all, whatever part of the series this is; `last_smoothed` the
    same of the average.
    """

    x: Floats = field(default_factory=_nothing)
    low: Floats = field(default_factory=_nothing)
    high: Floats = field(default_factory=_nothing)
    smoothed: Floats | None = None
    lost: Floats = field(default_factory=_nothing)
    last: float | None = None
    last_smoothed: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A line that is drawn as it is: `x` (n,) and `y` (n,), a NaN where it is broken; `label` says what it is."""

    x: Floats
    y: Floats
    label: str = ""


def sample(x: Floats, y: Floats, span: int = 0) -> Samples:
    """The samples of a short series: every value (n,) is one of its own."""
    is_finite = np.isfinite(y)
    values = np.where(is_finite, y, np.nan)
    smoothed = smooth(values, span) if span else None
    finite = smoothed[np.isfinite(smoothed)] if smoothed is not None else _nothing()
    return Samples(
        x=x,
        low=values,
        high=values,
        smoothed=smoothed,
        lost=x[~is_finite],
        last=float(y[-1]) if len(y) else None,
        last_smoothed=float(finite[-1]) if len(finite) else None,
    )
