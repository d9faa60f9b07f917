"""Finds where a run changed its ways: restarts, and fields that end while others begin."""

from __future__ import annotations

from collections import deque

from msgspec import Struct, field

FOR_GOOD = 20
"""How many entries in a row a field must be there, or gone, for it to be so for good."""


class Segment(Struct, frozen=True):
    """A stretch of a stream in which nothing of its kind changed.

    `entries` counts all that were decoded in it, superseded and repeated ones too; `fields` are in the log's order.
    `superseded` counts those that no longer stand, `superseded_from` is the lowest step among them. `first_row` is
    its first row in the stream.
    """

    first_step: float
    last_step: float
    entries: int
    started_by: str  # "start", "restart" or "fields"
    fields: tuple[str, ...]
    superseded: int = 0
    superseded_from: float | None = None
    first_row: int = 0
    unique_steps: int = 0


class Boundary(Struct, frozen=True):
    """A change of fields: it began with `row`, and is certain since `confirmed_row`."""

    row: int
    confirmed_row: int


class _Suspicion(Struct):
    row: int
    ended: frozenset[str]
    begun: frozenset[str]
    entries: int = 0


class FieldWatch(Struct):
    """Tells a change of fields from a field that is missing now and then.

    A boundary is an entry from which on at least one field that the 20 entries before it all had is gone, and at
    least one that none of them had is there, both for 20 entries in a row.
    """

    _recent: deque[tuple[frozenset[str], int]] = field(default_factory=deque)
    _suspicions: list[_Suspicion] = field(default_factory=list)

    def extend(self, row: int, fields: frozenset[str], entries: int) -> Boundary | None:
        """Take in `entries` rows from `row` on, all with the same fields; the boundary that they confirm, if any."""
        if self._recent and self._recent[-1][0] != fields:
            self._suspect(row, fields)
        confirmed = self._confirm(fields, entries)
        self._remember(fields, entries)
        return confirmed

    def _suspect(self, row: int, fields: frozenset[str]) -> None:
        if sum(entries for _, entries in self._recent) < FOR_GOOD:
            return
        always = frozenset.intersection(*(known for known, _ in self._recent))
        ever = frozenset.union(*(known for known, _ in self._recent))
        if (ended := always - fields) and (begun := fields - ever):
            self._suspicions.append(_Suspicion(row, ended, begun))

    def _confirm(self, fields: frozenset[str], entries: int) -> Boundary | None:
        kept = []
        for suspicion in self._suspicions:
            suspicion.ended -= fields
            suspicion.begun &= fields
            suspicion.entries += entries
            if not (suspicion.ended and suspicion.begun):
                continue
            if suspicion.entries >= FOR_GOOD:
                self._suspicions = []
                return Boundary(suspicion.row, suspicion.row + FOR_GOOD - 1)
            kept.append(suspicion)
        self._suspicions = kept
        return None

    def _remember(self, fields: frozenset[str], entries: int) -> None:
        """Keep what covers the last 20 entries and no more, cutting the oldest run to fit."""
        if self._recent and self._recent[-1][0] == fields:
            entries += self._recent.pop()[1]
        self._recent.append((fields, min(entries, FOR_GOOD)))
        excess = sum(count for _, count in self._recent) - FOR_GOOD
        while excess > 0:
            oldest, count = self._recent.popleft()
            if count > excess:
                self._recent.appendleft((oldest, count - excess))
            excess -= count
