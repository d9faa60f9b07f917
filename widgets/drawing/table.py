"""The milestone table: the logged entry nearest to each milestone, and what changed since the one before."""

from __future__ import annotations

from collections.abc import Sequence

from widgets.cells import Line, fill, left, panel, right
from widgets.drawing.columns import (
    Column,
    Layout,
    Row,
    Scroll,
    Table,
    change_text,
    column_cells,
    column_format,
    label_cells,
    lay_out,
    real_step,
    scrolled,
    split_header,
    table_cells,
)
from widgets.numbers import MISSING, format_step

__all__ = [
    "Column",
    "Row",
    "Scroll",
    "Table",
    "draw_table",
    "scrolled",
    "split_header",
    "table_cells",
    "table_lines",
]


_AT_THE_END = Scroll()


def draw_table(
    table: Table,
    cells: int,
    height: int,
    scroll: Scroll = _AT_THE_END,
    *,
    shows_changes: bool = False,
    is_focused: bool = False,
) -> list[Line]:
    """The part of the table that fits: newest milestones, their changes, the mean of the last entries.

    With `shows_changes` the rows hold the change per 1,000 steps instead of the value.
    """
    name = "per 1,000 steps" if shows_changes else "milestones"
    if not table.rows or not table.columns:
        body: list[Line] = [[("no entry yet", "dim")]]
        return panel(body, [(name, "title")], [], (cells, height), is_focused=is_focused)
    layout = lay_out(table, cells, height - 1, scroll)
    body = [*_header(layout, table.axis)]
    body += [_row(table, index, layout, shows_changes=shows_changes) for index in layout.rows]
    if layout.has_change:
        body.append(_change_row(table, layout))
    if layout.has_recent:
        body.append(_recent_row(table, layout))
    return panel(body, [(name, "title")], _note(table, layout), (cells, height), is_focused=is_focused)


def _header(layout: Layout, axis: str) -> list[Line]:
    lines: list[Line] = []
    depth = len(layout.header[0]) if layout.header else 1
    for level in range(depth):
        word = axis if level == depth - 1 else ""
        line: Line = [(left(word.rjust(layout.label[0]), sum(layout.label)), "dim")]
        for header, wide in zip(layout.header, layout.widths, strict=True):
            line.append(("  " + right(header[level], wide), "dim"))
        lines.append(line)
    return lines


def _row(table: Table, index: int, layout: Layout, *, shows_changes: bool) -> Line:
    row = table.rows[index]
    style = "faint" if row.is_dim or not row.is_reached else "plain"
    line: Line = [
        (right(format_step(row.milestone), layout.label[0]), style),
        (left(real_step(row), layout.label[1]), "faint"),
    ]
    if not row.is_reached:
        return [*line, ("  " + right("due", layout.widths[0]), "faint")]
    for column, wide in zip(layout.columns, layout.widths, strict=True):
        if shows_changes:
            line += _change_cell(table, row, column, wide)
        else:
            line.append(_value_cell(table, row, column, wide, style))
    return line


def _value_cell(table: Table, row: Row, column: int, wide: int, style: str) -> tuple[str, str]:
    name = table.columns[column].name
    value = row.values.get(name)
    text = column_format(table, name)(value)
    special = {MISSING: "faint", "NaN": "critical", "inf": "critical", "−inf": "critical"}
    return ("  " + right(text, wide), special.get(text, style))


def _change_cell(table: Table, row: Row, column: int, wide: int) -> Line:
    """The change with `▴` where it is for the better and `▾` where for the worse."""
    name, direction = table.columns[column].name, table.columns[column].direction
    change = row.changes.get(name)
    if change is None:
        return [("  " + right(MISSING, wide), "faint")]
    text = change_text(column_format(table, name), change)
    if not direction or not change:
        return [("  " + right(text, wide), "dim")]
    is_better = change * direction > 0
    style = "better" if is_better else "worse"
    return [("  " + right(text[:-1], wide - 1) + ("▴" if is_better else "▾"), style)]


def _change_row(table: Table, layout: Layout) -> Line:
    """The change per 1,000 steps into the latest milestone that has one."""
    row = next((row for row in reversed(table.rows) if row.is_reached and row.changes), None)
    line: Line = [(left("per 1,000", sum(layout.label)), "dim")]
    for column, wide in zip(layout.columns, layout.widths, strict=True):
        line += _change_cell(table, row, column, wide) if row else []
    return line


def _recent_row(table: Table, layout: Layout) -> Line:
    line: Line = [(left(f"last {table.recent_entries}", sum(layout.label)), "dim")]
    for column, wide in zip(layout.columns, layout.widths, strict=True):
        name = table.columns[column].name
        line.append(("  " + right(column_format(table, name)(table.recent.get(name)), wide), "strong"))
    return line


def _note(table: Table, layout: Layout) -> Line:
    """What is out of sight, and on which side."""
    before, after = layout.columns[0], len(table.columns) - layout.columns[-1] - 1
    above = layout.rows.start
    parts = [f"↑ {above}" if above else "", f"← {before}" if before else "", f"→ {after}" if after else ""]
    text = "  ".join(part for part in parts if part)
    return [(text, "faint")] if text else []


def table_lines(table: Table, *, shows_changes: bool = False) -> Sequence[str]:
    """The whole table as plain text, for where there is no screen."""
    cells = sum(label_cells(table)) + sum(
        column_cells(table, index) + 2 for index in range(len(table.columns))
    )
    lines = draw_table(table, cells, len(table.rows) + 5, shows_changes=shows_changes)
    return ["".join(text for text, _ in fill(line, cells)).rstrip() for line in lines[1:]]
