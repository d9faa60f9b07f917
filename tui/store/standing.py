"""The standing points of one series, in the order of the log, each found without counting through all before it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field

from tui.decode.batch import Floats, Indices
from tui.store.pyramid import Pyramid
from tui.store.series import Growing, Series


class Standing(Struct, eq=False):
    """What still stands of a series, and its pyramid; brought up to date at its end, never made anew.

    Until a row of the stream falls, the points are the series itself. From then on `_places` holds where in the
    series each of them is.
    """

    series: Series
    pyramid: Pyramid = field(default_factory=Pyramid)
    lost: Growing[np.int64] = field(default_factory=lambda: Growing(np.int64))
    """The points whose value is not finite, rising."""
    _places: Growing[np.int64] | None = None
    _taken: int = 0
    _falls: int = 0

    def __len__(self) -> int:
        return self._taken if self._places is None else len(self._places)

    @property
    def behind(self) -> int:
        """How many values have come since, and are not taken in yet."""
        return len(self.series) - self._taken

    def update(self, stands: np.typing.NDArray[np.bool_], falls: Indices, most: int | None = None) -> None:
        """Take in what has come since.

        Args:
            stands: Which rows of the stream stand.
            falls: For each time that rows have fallen, the first of them, oldest first.
            most: How many values to take in at most; None for all.
        """
        if len(falls) > self._falls:
            self._forget_from(int(falls[self._falls :].min()))
            self._falls = len(falls)
        total = len(self.series) if most is None else min(len(self.series), self._taken + most)
        if total == self._taken:
            return
        before = len(self)
        if self._places is not None:
            fresh = np.arange(self._taken, total, dtype=np.int64)
            self._places.extend(fresh[stands[self.series.rows_at(fresh)]])
        self._taken = total
        self._summarize(before)

    def rows_at(self, points: Indices) -> Indices:
        """The rows (k,) of points (k,)."""
        return self.series.rows_at(self._in_series(points))

    def values_at(self, points: Indices) -> Floats:
        """The values (k,) of points (k,)."""
        return self.series.values[self._in_series(points)]

    def values(self, start: int, stop: int) -> Floats:
        """The values of the points from `start` to `stop` (exclusive)."""
        if self._places is None:
            return self.series.values[start:stop]
        return self.series.values[self._places.view[start:stop]]

    def _in_series(self, points: Indices) -> Indices:
        return points if self._places is None else self._places.view[points]

    def _forget_from(self, row: int) -> None:
        """Forget every point in this row or a later one; they are looked at again."""
        taken = min(self.series.count_before(row), self._taken)
        if self._places is None:
            self._places = Growing(np.int64)
            self._places.extend(np.arange(taken, dtype=np.int64))
        kept = int(np.searchsorted(self._places.view, taken))
        self._places.truncate(kept)
        self.pyramid.truncate(kept)
        self.lost.truncate(int(np.searchsorted(self.lost.view, kept)))
        self._taken = taken

    def _summarize(self, before: int) -> None:
        fresh = self.values(before, len(self))
        self.lost.extend(np.flatnonzero(~np.isfinite(fresh)) + before)
        covered = self.pyramid.covered
        self.pyramid.extend(self.values(covered, len(self)))
