"""One metric in numbers: each with its name, as many rows as they need."""

from __future__ import annotations

from msgspec import Struct

from widgets.cells import Line, fill, fit, line_width, width


class Stats(Struct, frozen=True):
    """Names and numbers, the most telling first, each with the style of its number."""

    facts: tuple[tuple[str, str, str], ...] = ()


MOST_ROWS = 4
"""Rows of numbers at most; the curve above is what was asked for."""

_GAP = "   "


def stats_rows(stats: Stats, cells: int) -> int:
    """How many rows they take at this width."""
    return len(draw_stats(stats, cells))


def draw_stats(stats: Stats, cells: int) -> list[Line]:
    """The numbers side by side, wrapped between them."""
    rows: list[Line] = []
    line: Line = []
    for name, number, style in stats.facts:
        fact: Line = [(f"{name} ", "dim"), (fit(number, max(cells - width(name) - 2, 1)), style)]
        if line and line_width(line) + len(_GAP) + line_width(fact) > cells - 1:
            rows.append(fill(line, cells))
            line = []
        line += [(_GAP if line else " ", "plain"), *fact]
    return [*rows, fill(line, cells)][:MOST_ROWS] if line else rows[:MOST_ROWS]
