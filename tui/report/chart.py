"""A metric over its steps as SVG: extremes as a faint band, the smoothed curve as a line, marks where it went wrong."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from widgets.drawing.axes import tick_labels, x_limits, y_limits
from widgets.envelope import envelope_of
from widgets.numbers import format_tick, format_value
from widgets.scale import Axis
from widgets.smoothing import smooth
from widgets.ticks import round_ticks

WIDTH, HEIGHT = 480, 220
"""The size of a chart in its own units, which are pixels where nothing scales it."""

LEFT, RIGHT, TOP, BOTTOM = 56, 12, 28, 26
"""The margins around the canvas, for the numbers and the title."""

COLUMNS = 240
"""Over how many columns the extremes are taken: one for two pixels."""

_COLOURS = {"ink": "#1c2330", "dim": "#667085", "rule": "#d5d9e0", "line": "#1f6feb", "faint": "#9db7de"}
_LEVELS = {"critical": "#b42318", "warning": "#b54708"}


class Chart(Struct, frozen=True, eq=False):
    """One curve: steps (n,) and values (n,), which may hold NaN and infinities, in the order of the log.

    `span` is the smoothing in entries. `marks` are steps and the severity of what began there.
    """

    name: str
    steps: Floats
    values: Floats
    span: int = 0
    marks: tuple[tuple[float, str], ...] = ()
    axis: str = "step"


class _Frame(Struct, frozen=True):
    """Places values on the canvas."""

    x: Axis
    y: Axis

    def across(self, x: float) -> float:
        return LEFT + self.x.fraction(x) * (WIDTH - LEFT - RIGHT)

    def column(self, column: float) -> float:
        return LEFT + (column + 0.5) / COLUMNS * (WIDTH - LEFT - RIGHT)

    def down(self, y: float) -> float:
        share = np.nan_to_num(
            self.y.fraction(y), nan=0.5
        )  # a range wider than the largest float has no places
        return float(HEIGHT - BOTTOM - min(max(share, 0.0), 1.0) * (HEIGHT - TOP - BOTTOM))


def draw_svg(chart: Chart) -> str:
    """The chart as one `svg` element; colours are variables with a fallback, so that a page may have a dark side."""
    last = float(chart.values[-1]) if len(chart.values) else None
    title = f"{chart.name} {format_value(last)}"
    body = [_text(LEFT, 18, title, "ink", "start", 'font-weight="600"')]
    finite = chart.values[np.isfinite(chart.values) & np.isfinite(chart.steps)]
    limits = x_limits(chart.steps)
    if len(finite) and limits:
        frame = _Frame(Axis(*limits), Axis(*y_limits(finite)))
        body += [*_axes(frame), *_curve(chart, frame), *_marks(chart, frame)]
    else:
        body.append(_text(WIDTH / 2, HEIGHT / 2, "no finite value", "dim", "middle"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" font-family="system-ui, sans-serif" font-size="11"><title>{escape(title)}</title>'
        f"{''.join(body)}</svg>"
    )


def _axes(frame: _Frame) -> Iterable[str]:
    ticks = round_ticks(frame.y.low, frame.y.high, 5)
    for tick, label in zip(ticks, tick_labels(ticks), strict=True):
        y = frame.down(tick)
        yield _path(f"M{LEFT} {y:.1f}H{WIDTH - RIGHT}", _colour("rule"))
        yield _text(LEFT - 6, y + 4, label, "dim", "end")
    for tick in round_ticks(frame.x.low, frame.x.high, 6):
        yield _text(frame.across(tick), HEIGHT - 8, format_tick(tick), "dim", "middle")


def _curve(chart: Chart, frame: _Frame) -> Iterable[str]:
    """The extremes of each column as bars, and the smoothed values as a line that breaks where nothing is finite."""
    raw = envelope_of(chart.steps, chart.values, frame.x, COLUMNS)
    bars = "".join(
        f"M{frame.column(column):.1f} {frame.down(low) + 0.5:.1f}V{frame.down(high) - 0.5:.1f}"
        for column, low, high in zip(raw.columns.tolist(), raw.low.tolist(), raw.high.tolist(), strict=True)
    )
    yield _path(bars, _colour("faint"), 2)
    mean = envelope_of(chart.steps, smooth(chart.values, chart.span), frame.x, COLUMNS)
    breaks = {0, *mean.gaps()}
    line = "".join(
        f"{'M' if index in breaks else 'L'}{frame.column(column):.1f} {frame.down(value):.1f}"
        for index, (column, value) in enumerate(zip(mean.columns.tolist(), mean.mean.tolist(), strict=True))
    )
    yield _path(line, _colour("line"), 1.8)


def _marks(chart: Chart, frame: _Frame) -> Iterable[str]:
    for step, level in chart.marks:
        if frame.x.has(step):
            colour = f"var(--{level}, {_LEVELS[level]})" if level in _LEVELS else _colour("dim")
            yield _path(f"M{frame.across(step):.1f} {TOP}V{HEIGHT - BOTTOM}", colour, 1, "3 3")


def _path(shape: str, colour: str, width: float = 1, dashes: str | None = None) -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="{shape}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed} />'


def _text(x: float, y: float, text: str, colour: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{_colour(colour)}" text-anchor="{anchor}" {more}>{escape(text)}</text>'


def _colour(name: str) -> str:
    return f"var(--{name}, {_COLOURS[name]})"
