"""The log as data, how it is looked at, and where in it that is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import chop_cells

from widgets.cells import clean, width
from widgets.drawing.patterns import matches


class ReadLine(Protocol):
    """A line of the log, whoever has read it."""

    @property
    def text(self) -> str:
        """What stands in it."""

    @property
    def is_malformed(self) -> bool:
        """Whether it could not be read as an entry."""

    @property
    def number(self) -> int:
        """Which line of the log it is, from 1."""


class LogLine(Struct, frozen=True):
    """One line of the log; a malformed one could not be read as an entry. `number` counts all lines, from 1."""

    text: str
    is_malformed: bool = False
    number: int = 0


class Log(Struct, frozen=True, eq=False):
    """The last lines, oldest first; `path` is where they are from, `malformed` counts over the whole log.

    `form` is the name of the format that they are read in.
    """

    lines: Sequence[ReadLine] = ()
    path: str = ""
    malformed: int = 0
    form: str = ""

    @property
    def newest(self) -> int:
        """The number of the last line; 0 without any."""
        return self.lines[-1].number if self.lines else 0


class LogView(Struct, frozen=True):
    """How the log is looked at.

    `anchor` is the number of the last line in sight, None while it follows; `rest` counts that line's rows below
    the room's end. `since` is the number of the newest line when it stopped following. `pattern` is what a line has
    to match to be shown, `search` what is marked, both regular expressions; `hit` the number of the line that the
    search is at. `folds`: long lines take several rows. `is_typing`: the last row is being written in.
    """

    anchor: int | None = None
    rest: int = 0
    since: int = 0
    pattern: str = ""
    search: str = ""
    hit: int | None = None
    folds: bool = False
    is_typing: bool = False


def choose_lines(log: Log, view: LogView) -> Sequence[ReadLine]:
    """The lines that the filter lets through."""
    if not view.pattern:
        return log.lines
    return list(compress(log.lines, matches(view.pattern, [line.text for line in log.lines])))


def find_hits(lines: Sequence[ReadLine], view: LogView) -> list[int]:
    """The numbers of the lines in which the search finds something."""
    if not view.search:
        return []
    found = compress(lines, matches(view.search, [line.text for line in lines]))
    return [line.number for line in found]


def moved(log: Log, view: LogView, size: tuple[int, int], down: int) -> LogView:
    """The view after a move by so many rows in a room of `size` (cells, rows); at the end it follows again."""
    cells, height = size
    lines, room = choose_lines(log, view), max(height - 1, 1)
    if not lines:
        return view
    ends = list(accumulate(_rows_of(line, cells, view.folds) for line in lines))
    here = _place(lines, ends, view)
    there = min(max(here + down, min(room, ends[-1])), ends[-1])
    if there == ends[-1]:
        return replace(view, anchor=None, rest=0, since=0)
    index = next(index for index, end in enumerate(ends) if end >= there)
    since = log.newest if view.anchor is None else view.since
    return replace(view, anchor=lines[index].number, rest=ends[index] - there, since=since)


def shown_at(log: Log, view: LogView, size: tuple[int, int], number: int) -> LogView:
    """The view moved so far that the line with this number is seen, with some of what follows it."""
    cells, height = size
    lines, room = choose_lines(log, view), max(height - 1, 1)
    ends = list(accumulate(_rows_of(line, cells, view.folds) for line in lines))
    index = next((index for index, line in enumerate(lines) if line.number == number), None)
    if index is None:
        return view
    here, start = _place(lines, ends, view), ends[index - 1] if index else 0
    if here - room <= start and ends[index] <= here:
        return view
    return moved(log, view, size, min(ends[index] + room // 3, ends[-1]) - here)


def _place(lines: Sequence[ReadLine], ends: Sequence[int], view: LogView) -> int:
    """How many rows stand above the end of the room."""
    if view.anchor is None:
        return ends[-1]
    index = index_of(lines, view.anchor)
    return max(ends[index] - view.rest, 0)


def index_of(lines: Sequence[ReadLine], number: int) -> int:
    """The place of the last line up to this number; the first where all are later."""
    return max(next((i for i in range(len(lines) - 1, -1, -1) if lines[i].number <= number), 0), 0)


def _rows_of(line: ReadLine, cells: int, folds: bool) -> int:
    if not folds:
        return 1
    room = max(cells - 2 * line.is_malformed, 1)
    return -(-len(line.text) // room) or 1 if line.text.isascii() else len(fold(line.text, room))


def fold(text: str, cells: int) -> list[str]:
    """The text over as many rows as it takes, cut between any two characters."""
    text = clean(text)
    if text.isascii():
        return [text[at : at + cells] for at in range(0, len(text), cells)] or [""]
    return [part for part in chop_cells(text, cells) if width(part) <= cells] or [""]
