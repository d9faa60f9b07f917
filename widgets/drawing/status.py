"""The status: is it well, where is it, is it still coming, how far is it."""

from __future__ import annotations

from dataclasses import dataclass

from widgets import levels
from widgets.cells import Line, clean, fill, fit_middle, join, line_width, spread
from widgets.numbers import format_age, format_compact, format_step

TWO_ROWS_BELOW = 60
"""Columns under which the status takes two rows."""

_LINKS = {
    "connecting": ("◌", "dim"),
    "live": ("●", "good"),
    "stale": ("◐", "warning"),
    "retrying": ("↻", "warning"),
    "refused": ("✖", "critical"),
    "missing": ("✖", "critical"),
    "ended": ("■", "dim"),
}
_SEPARATOR = (" · ", "faint")
_GAP = ("  ", "plain")
_TRIES = (*((False, least) for least in range(10, 3, -1)), *((True, least) for least in range(5, 1, -1)))
"""From everything in long words to the least in short ones: the age is shortened before it goes."""


@dataclass(frozen=True, slots=True)
class Status:
    """One run at one moment; what is not known is None and is not shown.

    `verdict` is healthy, warning, critical or unknown; `link` one of connecting, live, stale, retrying,
    refused, missing, ended. `age_s` is the age of the last entry, `next_s` the time to the next one
    (negative: it is late), `is_late` that this is worth a colour. `fraction` is of the run's steps,
    `loaded` of the log's bytes while its past is still being read. `position` tells which of
    several runs this is ("2/3").
    """

    name: str
    place: str
    verdict: str
    link: str
    age_s: float | None = None
    next_s: float | None = None
    is_late: bool = False
    step: float | None = None
    axis: str = "step"
    fraction: float | None = None
    steps_per_s: float | None = None
    tokens_per_s: float | None = None
    eta_s: float | None = None
    malformed: int = 0
    loaded: float | None = None
    position: str | None = None


def status_rows(width: int) -> int:
    """How many rows the status takes at this width."""
    return 2 if width < TWO_ROWS_BELOW else 1


def draw_status(status: Status, width: int) -> list[Line]:
    """One row, or two where it is narrow; what matters least goes first when the room runs out."""
    if status_rows(width) == 2:
        return [_narrow_first(status, width), _narrow_second(status, width)]
    line: Line = []
    for is_short, least in _TRIES:
        groups = (_head(status), _link(status, is_short=is_short), _progress(status))
        head, link, after = ([part for part in group if part[0] < least] for group in groups)
        before = [*_lay(head, _GAP), ("    ", "plain"), *_lay(link, _SEPARATOR)]
        line = [(" ", "plain"), *spread(before, _lay(after, _SEPARATOR), width - 2)]
        if line_width(before) + line_width(_lay(after, _SEPARATOR)) + 5 <= width:
            break
    return [fill(line, width)]


Part = tuple[int, Line]
"""A piece of the status and when it may go: 9 is the first to be dropped, 0 stays."""


def _head(status: Status) -> list[Part]:
    parts: list[Part] = [(0, _verdict(status)), (1, [(fit_middle(clean(status.name), 28), "strong")])]
    if status.position:
        parts.append((2, [(status.position, "dim")]))
    if status.place:
        parts.append((5, [(fit_middle(clean(status.place), 32), "dim")]))
    return parts


def _verdict(status: Status) -> Line:
    return [(f"{levels.glyph(status.verdict)} {status.verdict}", levels.style(status.verdict))]


def _link(status: Status, *, is_short: bool) -> list[Part]:
    glyph, style = _LINKS.get(status.link, ("?", "dim"))
    parts: list[Part] = [(0, [(glyph, style), (f" {status.link}", "plain" if style == "good" else style)])]
    if status.loaded is not None:
        parts.append((1, [(f"reading {status.loaded:.0%}", "accent")]))
    if status.age_s is not None:
        style = "warning" if status.is_late else "dim"
        words = (
            f"{format_age(status.age_s)} ago" if is_short else f"last entry {format_age(status.age_s)} ago"
        )
        parts.append((3, [(words, style)]))
    if status.next_s is not None:
        parts.append((6, _next(status.next_s, status.is_late)))
    return parts


def _next(next_s: float, is_late: bool) -> Line:
    if is_late:
        return [(f"{format_age(-next_s)} late", "warning")]
    return [("next due now" if next_s < 1 else f"next in {format_age(next_s)}", "dim")]


def _progress(status: Status) -> list[Part]:
    parts: list[Part] = []
    if status.malformed:
        parts.append((2, [_malformed(status.malformed)]))
    if status.step is not None:
        parts.append((1, _step(status)))
    if status.fraction is not None:
        parts.append((4, [(f"{status.fraction:.0%}", "plain")]))
    if status.steps_per_s is not None:
        parts.append((7, [(f"{format_compact(status.steps_per_s)} {status.axis}s/s", "dim")]))
    if status.tokens_per_s is not None:
        parts.append((8, [(f"{format_compact(status.tokens_per_s)} tok/s", "dim")]))
    if status.eta_s is not None:
        parts.append((4, [(f"ETA {format_age(status.eta_s)}", "plain")]))
    return parts


def _step(status: Status) -> Line:
    return [(f"{status.axis} ", "dim"), (format_step(status.step), "strong")]


def _malformed(count: int) -> tuple[str, str]:
    return (f"{count:,} malformed", "warning")


def _lay(parts: list[Part], separator: tuple[str, str]) -> Line:
    return join([line for _, line in parts], separator)


def _narrow_first(status: Status, width: int) -> Line:
    glyph, style = _LINKS.get(status.link, ("?", "dim"))
    tail: Line = [(glyph, style)]
    if status.loaded is not None:
        tail.append((f" {status.loaded:.0%}", "accent"))
    elif status.link != "live" or status.age_s is None:
        tail.append((f" {status.link}", style))
    elif status.age_s is not None:
        tail.append((f" {format_age(status.age_s)}", "warning" if status.is_late else "dim"))
    verdict = _verdict(status)
    room = width - line_width(verdict) - line_width(tail) - 3
    name = f"{clean(status.name)} {status.position}" if status.position else clean(status.name)
    head = [*verdict, ("  ", "plain"), (fit_middle(name, room), "strong")] if room > 2 else verdict
    return spread(head, tail, width)


def _narrow_second(status: Status, width: int) -> Line:
    head: Line = _step(status) if status.step is not None else [("no entry yet", "dim")]
    extras: list[Line] = []
    if status.malformed:
        extras.append([_malformed(status.malformed)])
    if status.eta_s is not None:
        extras.append([(f"ETA {format_age(status.eta_s)}", "plain")])
    if status.steps_per_s is not None:
        extras.append([(f"{format_compact(status.steps_per_s)}/s", "dim")])
    if status.tokens_per_s is not None:
        extras.append([(f"{format_compact(status.tokens_per_s)} tok/s", "dim")])
    for count in range(len(extras), 0, -1):
        tail = join(extras[:count], ("  ", "plain"))
        if line_width(head) + line_width(tail) + 2 <= width:
            return spread(head, tail, width)
    return fill(head, width)
