"""Several runs over each other, and side by side."""

from __future__ import annotations

from widgets.cells import Line
from widgets.drawing.overlay import Overlay, draw_overlay
from widgets.drawing.sidebyside import SideBySide, draw_side_by_side
from widgets.surface import Surface


class OverlayPlot(Surface[Overlay]):
    """Shows one metric of several runs as curves."""

    def draw(self, data: Overlay, width: int, height: int) -> list[Line]:
        """The legend and the curves."""
        return draw_overlay(data, width, height)


class SideBySideTable(Surface[SideBySide]):
    """Shows one metric of several runs at the milestones."""

    def draw(self, data: SideBySide, width: int, height: int) -> list[Line]:
        """The last milestones."""
        return draw_side_by_side(data, width, height)
