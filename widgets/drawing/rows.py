"""The milestone table as data: its columns, its rows, and the order of them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from widgets.numbers import format_age


class Column(Struct, frozen=True):
    """One metric; `direction` is -1 where lower is better, 1 where higher is, 0 where neither."""

    name: str
    direction: int = 0


class Row(Struct, frozen=True):
    """One milestone and the entry nearest to it; a metric that the entry lacks is in neither mapping.

    `changes` holds the change per 1,000 steps since the milestone before, `differences` what the run has more than
    a reference at this step. `hidden` names the metrics of which something happened since the milestone before that
    their values do not show. `is_dim`: the entry is nearer to a neighbouring milestone. Where `is_reached` is false,
    `step` is None and nothing is known yet but, perhaps, the seconds until it is due. `has_checkpoint`: the weights
    of this step are kept. `is_unread`: the run has come to it, but that part of its log has not been read yet.
    """

    milestone: float
    step: float | None
    values: Mapping[str, float] = field(default_factory=dict)
    changes: Mapping[str, float] = field(default_factory=dict)
    is_dim: bool = False
    is_reached: bool = True
    differences: Mapping[str, float] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    due_s: float | None = None
    has_checkpoint: bool = False
    is_unread: bool = False


class Table(Struct, frozen=True):
    """The whole table; `recent` holds the means over the last `recent_entries` entries.

    `reference` is the name of what differences are to. `is_over`: no entry is to be expected any more.
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    recent: Mapping[str, float] = field(default_factory=dict)
    recent_entries: int = 0
    axis: str = "step"
    reference: str = ""
    is_over: bool = False


class Order(Struct, frozen=True):
    """What the rows are sorted by, a metric or `STEP`; rows that lack it come last."""

    column: str = ""
    is_descending: bool = False


STEP = ""
"""Stands for the milestone where a metric's name would stand."""

_BY_STEP = Order()


def sort_table(table: Table, order: Order, cell: str = "value") -> Table:
    """The table with its rows in this order, by what its cells show; what is not reached yet stays at the end."""
    if order == _BY_STEP:
        return table

    def key(row: Row) -> tuple[bool, float]:
        number = row.milestone if order.column == STEP else cell_number(row, order.column, cell)
        if number is None or math.isnan(number):
            return True, 0.0
        return False, -number if order.is_descending else number

    reached = sorted((row for row in table.rows if row.is_reached), key=key)
    return replace(table, rows=(*reached, *(row for row in table.rows if not row.is_reached)))


def ahead_text(due_s: float | None, *, is_over: bool, is_unread: bool = False) -> str:
    """What stands at a milestone that was not reached: when it is due, where it still is."""
    if is_unread:
        return "not read yet"
    if is_over:
        return "not reached"
    return "due" if due_s is None else f"due in {format_age(due_s)}"


def cell_number(row: Row, name: str, cell: str) -> float | None:
    """The number in a row's cell; None where there is none."""
    if cell == "change":
        return row.changes.get(name)
    return row.differences.get(name) if cell == "difference" else row.values.get(name)
