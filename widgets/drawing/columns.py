"""Which rows and columns of the milestone table fit into a room, and how wide each is."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from widgets.cells import clean, fit_middle, width
from widgets.drawing.rows import Row, Table
from widgets.numbers import NumberFormat, format_change, format_step, pick_format

MOST_HEADER_CELLS = 9
"""A longer word of a header is cut in its middle."""

_CHANGE_CELLS = 6
"""The most cells of a change; early ones are steep and would widen the column."""

_WORD = re.compile(r"[^_/.\-\s:]+")


class Scroll(Struct, frozen=True):
    """Where the table is scrolled to: its first column and row; without a row it follows the newest milestone."""

    column: int = 0
    row: int | None = None


class Layout(Struct, frozen=True):
    """What a table shows in a given room; rows are indices into the table's."""

    header: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    widths: tuple[int, ...]
    label: tuple[int, int]
    rows: range
    has_recent: bool
    has_change: bool


def lay_out(table: Table, cells: int, rows: int, scroll: Scroll, *, is_sorted: bool = False) -> Layout:
    """Choose columns and rows for a room of `cells` by `rows`, the rule above not counted."""
    label = label_cells(table)
    first = min(scroll.column, len(table.columns) - 1)
    columns, widths = _choose_columns(table, first, cells - sum(label))
    headers = [split_header(clean(table.columns[index].name)) for index in columns]
    depth = max((len(header) for header in headers), default=1) if rows >= 7 else 1
    if depth == 1:
        headers = [
            (fit_middle(clean(table.columns[index].name), wide - 1),)
            for index, wide in zip(columns, widths, strict=True)
        ]
    padded = tuple(("",) * (depth - len(header)) + header for header in headers)
    room = rows - depth
    has_recent, has_change = room >= 3, room >= 5
    room = max(room - has_recent - has_change, 0)
    shown = _choose_rows(table, room, scroll, is_sorted)
    return Layout(padded, columns, widths, label, shown, has_recent, has_change)


def _choose_rows(table: Table, room: int, scroll: Scroll, is_sorted: bool) -> range:
    """The newest milestones and one that is due, or from where it is scrolled to, or the top of a sorted table."""
    most = max(len(table.rows) - room, 0)
    first = scroll.row
    if first is None:
        first = 0 if is_sorted else sum(row.is_reached for row in table.rows) + (room > 3) - room
    first = min(max(first, 0), most)
    return range(first, min(first + room, len(table.rows)))


def _choose_columns(table: Table, first: int, room: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    columns: list[int] = []
    widths: list[int] = []
    for index in range(first, len(table.columns)):
        wide = column_cells(table, index)
        if columns and sum(widths) + len(widths) + wide + 1 > room:
            break
        columns.append(index)
        widths.append(min(wide, max(room - 1, 4)))
    return tuple(columns), tuple(widths)


def column_cells(table: Table, index: int) -> int:
    """The width of a column: that of its header or its widest number, whichever is shown, and its mark's cell."""
    name = table.columns[index].name
    form = column_format(table, name)
    texts = [form(row.values.get(name)) for row in table.rows if row.is_reached]
    texts += [form(table.recent.get(name))]
    texts += [change_text(form, row.changes.get(name)) for row in table.rows]
    texts += [change_text(form, row.differences.get(name)) for row in table.rows if row.differences]
    header = max(len(part) for part in split_header(clean(name)))
    return max(header, *(width(text) for text in texts)) + 1


def change_text(form: NumberFormat, change: float | None) -> str:
    """A change in the column's own format, where that is not wider than three digits with an exponent."""
    text = form.change(change)
    return text if len(text) <= _CHANGE_CELLS else format_change(change)


def column_format(table: Table, name: str) -> NumberFormat:
    """One format for all values of a column."""
    values = [row.values[name] for row in table.rows if name in row.values]
    return pick_format([*values, table.recent[name]] if name in table.recent else values)


@lru_cache(maxsize=512)
def split_header(name: str) -> tuple[str, ...]:
    """A metric's name over one or two lines, broken between its words so that the longer is short.

    >>> split_header("ddtree_streak4"), split_header("loss"), split_header("train/grad_norm")
    (('ddtree', 'streak4'), ('loss',), ('train', 'grad norm'))
    """
    words = _WORD.findall(name) or [name]
    if len(words) == 1:
        return (fit_middle(words[0], MOST_HEADER_CELLS),)
    splits = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    best = min(splits, key=lambda pair: max(map(len, pair)))
    return tuple(fit_middle(part, MOST_HEADER_CELLS) for part in best)


def label_cells(table: Table) -> tuple[int, int]:
    """The cells of the milestone and of what stands beside it: the checkpoint's mark, the real step."""
    steps = [format_step(row.milestone) for row in table.rows]
    real = [real_step(row) for row in table.rows]
    names = (f"last {table.recent_entries}", "per 1,000", table.axis)
    milestone = max(map(len, steps))
    beside = max(map(len, real)) + has_checkpoints(table)
    return milestone, max(beside, max(map(len, names)) - milestone)


def has_checkpoints(table: Table) -> bool:
    """Whether any milestone has one: then there is a cell for its mark."""
    return any(row.has_checkpoint for row in table.rows)


def real_step(row: Row) -> str:
    """The entry's own step, to stand beside the milestone; nothing where it is the milestone itself."""
    if row.step is None or row.step == row.milestone:
        return ""
    return f" ·{format_step(row.step)}"


def column_at(layout: Layout, x: int) -> int | None:
    """Which of the layout's columns is drawn at the cell `x`; None for that of the steps, and right of all."""
    start = sum(layout.label)
    for index, wide in zip(layout.columns, layout.widths, strict=True):
        if start <= x < start + 1 + wide:
            return index
        start += 1 + wide
    return None


def table_cells(table: Table) -> int:
    """How many cells the whole table takes side by side, with every column."""
    if not table.rows or not table.columns:
        return 0
    return sum(label_cells(table)) + sum(
        column_cells(table, index) + 1 for index in range(len(table.columns))
    )
