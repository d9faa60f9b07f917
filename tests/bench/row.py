"""The rows of the bench's table: what was measured, what it should be, and against what."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One figure in words; `is_met` says whether it is at its target or better, None where it has none."""

    what: str
    measured: str
    target: str = ""
    against: str = ""
    is_met: bool | None = None


def at_most(what: str, measured: str, figure: float, limit: float, against: str, unit: str = "") -> Row:
    """A figure that should not be above a limit."""
    return Row(what, measured, f"≤ {limit:g}{unit}", against, figure <= limit)


def draw_rows(rows: Iterable[Row]) -> list[str]:
    """The rows as a markdown table."""
    head = ("what", "measured", "target", "against", "")
    marks = {True: "✓", False: "short", None: ""}
    cells = [head, *((row.what, row.measured, row.target, row.against, marks[row.is_met]) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in cells
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [lines[0], rule, *lines[1:]]


def describe_machine() -> str:
    """The machine, the Python and the day, in one line."""
    names = [line for line in _cpu_lines() if line.startswith("model name")]
    model = names[0].partition(":")[2].strip() if names else platform.machine()
    busy = os.getloadavg()[0]
    return (
        f"{date.today():%Y-%m-%d}, {model}, {os.cpu_count()} cores, load {busy:.1f},"
        f" {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )


def _cpu_lines() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return []
