"""The milestone table: the logged entry nearest to each milestone, and what changed since the one before."""

from __future__ import annotations

from msgspec import Struct

from widgets.cells import Line, clean, fit, left, panel, right
from widgets.drawing.columns import (
    Layout,
    change_text,
    column_at,
    column_format,
    has_checkpoints,
    lay_out,
    real_step,
    split_header,
    table_cells,
)
from widgets.drawing.rows import STEP, Column, Order, Row, Table, ahead_text, cell_number, sort_table
from widgets.drawing.scroll import Scroll, scrolled
from widgets.numbers import MISSING, NumberFormat, format_step

__all__ = [
    "Column",
    "Order",
    "Row",
    "Scroll",
    "Table",
    "TableView",
    "draw_table",
    "header_at",
    "scrolled",
    "split_header",
    "table_cells",
]

_TITLES = {"value": "milestones", "change": "per 1,000 steps", "difference": "difference to "}
_BY_STEP = Order()
_NATURAL = Scroll()
_CHECKPOINT = "◆"
_HIDDEN = ("!", "info")


class TableView(Struct, frozen=True):
    """How the table is looked at: `cell` is `value`, `change` or `difference`."""

    cell: str = "value"
    order: Order = _BY_STEP
    scroll: Scroll = _NATURAL

    @property
    def is_sorted(self) -> bool:
        """Whether the rows stand in another order than that of the steps."""
        return self.order != _BY_STEP


_AS_IT_IS = TableView()


def draw_table(
    table: Table, cells: int, height: int, view: TableView = _AS_IT_IS, *, is_focused: bool = False
) -> list[Line]:
    """The part of the table that fits: newest milestones, their changes, the mean of the last entries.

    A `▴` or `▾` after a number says that it became better or worse since the milestone before, in colour too; a `!`
    that something happened in between which the numbers do not show.
    """
    title: Line = [(_TITLES[view.cell], "title"), *_told_order(view.order)]
    if view.cell == "difference":
        title.insert(1, (fit(clean(table.reference), cells // 3) or "a reference", "title"))
    if not table.rows or not table.columns:
        return panel([[("no entry yet", "dim")]], title, [], (cells, height), is_focused=is_focused)
    layout = lay_out(table, cells, height - 1, view.scroll, is_sorted=view.is_sorted)
    table = sort_table(table, view.order, view.cell)
    body = _header(table, layout, view.order)
    body += [_row(table, table.rows[index], layout, view.cell) for index in layout.rows]
    if layout.has_change:
        body.append(_change_row(table, layout))
    if layout.has_recent:
        body.append(_recent_row(table, layout))
    return panel(body, title, _note(table, layout, view.cell), (cells, height), is_focused=is_focused)


def header_at(table: Table, size: tuple[int, int], view: TableView, x: int, y: int) -> str | None:
    """The name of the column whose header is drawn at a cell, `STEP` for the first; None elsewhere."""
    if not table.rows or not table.columns:
        return None
    cells, height = size
    layout = lay_out(table, cells, height - 1, view.scroll, is_sorted=view.is_sorted)
    if not 1 <= y <= len(layout.header[0]):
        return None
    if x < sum(layout.label):
        return STEP
    index = column_at(layout, x)
    return None if index is None else table.columns[index].name


def _told_order(order: Order) -> Line:
    if order == _BY_STEP:
        return []
    arrow = "↓" if order.is_descending else "↑"
    return [(f"  by {clean(order.column) or 'step'} {arrow}", "accent")]


def _header(table: Table, layout: Layout, order: Order) -> list[Line]:
    lines: list[Line] = []
    depth = len(layout.header[0])
    arrow = "↓" if order.is_descending else "↑"
    for level in range(depth):
        is_last = level == depth - 1
        word = table.axis if is_last else ""
        is_by_step = order.column == STEP and order != _BY_STEP
        text = word.rjust(layout.label[0]) + (f" {arrow}" if is_by_step and is_last else "")
        line: Line = [(left(text, sum(layout.label)), "accent" if is_by_step else "dim")]
        for header, index, wide in zip(layout.header, layout.columns, layout.widths, strict=True):
            is_by = table.columns[index].name == order.column
            mark = arrow if is_by and is_last else " "
            line.append((" " + right(header[level], wide - 1) + mark, "accent" if is_by else "dim"))
        lines.append(line)
    return lines


def _row(table: Table, row: Row, layout: Layout, cell: str) -> Line:
    style = "faint" if row.is_dim or not row.is_reached else "plain"
    line: Line = [(right(format_step(row.milestone), layout.label[0]), style), *_beside(table, row, layout)]
    if not row.is_reached:
        ahead = ahead_text(row.due_s, is_over=table.is_over, is_unread=row.is_unread)
        return [*line, (" " + right(ahead, max(layout.widths[0] - 1, len(ahead))), "faint")]
    for index, wide in zip(layout.columns, layout.widths, strict=True):
        column = table.columns[index]
        form = column_format(table, column.name)
        if cell == "value":
            line += _value_cell(row, column, form, wide, style)
        else:
            line += _change_cell(cell_number(row, column.name, cell), column, form, wide)
    return line


def _beside(table: Table, row: Row, layout: Layout) -> Line:
    """What stands between the milestone and the first number, in as many cells as the layout has for it."""
    room = layout.label[1]
    if not has_checkpoints(table) or room < 1:
        return [(left(real_step(row), room), "faint")]
    return [(_CHECKPOINT if row.has_checkpoint else " ", "accent"), (left(real_step(row), room - 1), "faint")]


def _value_cell(row: Row, column: Column, form: NumberFormat, wide: int, style: str) -> Line:
    """The value, and whether it is better or worse than at the milestone before."""
    text = form(row.values.get(column.name))
    special = {MISSING: "faint", "NaN": "critical", "inf": "critical", "−inf": "critical"}
    mark, mark_style = _mark(row.changes.get(column.name), column.direction)
    if column.name in row.hidden:
        mark, mark_style = _HIDDEN
    return [(" " + right(text, wide - 1), special.get(text, style)), (mark, mark_style)]


def _change_cell(change: float | None, column: Column, form: NumberFormat, wide: int) -> Line:
    """The change, and whether it is for the better or for the worse."""
    if change is None:
        return [(" " + right(MISSING, wide - 1) + " ", "faint")]
    mark, style = _mark(change, column.direction)
    return [(" " + right(change_text(form, change), wide - 1) + mark, style)]


def _mark(change: float | None, direction: int) -> tuple[str, str]:
    if not change or not direction or change != change:
        return " ", "dim"
    return ("▴", "better") if change * direction > 0 else ("▾", "worse")


def _change_row(table: Table, layout: Layout) -> Line:
    """The change per 1,000 steps into the latest milestone that has one."""
    changed = [row for row in table.rows if row.is_reached and row.changes]
    row = max(changed, key=lambda row: row.milestone, default=None)
    line: Line = [(left("per 1,000", sum(layout.label)), "dim")]
    for index, wide in zip(layout.columns, layout.widths, strict=True):
        column = table.columns[index]
        if row is not None:
            form = column_format(table, column.name)
            line += _change_cell(row.changes.get(column.name), column, form, wide)
    return line


def _recent_row(table: Table, layout: Layout) -> Line:
    line: Line = [(left(f"last {table.recent_entries}", sum(layout.label)), "dim")]
    for index, wide in zip(layout.columns, layout.widths, strict=True):
        name = table.columns[index].name
        text = column_format(table, name)(table.recent.get(name))
        line.append((" " + right(text, wide - 1) + " ", "strong"))
    return line


def _note(table: Table, layout: Layout, cell: str) -> Line:
    """What is out of sight, and on which side."""
    if cell == "difference" and not any(row.differences for row in table.rows):
        return [("no reference", "warning")]
    before, after = layout.columns[0], len(table.columns) - layout.columns[-1] - 1
    above, below = layout.rows.start, len(table.rows) - layout.rows.stop
    counts = (("↑", above), ("↓", below), ("←", before), ("→", after))
    text = "  ".join(f"{arrow} {count}" for arrow, count in counts if count)
    return [(text, "faint")] if text else []
