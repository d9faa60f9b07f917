"""A metric over its steps: raw extremes faint, the smoothed curve strong, and on the axis what happened."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widgets import levels
from widgets.canvas import plot
from widgets.cells import Line, clean, fit_middle, line_width, panel
from widgets.drawing.axes import (
    Mark,
    Scale,
    mark_columns,
    mark_style,
    rail_of,
    tick_labels,
    tick_rows,
    with_axis,
    x_limits,
    y_limits,
)
from widgets.envelope import Envelope, envelope
from widgets.numbers import format_value
from widgets.smoothing import smooth
from widgets.ticks import round_ticks

Floats = npt.NDArray[np.float64]

LOWEST = 5
"""Rows below which there is no room for a curve: the rule, two of canvas, the axis and its numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One metric: steps (n,) and values (n,), which may hold NaN and infinities, in the order of the log.

    `span` is the smoothing in entries (0 for none). `level` is that of an alert on this metric that fires.
    """

    name: str
    x: Floats
    y: Floats
    span: int = 0
    marks: tuple[Mark, ...] = ()
    level: str | None = None
    axis: str = "step"


def draw_curve(curve: Curve, cells: int, height: int, *, is_focused: bool = False) -> list[Line]:
    """The curve in exactly `cells` by `height`, or a sentence where there is nothing to draw."""
    title = _title(curve)
    finite = curve.y[np.isfinite(curve.y) & np.isfinite(curve.x)]
    if height < LOWEST or cells < 12:
        return panel([], title, [], (cells, height), is_focused=is_focused)
    if len(finite) == 0:
        word = "every value so far is NaN or infinite" if len(curve.y) else "no value yet"
        body: list[Line] = [[], [("  " + word, "critical" if len(curve.y) else "dim")]]
        return panel(body, title, [], (cells, height), is_focused=is_focused)
    limits = y_limits(finite)
    ticks = round_ticks(*limits, max(min((height - 3) // 2, 5), 2))
    labels = tick_labels(ticks)
    margin = max(max(map(len, labels), default=0), 3)
    scale = Scale(x_limits(curve.x), limits, cells - margin - 1, height - 3)
    smoothed = smooth(curve.y, curve.span) if curve.span else None
    rows = _canvas(curve, smoothed, scale)
    body = with_axis(rows, tick_rows(ticks, labels, scale), margin)
    body += rail_of(curve.marks, curve.x[~np.isfinite(curve.y)], curve.axis, scale, margin)
    return panel(
        body,
        title,
        _note(curve, smoothed, cells - line_width(title) - 3),
        (cells, height),
        is_focused=is_focused,
    )


def _title(curve: Curve) -> Line:
    last = float(curve.y[-1]) if len(curve.y) else None
    is_broken = last is not None and not math.isfinite(last)
    name: Line = [(fit_middle(clean(curve.name), 24) + " ", "title")]
    if curve.level in ("warning", "critical"):
        name = [(f"{levels.glyph(curve.level)} ", curve.level), *name]
    return [*name, (format_value(last), "critical" if is_broken else "strong")]


def _note(curve: Curve, smoothed: Floats | None, room: int) -> Line:
    """The legend, each line's name in its own style, with the last smoothed value where there is room for it."""
    if smoothed is None:
        return [("raw", "smooth")]
    short: Line = [(f"EMA {curve.span}", "smooth")]
    finite = smoothed[np.isfinite(smoothed)]
    if not len(finite):  # values near the largest float add up to infinity
        return short
    last = float(finite[-1])
    whole: Line = [("raw", "raw"), (" · ", "faint"), (f"EMA {curve.span}  {format_value(last)}", "smooth")]
    return whole if line_width(whole) <= room else short


def _canvas(curve: Curve, smoothed: Floats | None, scale: Scale) -> list[Line]:
    """The rows of the canvas: raw under smoothed, marks where neither is."""
    raw = envelope(curve.x, curve.y, scale.x, scale.columns)
    across, up = raw.path()
    offsets = np.tile(np.array((0.25, 0.75)), len(raw.columns))
    limits = (0.0, float(scale.columns), *scale.y)
    size = (scale.columns, scale.rows)
    raw_rows = plot(across + offsets, up, limits, size, [2 * index for index in _gaps(raw)])
    strong_rows = [" " * scale.columns] * scale.rows
    if smoothed is not None:
        mean = envelope(curve.x, smoothed, scale.x, scale.columns)
        strong_rows = plot(mean.columns + np.float64(0.5), mean.mean, limits, size, _gaps(mean))
    if len(raw.columns) == 1:
        raw_rows = [row.translate(_BOLD_DOT) for row in raw_rows]
    raw_style = "smooth" if smoothed is None else "raw"
    marks = mark_columns(curve.marks, scale)
    lines = [
        _merge(strong, faint, raw_style, marks) for strong, faint in zip(strong_rows, raw_rows, strict=True)
    ]
    return _with_clipped(lines, raw, scale)


_BOLD_DOT = dict.fromkeys(range(10241, 10496), "•")
"""A single point is hard to find as one braille dot."""


def _gaps(shape: Envelope) -> list[int]:
    """The indices of columns before which a whole column has nothing finite, so that the line is broken."""
    empty = np.setdiff1d(shape.holes, shape.columns)
    if len(empty) == 0 or len(shape.columns) < 2:
        return []
    after = np.searchsorted(shape.columns, empty)
    return sorted({int(index) for index in after if 0 < index < len(shape.columns)})


def _merge(strong: str, faint: str, raw_style: str, marks: dict[int, str]) -> Line:
    """One row, cell by cell: the smoothed curve covers the raw one, and a mark shows where neither is."""
    line: Line = []
    for column, (over, under) in enumerate(zip(strong, faint, strict=True)):
        if over != " ":
            char, style = over, "smooth"
        elif under != " ":
            char, style = under, raw_style
        elif column in marks:
            char, style = "┊", mark_style(marks[column])
        else:
            char, style = " ", raw_style
        if line and (line[-1][1] == style or char == " "):
            line[-1] = (line[-1][0] + char, line[-1][1])
        else:
            line.append((char, style))
    return line


def _with_clipped(lines: list[Line], raw: Envelope, scale: Scale) -> list[Line]:
    """Arrows in the outermost rows over the columns whose extremes are beyond the range."""
    over = {int(column) for column in raw.columns[raw.high > scale.y[1]]}
    under = {int(column) for column in raw.columns[raw.low < scale.y[0]]}
    if over:
        lines[0] = _stamped(lines[0], dict.fromkeys(over, ("▴", "warning")))
    if under:
        lines[-1] = _stamped(lines[-1], dict.fromkeys(under, ("▾", "warning")))
    return lines


def _stamped(line: Line, stamps: dict[int, tuple[str, str]]) -> Line:
    cells = [(char, style) for text, style in line for char in text]
    for column, stamp in stamps.items():
        cells[column] = stamp
    return cells
