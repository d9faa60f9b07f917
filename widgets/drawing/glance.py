"""A run in one row of plain text: as much of what matters as fits, and no more."""

from __future__ import annotations

from msgspec import Struct

from widgets import levels
from widgets.cells import clean, fit, fit_middle, left, width
from widgets.drawing.status import Status
from widgets.numbers import format_age, format_compact, format_step

_NAME_CELLS = 20

_SEPARATOR = "  "

_Part = tuple[int, str]
"""A piece of the row, and its rank: the larger it is, the sooner it goes."""


class Glance(Struct, frozen=True):
    """What one row tells: the status, a few metrics as (name, number), the worst alert, what is wrong with the way."""

    status: Status
    metrics: tuple[tuple[str, str], ...] = ()
    alert: str = ""
    trouble: str = ""


def draw_glance(glance: Glance, cells: int) -> str:
    """The row, exactly `cells` wide; the verdict stands in it at every width from 12 on."""
    parts = _parts(glance)
    for least in sorted({rank for rank, _ in parts}, reverse=True):
        text = _SEPARATOR.join(part for rank, part in parts if rank <= least)
        if width(text) <= cells:
            return left(text, cells)
    return left(fit(parts[0][1], cells), cells)


def _parts(glance: Glance) -> list[_Part]:
    status = glance.status
    parts: list[_Part] = [(0, f"{levels.glyph(status.verdict)} {status.verdict}")]
    if status.last_verdict:
        parts.append((3, f"was {status.last_verdict}"))
    if glance.alert:
        parts.append((1, clean(glance.alert)))
    parts.append((4, fit_middle(clean(status.name), _NAME_CELLS)))
    if status.step is not None:
        parts.append((2, f"{status.axis} {format_step(status.step)}"))
    if status.fraction is not None:
        parts.append((6, f"{status.fraction:3.0%}"))
    if status.eta_s is not None:
        parts.append((5, f"ETA {format_age(status.eta_s)}"))
    parts += [
        (3 if rank == 0 else 6 + rank, f"{clean(name)} {text}")
        for rank, (name, text) in enumerate(glance.metrics)
    ]
    if status.loaded is not None:
        parts.append((3, f"reading {status.loaded:.0%}"))
    parts += _link_parts(status, glance.trouble)
    if status.steps_per_s is not None:
        parts.append((11, f"{format_compact(status.steps_per_s)} {status.axis}s/s"))
    if status.tokens_per_s is not None:
        parts.append((12, f"{format_compact(status.tokens_per_s)} tok/s"))
    return parts


def _link_parts(status: Status, trouble: str) -> list[_Part]:
    if trouble:
        return [(2, status.link), (10, clean(trouble))]
    if status.age_s is None:
        return [(3, status.link)]
    late = " late" if status.is_late else ""
    return [(5, f"entry {format_age(status.age_s).rjust(4)}{late}")]
