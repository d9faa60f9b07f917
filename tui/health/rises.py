"""When the gradient norms of a run have risen, for those who look at its loss."""

from __future__ import annotations

from collections import deque

import numpy as np
from msgspec import Struct

from tui.decode.batch import Indices
from tui.health.findings import Finding, Incident

LONGEST = 1024
"""Entries after its onset for which a rise counts, however long it lasts."""

MOST = 128
"""Rises that are remembered, more than there can be in one portion of entries."""


class Rise(Struct):
    """A norm has risen: the incident, the entries at which that began and was seen, and from which on it is over."""

    incident: Incident
    onset_entry: int
    seen_entry: int
    over_entry: int

    @property
    def norm(self) -> str:
        """The norm's name."""
        return self.incident[1]

    def lasts_at(self, entry: int) -> bool:
        """Whether it is under way at an entry, as far as could be known there."""
        return self.seen_entry <= entry < self.over_entry


class Rises:
    """The rises of all norms of one stream, in the order in which they were seen."""

    def __init__(self) -> None:
        self._rises: deque[Rise] = deque(maxlen=MOST)

    def take(self, finding: Finding) -> None:
        """Take note of what was found of a norm that rises, or is back."""
        known = next((rise for rise in self._rises if rise.incident == finding.incident), None)
        if known is None and not finding.is_over:
            onset = finding.onset_entry
            self._rises.append(Rise(finding.incident, onset, finding.entry, onset + LONGEST))
        elif known is not None and finding.is_over:
            known.over_entry = min(known.over_entry, finding.entry)

    def at(self, entry: int) -> Rise | None:
        """The latest that is under way at an entry."""
        return next((rise for rise in reversed(self._rises) if rise.lasts_at(entry)), None)

    def find(self, entries: Indices) -> int:
        """The first of these entries (n,), in order, at which one is under way; n if none is."""
        first = len(entries)
        for rise in self._rises:
            at = int(np.searchsorted(entries, rise.seen_entry))
            if at < first and rise.lasts_at(int(entries[at])):
                first = at
        return first
