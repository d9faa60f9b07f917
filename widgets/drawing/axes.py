"""The axes of a curve: which range is shown, its few round numbers, and what happened along it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from widgets import levels
from widgets.cells import Line, clean, fill, right, width
from widgets.numbers import format_tick, pick_format
from widgets.scale import Axis
from widgets.ticks import clock_ticks, duration_ticks, log_ticks, round_ticks

Floats = npt.NDArray[np.float64]

_OUTLIER = 8.0
"""A range so many times that of the middle 98 % would press the curve flat; what is beyond is marked."""

_CELLS_A_TICK = 8
"""Columns that one number under the axis needs to stand clear of the next."""

_CELLS_A_MARK = 4
"""Columns for each milestone's tick at least; more of them would be a pattern, not a scale."""


class Mark(Struct, frozen=True):
    """Something that happened at an x; `level` is that of an alert, or `restart`."""

    x: float
    level: str


class Band(Struct, frozen=True):
    """Something that went on from `start` to `stop`; `level` is that of an alert, or `past` where it is over."""

    start: float
    stop: float
    level: str


class Scale(Struct, frozen=True):
    """The ranges that the canvas stands for, and its size in cells."""

    x: Axis
    y: Axis
    columns: int
    rows: int


class Ground(Struct, frozen=True):
    """What the x axis is of, and what stands along it.

    `name` is the unit, "" or `step` for what needs none; `kind` is `count`, `duration` (seconds) or `clock`
    (UTC epoch seconds).
    """

    name: str = "step"
    kind: str = "count"
    marks: tuple[Mark, ...] = ()
    bands: tuple[Band, ...] = ()
    milestones: tuple[float, ...] = ()


def x_limits(x: Floats, *, is_log: bool = False) -> tuple[float, float] | None:
    """The range of the finite x, from 0 where it begins near there; a single one gets a unit to its right.

    None where there is none; a logarithmic axis counts what is positive only.
    """
    finite = x[np.isfinite(x) & ((x > 0) | (not is_log))]
    if not len(finite):
        return None
    low, high = float(finite.min()), float(finite.max())
    if 0 < low < (high - low) * 0.05 and not is_log:
        low = 0.0
    return (low, high) if high > low else (low, low + 1.0)


def y_limits(low: Floats, high: Floats | None = None, *, is_log: bool = False) -> tuple[float, float]:
    """The range to show, with a little air; from 0 up for what is never below 0.

    Args:
        low: The least finite values (n,) of parts of the series, n > 0.
        high: The greatest ones; None where each part is a single value.
        is_log: Whether the axis is logarithmic; then all are positive.
    """
    both = low if high is None or high is low else np.concatenate((low, high))
    if is_log:
        least, most = _core(np.log10(both))
        air = (most - least) * 0.04 or 0.1
        return 10.0 ** max(least - air, -300.0), 10.0 ** min(most + air, 300.0)
    least, most = _core(both)
    if not math.isfinite(most - least):
        return least / 2, most / 2
    air = (most - least) * 0.04 or abs(most) * 0.1 or 0.5
    return (0.0 if least >= 0 > least - air else least - air), most + air


def _core(values: Floats) -> tuple[float, float]:
    """The least and the greatest, without the few that are far from all the others."""
    low, high = float(values.min()), float(values.max())
    if len(values) < 50:
        return low, high
    few = len(values) // 100
    middle = np.partition(values, (few, len(values) - 1 - few))
    near_low, near_high = float(middle[few]), float(middle[-1 - few])
    reach = near_high - near_low
    if high - low > _OUTLIER * reach > 0:
        return max(low, near_low - reach), min(high, near_high + reach)
    return low, high


def y_ticks(axis: Axis, rows: int) -> tuple[list[float], list[str]]:
    """The few round numbers of the y axis of a canvas of so many rows."""
    most = max(min(rows // 2, 5), 2)
    ticks = log_ticks(axis.low, axis.high, most) if axis.is_log else round_ticks(axis.low, axis.high, most)
    labels = [format_tick(tick) for tick in ticks] if axis.is_log and len(ticks) > 1 else tick_labels(ticks)
    return ticks, labels


def tick_labels(ticks: Sequence[float]) -> list[str]:
    """All with the same decimals, no more than tell them apart."""
    if not ticks:
        return []
    largest = max(abs(tick) for tick in ticks)
    if largest >= 1e4 or 0 < largest < 1e-3:
        return [format_tick(tick) if largest >= 1e4 else (pick_format(ticks)(tick)) for tick in ticks]
    decimals = max(_decimals(tick) for tick in ticks)
    return [f"{tick:,.{decimals}f}".replace("-", "−") for tick in ticks]


def _decimals(tick: float) -> int:
    text = f"{tick:.5f}".rstrip("0")
    return len(text.split(".")[1])


def mark_columns(marks: Sequence[Mark], scale: Scale) -> dict[int, str]:
    """The style of the mark in each marked column; of several in one, the worst."""
    columns: dict[int, str] = {}
    for mark in sorted(marks, key=lambda mark: levels.RANKS.get(mark.level, 0)):
        if scale.x.has(mark.x):
            columns[column_of(mark.x, scale)] = mark.level
    return columns


def column_of(x: float, scale: Scale) -> int:
    """The column of the canvas that an x is in."""
    return int(scale.x.cells(np.array([x]), scale.columns)[0])


def mark_style(level: str) -> str:
    """The style of a mark's line."""
    return "faint" if level == "restart" else levels.style(level)


def tick_rows(ticks: Sequence[float], labels: Sequence[str], scale: Scale) -> dict[int, str]:
    """The number that stands at each row of the canvas, counted from its top."""
    if not ticks:
        return {}
    rows = scale.y.cells(np.array(ticks, dtype=np.float64), scale.rows)
    return {scale.rows - 1 - int(row): label for row, label in zip(rows, labels, strict=True)}


def with_axis(rows: list[Line], ticks: dict[int, str], margin: int) -> list[Line]:
    """The canvas with the y axis and its numbers, right-aligned in the margin, before it."""
    lines: list[Line] = []
    for row, line in enumerate(rows):
        label = right(ticks.get(row, ""), margin)
        lines.append([(label, "dim"), ("┤" if row in ticks else "│", "frame"), *line])
    return lines


def rail_of(ground: Ground, lost: Floats, scale: Scale, margin: int) -> list[Line]:
    """The x axis with its numbers and what stands along it; `×` at each x in `lost` (k,), that of no finite value."""
    columns = scale.columns
    ticks, labels = x_ticks(ground.kind, scale.x, max(columns // _CELLS_A_TICK, 1))
    places = [int(place) for place in scale.x.cells(np.array(ticks, dtype=np.float64), columns)]
    rail = _bare_rail(ground, places, scale)
    for column, level in mark_columns(ground.marks, scale).items():
        rail[column] = ("┊", "dim") if level == "restart" else (levels.glyph(level), levels.style(level))
    for column in np.unique(scale.x.cells(lost, columns)) if len(lost) else ():
        rail[int(column)] = ("×", "critical")
    unit = clean(ground.name) if ground.name != "step" else ""
    unit = unit if width(unit) + 8 <= columns else ""
    numbers = _tick_numbers(labels, places, columns - (width(unit) + 2 if unit else 0))
    numbers = numbers.ljust(columns - width(unit))
    return [
        [(" " * margin, "plain"), ("└", "frame"), *rail],
        fill([(" " * (margin + 1), "plain"), (numbers, "dim"), (unit, "faint")], margin + 1 + columns),
    ]


def x_ticks(kind: str, axis: Axis, most: int) -> tuple[list[float], list[str]]:
    """The round positions of an x axis and what is written under them."""
    if kind == "clock" and not axis.is_log:
        return clock_ticks(axis.low, axis.high, most)
    if kind == "duration" and not axis.is_log:
        return duration_ticks(axis.low, axis.high, most)
    ticks = log_ticks(axis.low, axis.high, most) if axis.is_log else round_ticks(axis.low, axis.high, most)
    return ticks, [format_tick(tick) for tick in ticks]


def _bare_rail(ground: Ground, places: Sequence[int], scale: Scale) -> list[tuple[str, str]]:
    """The line itself: `┬` over the numbers, `┴` at milestones, thick while an alert holds or held."""
    rail = [("─", "frame")] * scale.columns
    for band in ground.bands:
        start, stop = max(band.start, scale.x.low), min(band.stop, scale.x.high)
        if start <= stop:
            style = "dim" if band.level == "past" else levels.style(band.level)
            for column in range(column_of(start, scale), column_of(stop, scale) + 1):
                rail[column] = ("━", style)
    stones = {column_of(x, scale) for x in ground.milestones if scale.x.has(x)}
    if len(stones) * _CELLS_A_MARK > scale.columns:
        stones = set()
    for column in stones | set(places):
        if rail[column][0] == "─":
            glyph = "┼" if column in stones and column in places else "┴" if column in stones else "┬"
            rail[column] = (glyph, "frame")
    return rail


def _tick_numbers(labels: Sequence[str], places: Sequence[int], columns: int) -> str:
    """The numbers centred under their ticks; one without room is left out."""
    line = ""
    for label, place in zip(labels, places, strict=True):
        start = max(min(place - len(label) // 2, columns - len(label)), 0)
        if start >= len(line) + (1 if line else 0) and start + len(label) <= columns and place < columns:
            line += " " * (start - len(line)) + label
    return line
