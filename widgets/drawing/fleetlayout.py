"""Which columns of a fleet fit, and how wide they are: the same whatever the digits, so that nothing jumps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from msgspec import Struct

from widgets.cells import clean, width
from widgets.drawing.fleetrows import COLUMNS, Fleet, FleetRow, text_of

_WIDE, _ALL = 24, 10_000

_KEPT = 512
"""Rows of which is known how much room they take: twice as many as anybody watches at once."""

WISHES = (
    ("alert", 10), ("loss", 6), ("step", 7), ("age", 4), ("name", 16), ("state", 12), ("curve", 6), ("alert", 18),
    ("progress", 4), ("eta", 7), ("rate", 7), ("name", 36), ("alert", _WIDE), ("host", _WIDE), ("curve", 20),
    ("alert", _ALL),
)  # fmt: skip
"""The columns and the cells that each gets, by how much they are missed: the last go first where there is no room. A
number wider than usual makes its column wider; a column that is there already grows as far as there is room."""

_TEXTS = ("name", "host", "state", "curve", "alert")
"""The columns that are cut where there is no room; a number never is."""

_LEAST_NAME = 9

_NARROW = 60
"""Columns below which one blank stands between two columns instead of two."""


class HostLine(Struct, frozen=True):
    """The line over the runs of one host."""

    host: str


class Layout(Struct, frozen=True):
    """What stands where: the cells of the name and of each column, the blanks between them, and the lines in order."""

    name_cells: int
    gap: int
    columns: dict[str, int]
    lines: Sequence[FleetRow | HostLine]


@lru_cache(maxsize=4)
def lay_out(fleet: Fleet, cells: int) -> Layout:
    """The columns that fit beside the name, in their order; what is left goes to the name, the alert and the curve.

    The last few are kept: a fleet is laid out once, however often it is drawn and pointed at.
    """
    gap = 1 if cells < _NARROW else 2
    longest = max(max((_name_cells(row) for row in fleet.rows), default=4), 4)
    sizes = {"name": min(longest, _LEAST_NAME)}
    room = cells - 3 - sizes["name"]
    needs = {name: _needed_cells(name, fleet.rows) for name in fleet.columns} | {"name": longest}
    for name, wish in WISHES:
        size = _granted(needs.get(name, 0), wish, is_text=name in _TEXTS)
        if name in sizes:
            size = min(size, sizes[name] + room)
            room -= max(size - sizes[name], 0)
            sizes[name] = max(size, sizes[name])
        elif 0 < size <= room - gap:
            sizes[name] = size
            room -= size + gap
    columns = {name: sizes[name] for name in fleet.columns if name in sizes}
    return Layout(max(sizes["name"], 1), gap, columns, _lines(fleet, has_host="host" in columns))


def _lines(fleet: Fleet, *, has_host: bool) -> Sequence[FleetRow | HostLine]:
    """All rows, with a line for each host where there are several and the host is no column."""
    if has_host or len({row.host for row in fleet.rows}) < 2:
        return fleet.rows
    lines: list[FleetRow | HostLine] = []
    for host, rows in groupby(fleet.rows, key=lambda row: row.host):
        lines += [HostLine(host), *rows]
    return lines


def _granted(needed: int, wish: int, *, is_text: bool) -> int:
    """The cells that a column gets: as it is wished for, less where all it says is short, more for a long number."""
    return min(needed, wish) if is_text else needed and max(needed, wish)


def _needed_cells(name: str, rows: Sequence[FleetRow]) -> int:
    """The cells of the longest that is said in a column; 0 where no run has anything to say in it."""
    if name in ("state", "curve", "alert"):
        return _ALL
    widest = max((_text_cells(name, row) for row in rows), default=0)
    return max(widest, 1) if name in ("step", "loss", "age") else widest


@lru_cache(maxsize=_KEPT)
def _name_cells(row: FleetRow) -> int:
    return width(clean(row.name))


@lru_cache(maxsize=_KEPT * len(COLUMNS))
def _text_cells(name: str, row: FleetRow) -> int:
    """The cells of what a row says in a column; a row never changes, and most stand in many fleets."""
    return width(text_of(name, row))
