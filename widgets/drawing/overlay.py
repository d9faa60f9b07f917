"""One metric of several runs over each other, each in its own colour and with its number at its end."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct, field

from widgets.cells import Line, clean, fit_middle, join, line_width, panel
from widgets.drawing.axes import Ground, Scale, rail_of, tick_rows, with_axis, x_limits, y_limits, y_ticks
from widgets.drawing.picture import Picture, make_picture, paint_series
from widgets.numbers import format_value
from widgets.samples import Samples
from widgets.scale import Axis

MOST_SERIES = 8
"""As many runs as a palette has colours for."""

LOWEST, NARROWEST = 6, 16
"""Rows and columns below which there is no room for a chart."""

_LONGEST_NAME = 28
_SIGNS_A_SERIES = 3
"""How often a curve carries its number before its end, so that it can be told from others without colours."""


class Series(Struct, frozen=True, eq=False):
    """A run's curve: the number that it is told by (from 1), its name, the number of its colour, and its samples.

    `note` says why there is no curve.
    """

    number: int
    name: str
    colour: int
    samples: Samples = field(default_factory=Samples)
    note: str = ""

    @property
    def style(self) -> str:
        """The name of its style."""
        return f"series-{self.colour}"


class Overlay(Struct, frozen=True, eq=False):
    """Curves of one metric. `span` is the smoothing in entries, `place` which of the metrics this is ("2/7")."""

    metric: str
    series: tuple[Series, ...] = ()
    ground: Ground = field(default_factory=Ground)
    limits: tuple[float, float] | None = None
    span: int = 0
    is_log_y: bool = False
    place: str = ""


def colour_series(names: Sequence[str]) -> list[int]:
    """A colour (1 to 8) for each name: the same for a name whatever stands beside it, where it is free."""
    taken: dict[int, int] = {}
    for at in sorted(range(len(names)), key=lambda at: names[at]):
        wish = sum(ord(char) * 31**place for place, char in enumerate(names[at][::-1])) % MOST_SERIES
        free = [(wish + step) % MOST_SERIES for step in range(MOST_SERIES)]
        taken[at] = next((colour for colour in free if colour not in taken.values()), wish)
    return [taken[at] + 1 for at in range(len(names))]


def draw_overlay(overlay: Overlay, cells: int, height: int) -> list[Line]:
    """The legend, and under it the curves over their axis, in exactly `cells` by `height`."""
    title = _title(overlay)
    note = _note(overlay)
    legend = draw_legend(overlay, cells, max(height // 3, 1))
    room = height - 1 - len(legend)
    body = _chart(overlay, cells, room) if room >= LOWEST and cells >= NARROWEST else []
    return panel([*legend, *body], title, note, (cells, height))


def draw_legend(overlay: Overlay, cells: int, rows: int) -> list[Line]:
    """Number, name and last value of each run, several beside each other where they fit."""
    names = [fit_middle(clean(each.name), min(_LONGEST_NAME, max(cells - 14, 6))) for each in overlay.series]
    longest = max(map(len, names), default=0)
    parts: list[Line] = []
    for each, name in zip(overlay.series, names, strict=True):
        last = each.samples.last_smoothed if overlay.span else each.samples.last
        value, style = (format_value(last), "strong") if last is not None else (each.note or "—", "dim")
        if last is not None and not math.isfinite(last):
            style = "critical"
        parts.append([(f" {each.number} {name.ljust(longest)} ", each.style), (f"{value:>7}", style)])
    if not parts:
        return []
    wide = max(line_width(part) for part in parts)
    across = max((cells + 2) // (wide + 2), 1)
    across = -(-len(parts) // -(-len(parts) // across))  # no row much emptier than the others
    padded: list[Line] = [[*part, (" " * (wide - line_width(part)), "plain")] for part in parts]
    lines = [join(padded[at : at + across], ("  ", "plain")) for at in range(0, len(padded), across)]
    return lines[:rows]


def _title(overlay: Overlay) -> Line:
    line: Line = [(fit_middle(clean(overlay.metric), _LONGEST_NAME), "title")]
    return [*line, (f"  {overlay.place}", "faint")] if overlay.place else line


def _note(overlay: Overlay) -> Line:
    parts = [f"EMA {overlay.span}" if overlay.span else "raw"]
    if overlay.is_log_y:
        parts.append("log y")
    return [(" · ".join(parts), "dim")]


def _chart(overlay: Overlay, cells: int, rows: int) -> list[Line]:
    limits = overlay.limits or x_limits(
        np.concatenate([each.samples.x for each in overlay.series] or [np.zeros(0)])
    )
    extremes = _extremes(overlay) if limits else np.zeros(0)
    if limits is None or not len(extremes):
        word = "nothing above 0, so nothing for a logarithmic axis" if overlay.is_log_y else "no value yet"
        return [[("  " + word, "dim")]]
    y = Axis(*y_limits(extremes, is_log=overlay.is_log_y), overlay.is_log_y)
    ticks, labels = y_ticks(y, rows - 2)
    margin = max(max(map(len, labels), default=0), 3)
    scale = Scale(
        Axis(*limits), y, max(cells - margin - 2, 1), rows - 2
    )  # a column is for numbers at the ends
    picture = make_picture(Samples(), Scale(scale.x, y, scale.columns + 1, scale.rows))
    ends = [_paint(picture, each, scale) for each in overlay.series]
    _sign(picture, overlay.series, ends, scale)
    lost = np.concatenate([each.samples.lost for each in overlay.series])
    rail = rail_of(overlay.ground, lost[(lost >= limits[0]) & (lost <= limits[1])], scale, margin)
    return [*with_axis(picture.lines(), tick_rows(ticks, labels, scale), margin), *rail]


def _extremes(overlay: Overlay) -> np.ndarray:
    """What the curves reach, as they are drawn."""
    values = [
        part
        for each in overlay.series
        for part in (
            (each.samples.low, each.samples.high)
            if each.samples.smoothed is None
            else (each.samples.smoothed,)
        )
    ]
    found = np.concatenate(values) if values else np.zeros(0)
    return found[np.isfinite(found) & ((found > 0) | (not overlay.is_log_y))]


def _paint(picture: Picture, series: Series, scale: Scale) -> int | None:
    """Draw a curve beside the column for the numbers; where it ends."""
    part = Picture(picture.codes[:, :-1], picture.styles[:, :-1])
    return paint_series(part, series.samples, scale, series.style)


def _sign(picture: Picture, series: Sequence[Series], ends: Sequence[int | None], scale: Scale) -> None:
    """Put each curve's number at its end, and here and there on it, at another place than its neighbours'."""
    taken = set[tuple[int, int]]()
    for each, end in zip(series, ends, strict=True):
        if end is None:
            continue
        last = min(end + 1, scale.columns)
        for row in _near(_row_at(each.samples, end, scale), scale.rows):
            if (row, last) not in taken:
                _put(picture, row, last, each, taken)
                break
        for turn in range(_SIGNS_A_SERIES):
            share = (turn + each.number / (len(series) + 1)) / _SIGNS_A_SERIES
            column = int(share * end)
            at = _row_at(each.samples, column, scale)
            if 0 < column < end - 1 and at is not None and (at, column) not in taken:
                _put(picture, at, column, each, taken)


def _put(picture: Picture, row: int, column: int, series: Series, taken: set[tuple[int, int]]) -> None:
    picture.stamp(row, [column], str(series.number), series.style)
    taken.add((row, column))


def _near(row: int | None, rows: int) -> list[int]:
    """The rows by how near they are to one."""
    return [] if row is None else sorted(range(rows), key=lambda other: abs(other - row))


def _row_at(samples: Samples, column: int, scale: Scale) -> int | None:
    """The row of the canvas, from its top, that a curve has in a column; None where it has none near there."""
    y = samples.smoothed if samples.smoothed is not None else samples.high
    drawn = np.isfinite(y) & np.isfinite(samples.x) & ((y > 0) | (not scale.y.is_log))
    if not drawn.any():
        return None
    away = np.abs(scale.x.cells(samples.x[drawn], scale.columns) - column)
    nearest = int(np.argmin(away))
    if away[nearest] > 1:
        return None
    level = scale.y.cells(y[drawn][nearest : nearest + 1], scale.rows)[0]
    return scale.rows - 1 - int(level)


__all__ = ["MOST_SERIES", "Overlay", "Series", "colour_series", "draw_legend", "draw_overlay"]
