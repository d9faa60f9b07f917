"""Metrics that are no longer logged: what is said of them could never be seen to be over."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from msgspec import Struct

from tui.decode.batch import Indices, Span

LEAST_ENTRIES = 500
"""Entries in a row without a metric that was in nearly every one, after which it is no longer logged."""

LONGEST_FACTOR = 20
"""The same for one that is logged now and then, such as an evaluation: times its longest pause until then."""


class _Series(Struct):
    """The entry that had a metric last, its longest pause in entries, and whether it is known to have ended."""

    last: int
    longest: int = 0
    has_ended: bool = False

    @property
    def due(self) -> int:
        """The entry with which the metric, if it has been missing since, is no longer logged."""
        return self.last + max(LEAST_ENTRIES, LONGEST_FACTOR * self.longest)


class Ended(Struct, frozen=True):
    """A metric is no longer logged as of entry `entry`; `last` had it last."""

    metric: str
    entry: int
    last: int


def not_once_in(entries: int) -> str:
    """Why something has ended, in words."""
    return f"not once in the last {entries:,} entries"


class Absence:
    """Follows which metrics each entry has."""

    def __init__(self) -> None:
        self._series: dict[str, _Series] = {}

    def find(self, first_entry: int, span: Span, metrics: Collection[str]) -> list[Ended]:
        """Which of these metrics turn out to have ended within a span whose first entry has this index."""
        found: list[Ended] = []
        n = len(span)
        stop = first_entry + n
        for name in metrics:
            series = self._series.get(name)
            column = span.columns.get(name)
            if series is None:
                if column is None:
                    continue
                series = self._series[name] = _Series(first_entry + int(column.at[0]))
            if column is not None and len(column.at) == n:
                if series.last < first_entry - 1:
                    found += self._see(name, series, first_entry)
                series.last, series.longest = stop - 1, series.longest or 1
                continue
            if column is not None:
                found += self._follow(name, series, first_entry + column.at)
            if not series.has_ended and series.due < stop:
                found.append(self._end(name, series))
        return sorted(found, key=lambda ended: ended.entry)

    def pass_by(self, metric: str, entry: int) -> None:
        """Take in that every entry up to this one had a metric; the same as `find`, at no cost."""
        self._series.setdefault(metric, _Series(entry)).last = entry

    def is_due(self, metric: str, entry: int) -> bool:
        """Whether a metric ends, at the latest, with this entry if it lacks it, by what has been taken in so far."""
        series = self._series.get(metric)
        return series is not None and not series.has_ended and series.due <= entry

    def is_missed(self, metric: str, entries: int) -> bool:
        """Whether so many entries without a metric are more than it has ever been missing for."""
        series = self._series.get(metric)
        return series is not None and not series.has_ended and series.longest < entries

    def _follow(self, name: str, series: _Series, entries: Indices) -> list[Ended]:
        """Take in the entries (k,) that have a metric."""
        found = self._see(name, series, int(entries[0]))
        gaps = np.diff(entries)
        if len(gaps) and gaps.max() <= LEAST_ENTRIES:
            series.longest, series.last = max(series.longest, int(gaps.max())), int(entries[-1])
            return found
        for entry in entries[1:].tolist():
            found += self._see(name, series, entry)
        return found

    def _see(self, name: str, series: _Series, entry: int) -> list[Ended]:
        """Take in that an entry has a metric; had it ended before, it is there anew."""
        found = [self._end(name, series)] if not series.has_ended and series.due < entry else []
        series.longest, series.last, series.has_ended = max(series.longest, entry - series.last), entry, False
        return found

    @staticmethod
    def _end(name: str, series: _Series) -> Ended:
        series.has_ended = True
        return Ended(name, series.due, series.last)
