"""The milestone table, which scrolls both ways under a header that stays, and sorts by any of its columns."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from widgets.cells import Line
from widgets.drawing.rows import STEP, Order
from widgets.drawing.table import Scroll, Table, TableView, draw_table, header_at, scrolled
from widgets.surface import Surface


class MilestoneTable(Surface[Table], can_focus=True):
    """Shows values at milestones, or their changes; follows the newest milestone until it is scrolled up."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0,-1)", "earlier milestones", show=False, id="table.up"),
        Binding("down", "move(0,1)", "later milestones", show=False, id="table.down"),
        Binding("left", "move(-1,0)", "columns to the left", show=False, id="table.left"),
        Binding("right", "move(1,0)", "columns to the right", show=False, id="table.right"),
        Binding("pageup", "move(0,-10)", "ten milestones up", show=False, id="table.page_up"),
        Binding("pagedown", "move(0,10)", "ten milestones down", show=False, id="table.page_down"),
        Binding("home", "move(-1000,-100000)", "the first milestone", show=False, id="table.first"),
        Binding("end", "move(0,100000)", "the newest milestone", show=False, id="table.last"),
    ]

    class Sorted(Message):
        """A person asked for another order of the rows; the table has taken it already."""

        def __init__(self, order: Order) -> None:
            super().__init__()
            self.order = order

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Table(), id=id)
        self.view = TableView()

    def draw(self, data: Table, width: int, height: int) -> list[Line]:
        """The part of the table that it is scrolled to."""
        return draw_table(data, width, height, self.view, is_focused=self.has_focus)

    def look(self, cell: str, order: Order) -> None:
        """Show values, changes or differences, and the rows in this order."""
        if (cell, order) == (self.view.cell, self.view.order):
            return
        scroll = self.view.scroll if order == self.view.order else Scroll(self.view.scroll.column)
        self.view = TableView(cell, order, scroll)
        self.redraw()

    def sort_by(self, column: str) -> None:
        """Sort by this column, largest first; asked for again: smallest first, then in the order of steps."""
        before = self.view.order
        if column == STEP:
            order = Order(STEP, not before.is_descending) if before.column == STEP else Order()
        elif before.column != column:
            order = Order(column, is_descending=True)
        else:
            order = Order(column) if before.is_descending else Order()
        self.look(self.view.cell, order)
        self.post_message(self.Sorted(order))

    def sort_by_neighbour(self, by: int) -> None:
        """Sort by the next column, or the one before; beyond the last and the first are the steps."""
        names = [STEP, *(column.name for column in self.data.columns)]
        here = names.index(self.view.order.column) if self.view.order.column in names else 0
        order = Order(names[(here + by) % len(names)])
        order = replace(order, is_descending=order.column != STEP)
        self.look(self.view.cell, order)
        self.post_message(self.Sorted(order))

    def turn_around(self) -> None:
        """Turn the order of the rows around."""
        order = replace(self.view.order, is_descending=not self.view.order.is_descending)
        self.look(self.view.cell, order)
        self.post_message(self.Sorted(order))

    def action_move(self, across: int, down: int) -> None:
        """Scroll by so many columns and rows."""
        if not self.data.rows or not self.size.height:
            return
        view = self.view
        scroll = scrolled(self.data, self.size, view.scroll, across, down, is_sorted=view.is_sorted)
        self.view = replace(view, scroll=scroll)
        self.redraw()

    def on_click(self, event: Click) -> None:
        """A click on a header sorts by its column."""
        column = header_at(self.data, self.size, self.view, event.x, event.y)
        if column is not None:
            event.stop()
            self.sort_by(column)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves by rows, with shift by columns."""
        event.stop()
        self.action_move(*((1, 0) if event.shift else (0, 1)))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves by rows, with shift by columns."""
        event.stop()
        self.action_move(*((-1, 0) if event.shift else (0, -1)))
