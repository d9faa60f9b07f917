"""One metric in numbers, under its curve on the whole screen."""

from __future__ import annotations

from widgets.cells import Line
from widgets.drawing.stats import Stats, draw_stats
from widgets.surface import Surface


class StatsLine(Surface[Stats]):
    """Shows what a metric is in a few numbers."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Stats(), id=id)

    def draw(self, data: Stats, width: int, height: int) -> list[Line]:
        """As many numbers as fit."""
        return draw_stats(data, width)[:height]
