"""The milestone table, which scrolls both ways under a header that stays."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import MouseScrollDown, MouseScrollUp

from widgets.cells import Line
from widgets.drawing.table import Scroll, Table, draw_table, scrolled
from widgets.surface import Surface


class MilestoneTable(Surface[Table], can_focus=True):
    """Shows values at milestones, or their changes; follows the newest milestone until it is scrolled up."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0,-1)", "earlier milestones", show=False),
        Binding("down", "move(0,1)", "later milestones", show=False),
        Binding("left", "move(-1,0)", "columns to the left", show=False),
        Binding("right", "move(1,0)", "columns to the right", show=False),
        Binding("pageup", "move(0,-10)", "ten milestones up", show=False),
        Binding("pagedown", "move(0,10)", "ten milestones down", show=False),
        Binding("home", "move(-1000,-100000)", "the first milestone", show=False),
        Binding("end", "move(0,100000)", "the newest milestone", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Table(), id=id)
        self.scroll_position = Scroll()
        self.shows_changes = False

    def draw(self, data: Table, width: int, height: int) -> list[Line]:
        """The part of the table that it is scrolled to."""
        return draw_table(
            data,
            width,
            height,
            self.scroll_position,
            shows_changes=self.shows_changes,
            is_focused=self.has_focus,
        )

    def toggle_changes(self) -> None:
        """Show the change per 1,000 steps instead of the values, or the values again."""
        self.shows_changes = not self.shows_changes
        self.redraw()

    def action_move(self, across: int, down: int) -> None:
        """Scroll by so many columns and rows."""
        if not self.data.rows or not self.size.height:
            return
        width, height = self.size
        self.scroll_position = scrolled(self.data, width, height, self.scroll_position, across, down)
        self.redraw()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves by rows, with shift by columns."""
        event.stop()
        self.action_move(*((1, 0) if event.shift else (0, 1)))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves by rows, with shift by columns."""
        event.stop()
        self.action_move(*((-1, 0) if event.shift else (0, -1)))
