"""One line a metric: its name, its last value, how it moves, and its shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from widgets import levels as marks
from widgets.braille import braille_row, levels
from widgets.cells import Line, clean, fill, fit_middle, left, line_width, panel, right, width
from widgets.envelope import envelope_of
from widgets.numbers import (
    MOST_DECIMALS,
    NumberFormat,
    format_change,
    format_compact,
    format_value,
    pick_format,
)
from widgets.scale import Axis

Floats = npt.NDArray[np.float64]

NARROWEST = 36
"""Columns that one metric needs beside another."""

WIDEST_SHAPE = 24
"""Cells of the longest sparkline; a longer one tells no more."""

_LAST_CELLS, _CHANGE_CELLS = 6, 7
"""What a number of three digits may take, so that nothing moves when it comes to take more than it did."""

_SHAPE_CELLS = 6
"""Cells of the shortest sparkline and of the blank before it; a mark at the name may take one of them."""

_CHANGE_FROM = 30
"""Cells of a metric from which its change is told."""

_LOUD = ("warning", "critical")
"""The levels that a metric is marked with."""

_HOLE = "×"


class Metric(Struct, frozen=True, eq=False):
    """One metric at one moment.

    `values` (n,) is its whole series, in order; it may hold NaN and infinities. `change` is how the mean of
    the last entries differs from the mean of as many before. `direction` is -1 where lower is better, 1 where
    higher is, 0 where neither. `level` colours the name while an alert on it fires.
    """

    name: str
    values: Floats
    last: float | None = None
    change: float | None = None
    direction: int = 0
    is_rate: bool = False
    level: str | None = None


def draw_sparkline(values: Floats, cells: int) -> Line:
    """The series in one row of braille, scaled to its middle 96 %; `×` where nothing finite was logged."""
    if cells < 1:
        return []
    if len(values) == 0:
        return [(" " * cells, "faint")]
    columns = 2 * cells
    shape = envelope_of(np.arange(float(len(values))), values, Axis(0.0, float(len(values))), columns)
    heights = np.full(columns, np.nan)
    heights[shape.columns] = shape.mean
    if len(values) < columns:
        heights = _stretched(values, columns)
    if not np.isfinite(heights).any():
        return [(_HOLE * cells, "critical")]
    low, high = np.nanpercentile(heights, (2, 98))
    row = braille_row(levels(heights, float(low), float(high)))
    return _with_holes(
        row, heights, shape.holes if len(values) >= columns else np.flatnonzero(np.isnan(heights))
    )


def _stretched(values: Floats, columns: int) -> Floats:
    """Fewer values than columns: each keeps its height over its share of them."""
    index = np.arange(columns) * len(values) // columns
    heights = values[index].astype(np.float64)
    heights[~np.isfinite(heights)] = np.nan
    return heights


def _with_holes(row: str, heights: Floats, holes: npt.NDArray[np.int64]) -> Line:
    marked = {int(column) // 2 for column in holes if np.isnan(heights[column])}
    line: Line = []
    for cell, char in enumerate(row):
        style = "critical" if cell in marked else "smooth"
        char = _HOLE if cell in marked else char
        if line and line[-1][1] == style:
            line[-1] = (line[-1][0] + char, style)
        else:
            line.append((char, style))
    return line


class Widths(Struct, frozen=True):
    """The cells of a metric's name, its alert's mark, its last value, and its change; without room for one it is 0."""

    name: int
    mark: int
    last: int
    change: int


def draw_metric(metric: Metric, cells: int, widths: Widths) -> Line:
    """The metric in one row of `cells`."""
    alert = metric.level if metric.level in _LOUD else None
    is_broken = metric.last is not None and not math.isfinite(metric.last)
    line: Line = [
        (left(fit_middle(clean(metric.name), widths.name), widths.name), alert or "plain"),
        (_mark(alert, widths.mark), alert or "plain"),
        (right(_last_text(metric), widths.last), "critical" if is_broken else "strong"),
    ]
    if widths.change:
        line.append((" " + right(_change_text(metric), widths.change), "dim"))
    room = min(cells - line_width(line) - 1, WIDEST_SHAPE)
    return fill([*line, (" ", "plain"), *draw_sparkline(metric.values, room)] if room > 2 else line, cells)


def _mark(alert: str | None, cells: int) -> str:
    """The alert's glyph between the name and the number, touching neither where there is room."""
    return f"{' ' * (cells > 2)}{marks.glyph(alert) if alert else ''}".ljust(cells)


def _last_text(metric: Metric) -> str:
    return format_compact(metric.last) if metric.is_rate else format_value(metric.last)


def _change_text(metric: Metric) -> str:
    """The change with one decimal more than the last value has."""
    if metric.change is None or metric.last is None or not math.isfinite(metric.last):
        return format_change(metric.change)
    form = pick_format([metric.last])
    return NumberFormat(form.kind, min(form.decimals + 1, MOST_DECIMALS)).change(metric.change)


def _choose_widths(metrics: Sequence[Metric], each: int) -> Widths:
    """The name gets what it needs, the shape at least five cells; numbers are never cut."""
    last = max((width(_last_text(metric)) for metric in metrics), default=1)
    change = max((width(_change_text(metric)) for metric in metrics), default=1)
    last, change = max(last, _LAST_CELLS), max(change, _CHANGE_CELLS) if each >= _CHANGE_FROM else 0
    is_loud = any(metric.level in _LOUD for metric in metrics)
    mark = (3 if each >= NARROWEST else 2) if is_loud else 1
    longest = max((width(clean(metric.name)) for metric in metrics), default=4)
    taken = mark + last + (change + 1 if change else 0) + _SHAPE_CELLS - (mark == 2)
    return Widths(max(min(longest, each - taken, 20), 4), mark, last, change)


def metric_columns(cells: int) -> int:
    """How many metrics stand side by side."""
    return max((cells + 2) // (NARROWEST + 2), 1)


def metric_rows(count: int, cells: int) -> int:
    """How many rows so many metrics take, without a rule above."""
    return -(-count // metric_columns(cells))


def metric_at(count: int, cells: int, height: int, x: int, y: int, *, title: str = "") -> int | None:
    """The index of the metric, of so many, that is drawn at this place; None where none is."""
    rows = height - 1 if title else height
    row = y - 1 if title else y
    columns = metric_columns(cells)
    rows_used = min(rows, metric_rows(count, cells)) or 1
    each = (cells - 2 * (columns - 1)) // columns
    index = x // (each + 2) * rows_used + row
    return index if 0 <= row < rows_used and index < min(count, rows_used * columns) else None


def draw_metrics(
    metrics: Sequence[Metric], cells: int, height: int, *, title: str = "", more: int = 0
) -> list[Line]:
    """All metrics, column by column, under a rule where there is a title, which says how many did not fit.

    `more` are those that were not even given.
    """
    rows = height - 1 if title else height
    if rows < 1:
        return []
    columns = metric_columns(cells)
    rows_used = min(rows, metric_rows(len(metrics), cells)) or 1
    shown = metrics[: rows_used * columns]
    each = (cells - 2 * (columns - 1)) // columns
    widths = _choose_widths(shown, each)
    body: list[Line] = []
    for row in range(rows_used):
        line: Line = []
        for metric in shown[row::rows_used]:
            line += [*([("  ", "plain")] if line else []), *draw_metric(metric, each, widths)]
        body.append(fill(line, cells))
    if not title:
        return body
    hidden = len(metrics) - len(shown) + more
    note: Line = [(f"{hidden} more", "accent")] if hidden else [("last · change over 50 entries", "faint")]
    return panel(body, [(title, "title")], note, (cells, height))
