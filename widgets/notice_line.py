"""A sentence about the way to the log, as a line or in the middle of an empty screen."""

from __future__ import annotations

from textual.geometry import Size

from widgets.cells import Line
from widgets.drawing.notice import Notice, Remark, draw_empty, draw_notice, draw_remark
from widgets.surface import Surface


class NoticeLine(Surface[Notice]):
    """Shows a notice in as few rows as it takes."""

    def draw(self, data: Notice, width: int, height: int) -> list[Line]:
        """The notice, wrapped."""
        return draw_notice(data, width, height)


class EmptyState(Surface[Notice]):
    """Shows in the middle of an empty room what is awaited."""

    def draw(self, data: Notice, width: int, height: int) -> list[Line]:
        """The notice, centred."""
        return draw_empty(data, width, height)


class RemarkLine(Surface[Remark]):
    """Shows a remark in as few rows as it takes."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Two rows, so that nothing below jumps while it changes."""
        return 2

    def draw(self, data: Remark, width: int, height: int) -> list[Line]:
        """The remark, wrapped."""
        return draw_remark(data, width, height)
