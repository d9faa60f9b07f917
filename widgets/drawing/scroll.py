"""How the milestone table moves under its header."""

from __future__ import annotations

from widgets.drawing.columns import Scroll, lay_out
from widgets.drawing.rows import Table

__all__ = ["Scroll", "scrolled"]


def scrolled(
    table: Table, size: tuple[int, int], scroll: Scroll, across: int, down: int, *, is_sorted: bool = False
) -> Scroll:
    """The scroll after a move of so many columns and rows in a room of `size` (cells, rows), kept inside the table."""
    if not table.rows or not table.columns:
        return Scroll()
    cells, rows = size
    layout = lay_out(table, cells, rows - 1, scroll, is_sorted=is_sorted)
    usual = lay_out(table, cells, rows - 1, Scroll(scroll.column), is_sorted=is_sorted)
    if across > 0 and layout.columns[-1] == len(table.columns) - 1:
        across = 0
    column = min(max(scroll.column + across, 0), len(table.columns) - 1)
    row = min(max(layout.rows.start + down, 0), max(len(table.rows) - len(layout.rows), 0))
    return Scroll(column, None if row == usual.rows.start else row)
