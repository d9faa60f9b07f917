"""The milestone table as text to paste, whole, in the order and with the cells that are looked at."""

from __future__ import annotations

from widgets.cells import clean, left, right, width
from widgets.drawing.columns import change_text, column_format
from widgets.drawing.rows import Row, Table, ahead_text, cell_number, sort_table
from widgets.drawing.table import TableView
from widgets.numbers import MISSING, format_step


def table_text(table: Table, view: TableView) -> str:
    """The table in aligned columns."""
    rows = _cells(table, view)
    widths = [max(width(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = [
        [
            left(row[0], widths[0]),
            *(right(cell, wide) for cell, wide in zip(row[1:], widths[1:], strict=True)),
        ]
        for row in rows
    ]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def table_markdown(table: Table, view: TableView) -> str:
    """The table as markdown, numbers to the right."""
    head, *rows = [[cell.replace("|", "\\|") for cell in row] for row in _cells(table, view)]
    rule = ["---:"] * len(head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def _cells(table: Table, view: TableView) -> list[list[str]]:
    names = [column.name for column in table.columns]
    ordered = sort_table(table, view.order, view.cell)
    cells = [[table.axis, *map(clean, names)]]
    cells += [
        [_label(table, row), *(_cell(table, row, name, view.cell) for name in names)] for row in ordered.rows
    ]
    if view.cell == "value":
        means = [column_format(table, name)(table.recent.get(name)) for name in names]
        cells.append([f"last {table.recent_entries}", *means])
    return cells


def _label(table: Table, row: Row) -> str:
    """The milestone with its real step, its checkpoint, or when it is due."""
    told = [format_step(row.milestone)]
    if not row.is_reached:
        told.append(ahead_text(row.due_s, is_over=table.is_over, is_unread=row.is_unread))
    elif row.step != row.milestone:
        told.append(f"({format_step(row.step)})")
    return " ".join([*told, "◆"] if row.has_checkpoint else told)


def _cell(table: Table, row: Row, name: str, cell: str) -> str:
    number, form = cell_number(row, name, cell), column_format(table, name)
    if not row.is_reached:
        return ""
    if cell == "value":
        return form(number)
    return MISSING if number is None else change_text(form, number)
