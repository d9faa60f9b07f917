"""One metric of several runs side by side: its value at each milestone, and the difference to the first run."""

from __future__ import annotations

from msgspec import Struct

from widgets.cells import Line, panel, right, width
from widgets.numbers import MISSING, NumberFormat, format_step, pick_format

_ROOMY = 70
"""Columns from which on the title says what the second number of a run is."""


class Contestant(Struct, frozen=True):
    """A run: the number that it is told by (from 1), and its style."""

    number: int
    style: str


class Milestone(Struct, frozen=True):
    """A milestone: its step, or a word in its place, and the value (or None) of each run there."""

    label: str
    values: tuple[float | None, ...]
    is_dim: bool = False


class SideBySide(Struct, frozen=True):
    """The rows, oldest first; `direction` is -1 where less of the metric is better, 1 where more, 0 where neither."""

    runs: tuple[Contestant, ...] = ()
    rows: tuple[Milestone, ...] = ()
    axis: str = "step"
    direction: int = 0


def draw_side_by_side(table: SideBySide, cells: int, height: int) -> list[Line]:
    """The last rows that fit, of as many runs as fit: values, and after each but the first its difference."""
    if not table.rows or not table.runs:
        return panel([[("no milestone yet", "dim")]], [("milestones", "title")], [], (cells, height))
    form = pick_format(value for row in table.rows for value in row.values if value is not None)
    label = max(*(width(row.label) for row in table.rows), width(table.axis))
    sizes = _sizes(table, form)
    count = _fitting(sizes, cells - label)
    rows = table.rows[-max(height - 2, 0) :] if height > 2 else ()
    body = [
        _header(table, label, sizes[:count]),
        *(_row(row, table, form, label, sizes[:count]) for row in rows),
    ]
    title: Line = [("milestones", "title")]
    if cells >= _ROOMY:
        title.append(("  and the difference to 1", "dim"))
    hidden = len(table.runs) - count
    note: Line = [(f"{hidden} more where it is wider", "dim")] if hidden else []
    return panel(body, title, note, (cells, height))


def format_milestone(step: float) -> str:
    """A milestone's step."""
    return format_step(step)


def _sizes(table: SideBySide, form: NumberFormat) -> list[tuple[int, int]]:
    """The cells of each run's value and of its difference."""
    sizes = []
    for at in range(len(table.runs)):
        values = max((width(form(row.values[at])) for row in table.rows), default=1)
        differences = [width(form.change(_difference(row, at))) for row in table.rows] if at else [0]
        sizes.append((max(values, 2), max(differences)))
    return sizes


def _fitting(sizes: list[tuple[int, int]], room: int) -> int:
    count = 0
    for value, difference in sizes:
        room -= 2 + value + (1 + difference if difference else 0)
        if room < 0:
            break
        count += 1
    return max(count, 1)


def _header(table: SideBySide, label: int, sizes: list[tuple[int, int]]) -> Line:
    line: Line = [(right(table.axis, label), "dim")]
    for run, (value, difference) in zip(table.runs, sizes, strict=False):
        line.append(("  " + right(str(run.number), value), run.style))
        if difference:
            line.append((" " + right("−1", difference), "faint"))
    return line


def _row(
    row: Milestone, table: SideBySide, form: NumberFormat, label: int, sizes: list[tuple[int, int]]
) -> Line:
    line: Line = [(right(row.label, label), "dim" if not row.is_dim else "faint")]
    for at, (value, difference) in enumerate(sizes):
        number = row.values[at]
        line.append(
            ("  " + right(MISSING if number is None else form(number), value), "plain" if at else "strong")
        )
        if difference:
            by = _difference(row, at)
            line.append(
                (" " + right("" if by is None else form.change(by), difference), _style(by, table.direction))
            )
    return line


def _difference(row: Milestone, at: int) -> float | None:
    first, value = row.values[0], row.values[at]
    return None if first is None or value is None else value - first


def _style(by: float | None, direction: int) -> str:
    if not by or not direction:
        return "dim"
    return "better" if by * direction > 0 else "worse"
