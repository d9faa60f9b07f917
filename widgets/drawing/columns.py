"""The milestone table as data, and which of its rows and columns fit into a room."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from widgets.cells import clean, fit_middle, width
from widgets.numbers import NumberFormat, format_change, format_step, pick_format

MOST_HEADER_CELLS = 9
"""A longer word of a header is cut in its middle."""

_CHANGE_CELLS = 6
"""The most cells of a change; early ones are steep and would widen the column."""

_WORD = re.compile(r"[^_/.\-\s:]+")


@dataclass(frozen=True, slots=True)
class Column:
    """One metric; `direction` is -1 where lower is better, 1 where higher is, 0 where neither."""

    name: str
    direction: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One milestone and the entry nearest to it; a metric that the entry lacks is in neither mapping.

    `changes` holds the change per 1,000 steps since the milestone before. `is_dim`: the entry is nearer to a
    neighbouring milestone. Where `is_reached` is false, `step` is None and nothing is known yet.
    """

    milestone: float
    step: float | None
    values: Mapping[str, float] = field(default_factory=dict)
    changes: Mapping[str, float] = field(default_factory=dict)
    is_dim: bool = False
    is_reached: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table; `recent` holds the means over the last `recent_entries` entries."""

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    recent: Mapping[str, float] = field(default_factory=dict)
    recent_entries: int = 0
    axis: str = "step"


@dataclass(frozen=True, slots=True)
class Scroll:
    """Where the table is scrolled to: the first column shown, and the rows up from the end."""

    column: int = 0
    back: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """What a table shows in a given room; rows are indices into the table's."""

    header: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    widths: tuple[int, ...]
    label: tuple[int, int]
    rows: range
    has_recent: bool
    has_change: bool


def lay_out(table: Table, cells: int, rows: int, scroll: Scroll) -> Layout:
    """Choose columns and rows for a room of `cells` by `rows`, the rule above not counted."""
    label = label_cells(table)
    first = min(scroll.column, len(table.columns) - 1)
    columns, widths = _choose_columns(table, first, cells - sum(label))
    headers = [split_header(clean(table.columns[index].name)) for index in columns]
    depth = max((len(header) for header in headers), default=1) if rows >= 7 else 1
    if depth == 1:
        headers = [
            (fit_middle(clean(table.columns[index].name), wide),)
            for index, wide in zip(columns, widths, strict=True)
        ]
    padded = tuple(("",) * (depth - len(header)) + header for header in headers)
    room = rows - depth
    has_recent, has_change = room >= 3, room >= 5
    room = max(room - has_recent - has_change, 0)
    stop = len(table.rows) - min(scroll.back, max(len(table.rows) - room, 0))
    if scroll.back == 0:
        stop = min(stop, max(_reached(table) + (1 if room > 3 else 0), room))
    return Layout(padded, columns, widths, label, range(max(stop - room, 0), stop), has_recent, has_change)


def _reached(table: Table) -> int:
    return sum(row.is_reached for row in table.rows)


def _choose_columns(table: Table, first: int, room: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    columns: list[int] = []
    widths: list[int] = []
    for index in range(first, len(table.columns)):
        wide = column_cells(table, index)
        if columns and sum(widths) + 2 * len(widths) + wide + 2 > room:
            break
        columns.append(index)
        widths.append(min(wide, max(room - 2, 3)))
    return tuple(columns), tuple(widths)


def column_cells(table: Table, index: int) -> int:
    """The width of a column: its header's, or that of its widest number, whichever is shown."""
    name = table.columns[index].name
    form = column_format(table, name)
    texts = [form(row.values.get(name)) for row in table.rows if row.is_reached]
    texts += [
        form(table.recent.get(name)),
        *(change_text(form, row.changes.get(name)) for row in table.rows),
    ]
    header = max(len(part) for part in split_header(clean(name)))
    return max(header, *(width(text) for text in texts))


def change_text(form: NumberFormat, change: float | None) -> str:
    """A change in the column's own format, where that is not wider than three digits with an exponent."""
    text = form.change(change)
    return (text if len(text) <= _CHANGE_CELLS else format_change(change)) + " "


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
    """The cells of the milestone and of the real step beside it."""
    steps = [format_step(row.milestone) for row in table.rows]
    real = [real_step(row) for row in table.rows]
    names = (f"last {table.recent_entries}", "per 1,000", table.axis)
    milestone = max(map(len, steps))
    beside = max(map(len, real))
    return milestone, max(beside, max(map(len, names)) - milestone)


def real_step(row: Row) -> str:
    """The entry's own step, to stand beside the milestone; nothing where it is the milestone itself."""
    if row.step is None or row.step == row.milestone:
        return ""
    return f" ·{format_step(row.step)}"


def scrolled(table: Table, cells: int, rows: int, scroll: Scroll, across: int, down: int) -> Scroll:
    """The scroll after a move of so many columns and rows, kept inside the table."""
    if not table.rows or not table.columns:
        return Scroll()
    layout = lay_out(table, cells, rows - 1, scroll)
    most_back = max(len(table.rows) - len(layout.rows), 0)
    most_column = max(len(table.columns) - 1, 0)
    hidden = len(table.columns) - layout.columns[-1] - 1 if layout.columns else 0
    if across > 0 and not hidden:
        across = 0
    back = len(table.rows) - layout.rows.stop if scroll.back == 0 and down < 0 else scroll.back
    return Scroll(min(max(scroll.column + across, 0), most_column), min(max(back - down, 0), most_back))


def table_cells(table: Table) -> int:
    """How many cells the whole table takes side by side, with every column."""
    if not table.rows or not table.columns:
        return 0
    return sum(label_cells(table)) + sum(
        column_cells(table, index) + 2 for index in range(len(table.columns))
    )
