"""A moving average over entries that come in piece by piece."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field

from tui.decode.batch import Column, Floats


class Average(Struct, eq=False):
    """The mean of the last `entries` values of a metric, of those that are finite.

    At the start it is the mean of what there is. An entry whose step lies at or behind those before it begins anew
    there, as a restart does: values at or beyond its step are forgotten. The sums run from the oldest value to the
    newest, so that the result does not depend on how a log was cut into pieces.
    """

    entries: int
    _steps: Floats = field(default_factory=lambda: np.empty(0))
    _values: Floats = field(default_factory=lambda: np.empty(0))

    def extend(self, steps: Floats, column: Column) -> Column:
        """The average at each of these values (k,); where none in reach is finite there is none.

        Args:
            steps: The step of every entry of the batch (n,).
            column: The metric's values, by their place in the batch.
        """
        own = steps[column.at]
        edges = _find_backs(self._steps, own)
        found = np.empty(len(own))
        for start, stop in zip((0, *edges), (*edges, len(own)), strict=True):
            if start < stop:
                found[start:stop] = self._extend(own[start:stop], column.values[start:stop])
        is_there = ~np.isnan(found)
        return Column(column.at[is_there], found[is_there])

    def _extend(self, steps: Floats, values: Floats) -> Floats:
        """The averages over steps that rise among themselves."""
        kept = ~(self._steps >= steps[0])
        all_values = np.concatenate([self._values[kept], values])
        all_steps = np.concatenate([self._steps[kept], steps])
        padded = np.concatenate([np.full(self.entries - 1, np.nan), all_values])
        is_finite = np.isfinite(padded)
        known = np.where(is_finite, padded, 0.0)
        first, count = len(all_values) - len(values), len(values)
        total, finite = np.zeros(count), np.zeros(count)
        for back in range(self.entries):
            total += known[first + back : first + back + count]
            finite += is_finite[first + back : first + back + count]
        self._values, self._steps = all_values[-self.entries :], all_steps[-self.entries :]
        with np.errstate(invalid="ignore"):
            return total / finite


def _find_backs(before: Floats, steps: Floats) -> list[int]:
    """The places at which a step does not lie beyond the one before it."""
    if not len(steps):
        return []
    last = before[-1] if len(before) else -np.inf
    return np.flatnonzero(steps <= np.concatenate([[last], steps[:-1]])).tolist()
