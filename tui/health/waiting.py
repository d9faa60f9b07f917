"""Entries that came singly and of which nothing can be said before more have come: they are judged together.

Most detectors speak when a row of eight values is complete, and those that judge every value have nothing to say of
one that is finite and moves. So seven of eight entries of a live log change nothing; judged with the eighth, they cost
a fraction, and what is said is the same.
"""

from __future__ import annotations

from tui.decode.batch import Span
from tui.health.absence import Absence
from tui.health.roster import Roster


class Waiting:
    """Holds entries as long as none of them, nor the next, can bring anything about.

    Args:
        roster: The metrics that are watched.
        absence: Tells when one of them has ended.
    """

    def __init__(self, roster: Roster, absence: Absence) -> None:
        self._roster = roster
        self._absence = absence
        self._spans: list[Span] = []
        self._room = 0
        self._before: dict[str, float] = {}  # the latest value of each metric, where entries come singly

    def admits(self, span: Span, judged: int) -> bool:
        """Whether an entry can wait, too, for those after it; so many have been judged before those that wait."""
        if not self._spans:
            self._room = self._roster.room
        is_quiet = self._is_quiet(span)
        return is_quiet and len(self._spans) < self._room and not self._ends(span, judged + len(self._spans))

    def add(self, span: Span) -> None:
        """Let an entry wait."""
        self._spans.append(span)

    def take(self) -> list[Span]:
        """The entries that wait; they are to be judged."""
        spans, self._spans = self._spans, []
        return spans

    def forget(self) -> None:
        """Entries come in numbers: what was before the next one is not known."""
        self._before.clear()

    def _is_quiet(self, span: Span) -> bool:
        """Whether no metric is new, and no value says anything by itself."""
        columns, before, is_quiet = span.columns, self._before, True
        for name, detectors in self._roster.entrywise:
            column = columns.get(name)
            if column is not None:
                value, was = float(column.values[0]), before.get(name)
                before[name] = value
                is_quiet = (
                    is_quiet and was is not None and all(each.is_quiet(was, value) for each in detectors)
                )
        return is_quiet and self._roster.knows(columns)

    def _ends(self, span: Span, entry: int) -> bool:
        """Whether a metric that this entry lacks may have ended with it."""
        absent = (name for name in self._roster.tracks if name not in span.columns)
        return any(self._absence.is_due(name, entry) for name in absent)
