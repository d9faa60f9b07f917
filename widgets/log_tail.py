"""The end of the log, which follows until it is scrolled up."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import MouseScrollDown, MouseScrollUp

from widgets.cells import Line
from widgets.drawing.log import Log, draw_log
from widgets.surface import Surface


class LogTail(Surface[Log], can_focus=True):
    """Shows the last lines of the log as they are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "earlier lines", show=False),
        Binding("down", "move(1)", "later lines", show=False),
        Binding("pageup", "move(-10)", "ten lines up", show=False),
        Binding("pagedown", "move(10)", "ten lines down", show=False),
        Binding("home", "move(-100000)", "the earliest line kept", show=False),
        Binding("end", "move(100000)", "the last line", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Log(), id=id)
        self.back = 0

    def draw(self, data: Log, width: int, height: int) -> list[Line]:
        """The lines that it is scrolled to."""
        return draw_log(data, width, height, back=self.back, is_focused=self.has_focus)

    def action_move(self, down: int) -> None:
        """Scroll by so many lines."""
        most = max(len(self.data.lines) - (self.size.height - 1), 0)
        self.back = min(max(self.back - down, 0), most)
        self.redraw()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves by three lines."""
        event.stop()
        self.action_move(3)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves by three lines."""
        event.stop()
        self.action_move(-3)
