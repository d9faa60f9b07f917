"""A metric over its steps: raw extremes faint, the smoothed curve strong, and on the axis what happened."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct, field

from widgets import levels
from widgets.cells import Line, clean, fit_middle, join, line_width, panel
from widgets.drawing.axes import (
    Ground,
    Scale,
    column_of,
    rail_of,
    tick_rows,
    with_axis,
    x_limits,
    y_limits,
    y_ticks,
)
from widgets.drawing.picture import Picture, make_picture
from widgets.numbers import format_value
from widgets.samples import Path, Samples
from widgets.scale import Axis

LOWEST = 5
"""Rows below which there is no room for a curve: the rule, two of canvas, the axis and its numbers."""

NARROWEST = 12
"""Columns below which there is none either."""

LONGEST_NAME = 24


class Curve(Struct, frozen=True, eq=False):
    """One metric.

    `span` is the smoothing in entries (0 for none). `limits` is the range of x to show, None for all there is.
    `level` is that of an alert on this metric that fires. `reference` is another run's line, `ghosts` what a
    restart has replaced, `band` the extremes of the many that this metric is the middle of. `note` says what is shown
    where that is not all.
    """

    name: str
    samples: Samples = field(default_factory=Samples)
    span: int = 0
    ground: Ground = field(default_factory=Ground)
    level: str | None = None
    limits: tuple[float, float] | None = None
    is_log_x: bool = False
    is_log_y: bool = False
    reference: Path | None = None
    ghosts: Path | None = None
    band: Samples | None = None
    note: str = ""
    is_pinned: bool = False


class Reading(Struct, frozen=True):
    """What a curve says where the crosshair is: the x of the nearest entry, its value, and x as text."""

    x: float
    value: float
    text: str


class Frame(Struct, frozen=True, eq=False):
    """The drawn part of a curve, which is the same wherever the crosshair stands.

    `picture` is None where there is nothing to draw; then `body` says so.
    """

    body: list[Line]
    scale: Scale | None = None
    picture: Picture | None = None
    ticks: dict[int, str] = field(default_factory=dict)
    margin: int = 0
    is_cut: bool = False
    """Whether values have no place on a logarithmic axis."""

    def x_at(self, column: int) -> float | None:
        """The x under a column of the panel; None outside of the canvas."""
        if self.scale is None or not 0 <= column - self.margin - 1 < self.scale.columns:
            return None
        return self.scale.x.value_at((column - self.margin - 0.5) / self.scale.columns)

    def column_at(self, column: int) -> int:
        """The canvas' column under one of the panel, the nearest where it is outside."""
        last = self.scale.columns - 1 if self.scale else 0
        return min(max(column - self.margin - 1, 0), last)


def make_frame(curve: Curve, cells: int, height: int) -> Frame:
    """Draw a curve in `cells` by `height`; what costs time is in here."""
    if height < LOWEST or cells < NARROWEST:
        return Frame([])
    samples = curve.samples
    limits = curve.limits or x_limits(samples.x, is_log=curve.is_log_x)
    if limits is None or (curve.is_log_x and not limits[1] > 0):
        return _say_nothing(curve)
    x = Axis(
        max(*limits) * 1e-9 if curve.is_log_x and limits[0] <= 0 else limits[0], limits[1], curve.is_log_x
    )
    low, high = _shown_extremes(samples, x)
    if curve.band is not None:
        edges = _shown_extremes(curve.band, x)
        low, high = np.concatenate((low, edges[0])), np.concatenate((high, edges[1]))
    is_cut = curve.is_log_y and bool((low <= 0).any())
    if curve.is_log_y:
        low, high = low[low > 0], high[high > 0]
    if not len(high):
        return _say_nothing(curve)
    y = Axis(*y_limits(low, high, is_log=curve.is_log_y), curve.is_log_y)
    ticks, labels = y_ticks(y, height - 3)
    margin = max(max(map(len, labels), default=0), 3)
    scale = Scale(x, y, max(cells - margin - 1, 1), height - 3)
    picture = make_picture(
        samples,
        scale,
        curve.ground.marks,
        ghosts=curve.ghosts,
        reference=curve.reference,
        band=curve.band,
    )
    lost = samples.lost[(samples.lost >= x.low) & (samples.lost <= x.high)]
    rail = rail_of(curve.ground, lost, scale, margin)
    return Frame(rail, scale, picture, tick_rows(ticks, labels, scale), margin, is_cut)


def draw_curve(
    curve: Curve,
    cells: int,
    height: int,
    *,
    frame: Frame | None = None,
    reading: Reading | None = None,
    chosen: tuple[int, int] | None = None,
    is_focused: bool = False,
) -> list[Line]:
    """The curve in exactly `cells` by `height`, or a sentence where there is nothing to draw.

    Args:
        curve: The curve.
        cells: The room's width.
        height: Its height.
        frame: What `make_frame` gave for this curve and room, where it is known already.
        reading: What the crosshair reads.
        chosen: The first and the last column of the canvas that are being chosen.
        is_focused: Whether keys go to it.
    """
    frame = frame or make_frame(curve, cells, height)
    title = _title(curve, reading)
    note = _note(curve, frame, cells - line_width(title) - 5)
    if frame.picture is None or frame.scale is None:
        return panel(frame.body, title, note, (cells, height), is_focused=is_focused)
    picture = frame.picture
    if chosen is not None:
        picture = picture.with_range(*chosen)
    if reading is not None and frame.scale.x.has(reading.x):
        picture = picture.with_line(column_of(reading.x, frame.scale))
    rule = panel([], title, note, (cells, 1), is_focused=is_focused)
    return [*rule, *with_axis(picture.lines(), frame.ticks, frame.margin), *frame.body]


def _shown_extremes(samples: Samples, x: Axis) -> tuple[np.ndarray, np.ndarray]:
    is_shown = np.isfinite(samples.low) & (samples.x >= x.low) & (samples.x <= x.high)
    if is_shown.all():
        return samples.low, samples.high
    return samples.low[is_shown], samples.high[is_shown]


def _say_nothing(curve: Curve) -> Frame:
    """A sentence where there is nothing to draw."""
    samples = curve.samples
    is_log = curve.is_log_x or curve.is_log_y
    if not np.isfinite(samples.low).any():
        is_broken = len(samples.lost) > 0 or samples.last is not None
        word = "every value so far is NaN or infinite" if is_broken else "no value yet"
        if is_broken and curve.limits:
            word = "every value here is NaN or infinite"
    elif is_log:
        is_broken, word = False, "nothing above 0, so nothing for a logarithmic axis"
    else:
        is_broken, word = False, "no value in this range"
    return Frame([[], [("  " + word, "critical" if is_broken else "dim")]])


def _title(curve: Curve, reading: Reading | None) -> Line:
    name: Line = [(fit_middle(clean(curve.name), LONGEST_NAME) + " ", "title")]
    if curve.level in ("warning", "critical"):
        name = [(f"{levels.glyph(curve.level)} ", curve.level), *name]
    if curve.is_pinned:
        name = [("* ", "accent"), *name]
    if reading is not None:
        return [*name, (format_value(reading.value), "accent"), (f" at {reading.text}", "dim")]
    last = curve.samples.last
    is_broken = last is not None and not math.isfinite(last)
    return [*name, (format_value(last), "critical" if is_broken else "strong")]


def _note(curve: Curve, frame: Frame, room: int) -> Line:
    """What is shown: the range, the scale, and each line's name in its own style; as much as there is room for."""
    parts: list[Line] = []
    if curve.note:
        parts.append([(curve.note, "accent")])
    if curve.is_log_x or curve.is_log_y:
        axes = " ".join(name for name, is_log in (("y", curve.is_log_y), ("x", curve.is_log_x)) if is_log)
        cut = ", ≤ 0 not shown" if frame.is_cut else ""
        parts.append([(f"log {axes}{cut}", "warning" if cut else "dim")])
    legends = _legends(curve)
    for legend in legends:
        found = join([*parts, legend], (" · ", "faint"))
        if line_width(found) <= room:
            return found
    while parts and line_width(join(parts, (" · ", "faint"))) > room:
        parts.pop()
    return join(parts, (" · ", "faint")) if parts else legends[-1]


def _legends(curve: Curve) -> list[Line]:
    """The names of the lines, from all that can be said to the least."""
    others: list[Line] = []
    if curve.ghosts is not None and len(curve.ghosts.x):
        others.append([(curve.ghosts.label or "replaced", "faint")])
    if curve.reference is not None:
        others.append([(f"┄ {clean(curve.reference.label) or 'reference'}", "info")])
    if curve.samples.smoothed is None:
        return [join([*others, [("raw", "smooth")]], (" · ", "faint")), [("raw", "smooth")]]
    short: Line = [(f"EMA {curve.span}", "smooth")]
    last = curve.samples.last_smoothed
    if last is None or not math.isfinite(last):  # values near the largest number add up to infinity
        return [join([*others, short], (" · ", "faint")), short]
    behind: Line = [("raw" if curve.band is None else "ranks", "raw")]
    whole = [*others, behind, [(f"EMA {curve.span}  {format_value(last)}", "smooth")]]
    return [join(whole, (" · ", "faint")), join([*others, short], (" · ", "faint")), short]
