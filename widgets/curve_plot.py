"""A metric's curve."""

from __future__ import annotations

from widgets.cells import Line
from widgets.drawing.curve import Curve, draw_curve
from widgets.surface import Surface


class CurvePlot(Surface[Curve]):
    """Shows one metric over its steps."""

    def draw(self, data: Curve, width: int, height: int) -> list[Line]:
        """The curve in this room."""
        return draw_curve(data, width, height)
