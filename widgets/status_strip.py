"""The line at the top: is it well, where is it, is it still coming."""

from __future__ import annotations

from widgets.cells import Line
from widgets.drawing.status import Status, draw_status
from widgets.surface import Surface


class StatusStrip(Surface[Status]):
    """Shows a run's status in one row, in two where the screen is narrow."""

    def draw(self, data: Status, width: int, height: int) -> list[Line]:
        """The status at this width."""
        return draw_status(data, width)
