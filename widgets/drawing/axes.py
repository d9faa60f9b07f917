"""The axes of a curve: which range is shown, its few round numbers, and what happened along it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widgets import levels
from widgets.cells import Line, clean, fill, right
from widgets.envelope import column_of
from widgets.numbers import format_tick, pick_format
from widgets.ticks import round_ticks

Floats = npt.NDArray[np.float64]

_OUTLIER = 8.0
"""A range so many times that of the middle 98 % would press the curve flat; what is beyond is marked."""

_CELLS_A_TICK = 8
"""Columns that one number under the axis needs to stand clear of the next."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at a step; `level` is that of an alert, or `restart`."""

    step: float
    level: str


@dataclass(frozen=True, slots=True)
class Scale:
    """The ranges that the canvas stands for, and its size in cells."""

    x: tuple[float, float]
    y: tuple[float, float]
    columns: int
    rows: int


def x_limits(x: Floats) -> tuple[float, float]:
    """The range of the finite x, from 0 where it begins near there; a single one gets a unit to its right."""
    finite = x[np.isfinite(x)]
    low, high = float(finite.min()), float(finite.max())
    if 0 < low < (high - low) * 0.05:
        low = 0.0
    return (low, high) if high > low else (low, low + 1.0)


def y_limits(y: Floats) -> tuple[float, float]:
    """The range to show of finite y (n,), n > 0, with a little air; from 0 up for what is never below 0."""
    low, high = float(y.min()), float(y.max())
    if len(y) >= 50:
        core_low, core_high = (float(value) for value in np.percentile(y, (1, 99)))
        if high - low > _OUTLIER * (core_high - core_low) > 0:
            reach = core_high - core_low
            low, high = max(low, core_low - reach), min(high, core_high + reach)
    if not math.isfinite(high - low):
        return low / 2, high / 2
    air = (high - low) * 0.04 or abs(high) * 0.1 or 0.5
    return (0.0 if low >= 0 > low - air else low - air), high + air


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
        if scale.x[0] <= mark.step <= scale.x[1]:
            column = int(column_of(np.array([mark.step]), scale.x, scale.columns)[0])
            columns[column] = mark.level
    return columns


def mark_style(level: str) -> str:
    """The style of a mark's line."""
    return "faint" if level == "restart" else levels.style(level)


def tick_rows(ticks: Sequence[float], labels: Sequence[str], scale: Scale) -> dict[int, str]:
    """The number that stands at each row of the canvas, counted from its top."""
    low, high = scale.y
    places: dict[int, str] = {}
    for tick, label in zip(ticks, labels, strict=True):
        row = scale.rows - 1 - math.floor((tick - low) / (high - low) * scale.rows)
        places[min(max(row, 0), scale.rows - 1)] = label
    return places


def with_axis(rows: list[Line], ticks: dict[int, str], margin: int) -> list[Line]:
    """The canvas with the y axis and its numbers, right-aligned in the margin, before it."""
    lines: list[Line] = []
    for row, line in enumerate(rows):
        label = right(ticks.get(row, ""), margin)
        lines.append([(label, "dim"), ("┤" if row in ticks else "│", "frame"), *line])
    return lines


def rail_of(marks: Sequence[Mark], lost: Floats, axis: str, scale: Scale, margin: int) -> list[Line]:
    """The x axis with its numbers, the marks, and `×` at each x in `lost` (k,), where the value is not finite."""
    columns = scale.columns
    rail: list[tuple[str, str]] = [("─", "frame")] * columns
    ticks = round_ticks(*scale.x, max(columns // _CELLS_A_TICK, 1))
    places = (
        column_of(np.array(ticks, dtype=np.float64), scale.x, columns) if ticks else np.zeros(0, np.int64)
    )
    for place in places:
        rail[int(place)] = ("┬", "frame")
    for column, level in mark_columns(marks, scale).items():
        rail[column] = ("┊", "dim") if level == "restart" else (levels.glyph(level), levels.style(level))
    for column in column_of(lost, scale.x, columns):
        rail[int(column)] = ("×", "critical")
    numbers = _tick_numbers([format_tick(tick) for tick in ticks], [int(place) for place in places], columns)
    unit = clean(axis) if axis != "step" and len(axis) <= margin else ""
    return [
        [(" " * margin, "plain"), ("└", "frame"), *rail],
        fill([(right(unit, margin), "faint"), (" ", "plain"), (numbers, "dim")], margin + 1 + columns),
    ]


def _tick_numbers(labels: Sequence[str], places: Sequence[int], columns: int) -> str:
    """The numbers centred under their ticks; one without room is left out."""
    line = ""
    for label, place in zip(labels, places, strict=True):
        start = min(max(place - len(label) // 2, 0), columns - len(label))
        if start >= len(line) + (1 if line else 0):
            line += " " * (start - len(line)) + label
    return line
