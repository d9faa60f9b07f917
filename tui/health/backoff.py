"""A metric that cries wolf is listened to less: excursions that healed by themselves raise its threshold."""

from __future__ import annotations

from tui.health.octets import WIDTH

HEALED_COUNT, HEALED_ROWS = 3, 500 // WIDTH
"""So many healed excursions within so many rows (500 values) double the threshold."""

QUIET_ROWS = 2000 // WIDTH
"""Rows (2,000 values) without one that halve it again."""

MOST = 8.0


class BackOff:
    """The factor on a metric's threshold.

    Attributes:
        factor: 1, 2, 4 or 8.
    """

    def __init__(self) -> None:
        self.factor = 1.0
        self._healed: list[int] = []
        self._quiet_since = 0

    def begin(self) -> None:
        """Rows are numbered from zero again."""
        self._healed.clear()
        self._quiet_since = 0

    def note_healed(self, row: int) -> None:
        """An excursion has healed at a row."""
        self._healed = [seen for seen in self._healed if row - seen <= HEALED_ROWS] + [row]
        self._quiet_since = row
        if len(self._healed) >= HEALED_COUNT:
            self.factor = min(self.factor * 2, MOST)
            self._healed.clear()

    def pass_by(self, row: int) -> None:
        """A row has gone by."""
        if self.factor > 1 and row - self._quiet_since >= QUIET_ROWS:
            self.factor, self._quiet_since = self.factor / 2, row
