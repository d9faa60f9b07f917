"""The page that explains keys and signs."""

from __future__ import annotations

from textual.geometry import Size

from widgets.cells import Line
from widgets.drawing.help import Help, draw_help
from widgets.surface import Surface


class HelpPage(Surface[Help]):
    """Shows the whole page; what is around it scrolls."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the page has at this width."""
        return len(draw_help(self.data, width))

    def draw(self, data: Help, width: int, height: int) -> list[Line]:
        """Keys and signs."""
        return draw_help(data, width)
