"""A series as a curve is drawn from it: single values, or the extremes of parts that are too small to be seen."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field

from widgets.scale import Floats


def _nothing() -> Floats:
    return np.zeros(0)


class Samples(Struct, frozen=True, eq=False):
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


class Path(Struct, frozen=True, eq=False):
    """A line that is drawn as it is: `x` (n,) and `y` (n,), a NaN where it is broken; `label` says what it is."""

    x: Floats
    y: Floats
    label: str = ""
