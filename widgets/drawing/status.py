"""The status: is it well, where is it, is it still coming, how far is it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from widgets import levels
from widgets.cells import Line, clean, fill, fit_middle, join, line_width, spread
from widgets.numbers import format_age, format_compact, format_step

TWO_ROWS_BELOW = 100
"""Columns under which the status takes two rows: in one there is no room for all that has to be seen always."""

_LINKS = {
    "connecting": ("◌", "dim"),
    "live": ("●", "good"),
    "finished": ("■", "dim"),
    "stale": ("◐", "warning"),
    "retrying": ("↻", "warning"),
    "refused": ("✖", "critical"),
    "missing": ("✖", "critical"),
    "ended": ("■", "dim"),
}
_SEPARATOR = (" · ", "faint")
_GAP = ("  ", "plain")
_LONG, _MIDDLE, _SHORT = range(3)
"""How many words an age is told in."""

_TRIES = (
    (_LONG, 10),
    *((_MIDDLE, least) for least in (10, 8, 7)),
    *((_SHORT, least) for least in range(7, 0, -1)),
)
"""From everything in long words to the least in short ones: words are shortened before a fact goes."""

_NAME_CELLS = 12
"""Cells of a name that are worth more than another fact beside it."""

_PLACE_CELLS = 16
"""Cells of a place below which it says too little."""

_AGE_CELLS = 4
"""The width of an age below a minute, so that nothing moves when it comes to have two digits."""


class Status(Struct, frozen=True):
    """One run at one moment; what is not known is None and is not shown.

    `verdict` is healthy, warning, critical or unknown, and then `last_verdict` what it was when there was last word of
    the run, where it was another; `link` one of connecting, live, stale, retrying,
    refused, missing, ended, and finished, where the run itself has come to its end. `byte_age_s` and `age_s` are the
    ages of the last byte and the last entry, `next_s` the time to the next one (negative: it is late), `is_late` that
    this is worth a colour.
    `fraction` is of the run's steps, `loaded` of the log's bytes while its past is still being read. `position`
    tells which of several runs this is ("2/3"). `epoch` is how many of all `epochs` are done, with their fraction.
    `gpus` is what they do, in a short line.
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
    byte_age_s: float | None = None
    epoch: float | None = None
    epochs: float | None = None
    gpus: str | None = None
    last_verdict: str | None = None


def status_rows(width: int) -> int:
    """How many rows the status takes at this width."""
    return 2 if width < TWO_ROWS_BELOW else 1


def draw_status(status: Status, width: int) -> list[Line]:
    """One row, or two where it is narrow; what matters least goes first when the room runs out."""
    if status_rows(width) == 2:
        return [_narrow_first(status, width), _narrow_second(status, width)]
    for words, least in _TRIES:
        groups = (_head(status, words), _link(status, words), _progress(status))
        parts = sorted((part for group in groups for part in group), key=lambda part: part[0])
        kept = [part for part in parts if part[0] < least]
        if _fits(groups, kept, words, width):
            break
    for part in parts[len(kept) :]:  # a short one may still have room where a longer one before it had none
        if _fits(groups, [*kept, part], words, width):
            kept.append(part)
    before, after = _sides(groups, kept, words)
    return [fill([(" ", "plain"), *spread(before, after, width - 2)], width)]


def _fits(groups: Sequence[Sequence[Part]], kept: Sequence[Part], words: int, width: int) -> bool:
    before, after = _sides(groups, kept, words)
    return line_width(before) + line_width(after) + 4 <= width


def _sides(groups: Sequence[Sequence[Part]], kept: Sequence[Part], words: int) -> tuple[Line, Line]:
    """What stands at the left and at the right, of those parts that are kept."""
    head, link, after = ([part for part in group if any(part is each for each in kept)] for group in groups)
    before = [*_lay(head, _GAP), _GAP, *([] if words == _SHORT else [_GAP]), *_lay(link, _SEPARATOR)]
    return before, _lay(after, _SEPARATOR)


Part = tuple[int, Line]
"""A piece of the status and when it may go: 9 is the first to be dropped, 0 stays."""


def _head(status: Status, words: int) -> list[Part]:
    name = fit_middle(clean(status.name), _NAME_CELLS if words == _SHORT else 28)
    parts: list[Part] = [(0, _verdict(status))]
    if status.last_verdict:
        parts.append((2, [(f"({_last_verdict(status, words)})", "dim")]))
    parts.append((1, [(name, "strong")]))
    if status.position:
        parts.append((2, [(status.position, "dim")]))
    if status.place:
        parts.append((6, [(fit_middle(clean(status.place), 32), "dim")]))
    return parts


def _verdict(status: Status) -> Line:
    return [(f"{levels.glyph(status.verdict)} {status.verdict}", levels.style(status.verdict))]


def _last_verdict(status: Status, words: int) -> str:
    """What the verdict was, where and when, in as many words as there is room for."""
    if words == _SHORT or status.age_s is None:
        return f"was {status.last_verdict}"
    where = (
        f" at {status.axis} {format_step(status.step)}," if words == _LONG and status.step is not None else ""
    )
    return f"{status.last_verdict}{where} {format_age(status.age_s)} ago"


def _link(status: Status, words: int) -> list[Part]:
    """Four facts apart from each other: the link, the last byte, the last entry, the next one."""
    glyph, style = _LINKS.get(status.link, ("?", "dim"))
    parts: list[Part] = [(0, [(glyph, style), (f" {status.link}", "plain" if style == "good" else style)])]
    if status.loaded is not None:
        parts.append((1, [(f"reading {status.loaded:.0%}", "accent")]))
    late = "warning" if status.is_late else "dim"
    before, after = ("last " if words == _LONG else "", "" if words == _SHORT else " ago")
    if status.byte_age_s is not None:
        parts.append((3, [(_told(f"{before}byte", status.byte_age_s, after), "dim")]))
    if status.age_s is not None:
        parts.append((2, [(_told(f"{before}entry", status.age_s, after), late)]))
    if status.next_s is not None:
        parts.append((3, _next(status, words)))
    return parts


def _told(what: str, seconds: float, after: str = "") -> str:
    """An age with what it is of, as wide for one digit as for two: so nothing moves when it comes to have two."""
    return f"{what} {format_age(seconds).rjust(_AGE_CELLS)}{after}"


def _next(status: Status, words: int) -> Line:
    if status.next_s is None:
        return []
    if status.is_late:
        return [(f"{format_age(-status.next_s)} late", "warning")]
    word = "next" if words == _SHORT else "next in"
    if status.next_s < 1:
        return [("next now".ljust(len(word) + 1 + _AGE_CELLS), "dim")]
    return [(_told(word, status.next_s), "dim")]


def _progress(status: Status) -> list[Part]:
    parts: list[Part] = []
    if status.malformed:
        parts.append((2, [_malformed(status.malformed)]))
    if status.step is not None:
        parts.append((1, _step(status)))
    if status.fraction is not None:
        parts.append((4, [(f"{status.fraction:.0%}", "plain")]))
    if status.epoch is not None and status.epochs is not None:
        parts.append((6, [(f"{status.epoch:.2f}/{status.epochs:g} ep", "plain")]))
    if status.steps_per_s is not None:
        parts.append((7, [(f"{format_compact(status.steps_per_s)} {status.axis}s/s", "dim")]))
    if status.tokens_per_s is not None:
        parts.append((8, [(f"{format_compact(status.tokens_per_s)} tok/s", "dim")]))
    if status.gpus is not None:
        parts.append((9, [(clean(status.gpus), "dim")]))
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
    verdict = _verdict(status)
    name = f"{clean(status.name)} {status.position}" if status.position else clean(status.name)
    room, tail = 0, _narrow_links(status)[-1]
    for tail in _narrow_links(status):
        room = width - line_width(verdict) - line_width(tail) - 4
        if room >= min(len(name), _NAME_CELLS):
            break
    head = [*verdict, _GAP, (fit_middle(name, room), "strong")] if room > 2 else verdict
    place = clean(status.place)
    if place and width - line_width(head) - line_width(tail) - 4 >= min(len(place), _PLACE_CELLS):
        head = [*head, _GAP, (fit_middle(place, width - line_width(head) - line_width(tail) - 4), "dim")]
    return spread(head, tail, width)


def _narrow_links(status: Status) -> list[Line]:
    """The link and the ages, from all that is known to the mark alone."""
    glyph, style = _LINKS.get(status.link, ("?", "dim"))
    mark, late = (glyph, style), "warning" if status.is_late else "dim"
    if status.loaded is not None:
        return [[mark, (f" {status.loaded:.0%}", "accent")]]
    if status.link != "live" or status.age_s is None:
        return [[mark, (f" {status.link}", style)], [mark]]
    entry = (format_age(status.age_s).rjust(_AGE_CELLS), late)
    byte = format_age(status.byte_age_s if status.byte_age_s is not None else status.age_s).rjust(_AGE_CELLS)
    both: Line = [(f"byte {byte} · ", "dim"), ("entry ", "dim"), entry]
    return [
        [mark, (" live · ", "plain"), *both],
        [mark, (" ", "plain"), *both],
        [mark, (" live ", "plain"), entry],
        [mark, (" ", "plain"), entry],
    ]


def _narrow_second(status: Status, width: int) -> Line:
    """The step, and of the rest as much as fits, what matters most at the right of it."""
    head: Line = _step(status) if status.step is not None else [("no entry yet", "dim")]
    kept: list[Line] = []
    for extra in _narrow_extras(status, width - line_width(head) - 2):
        if line_width(head) + line_width(join([*kept, extra], _GAP)) + 2 <= width:
            kept.append(extra)
    return spread(head, join(kept, _GAP), width) if kept else fill(head, width)


def _narrow_extras(status: Status, room: int) -> list[Line]:
    """What may stand beside the step, in so many cells, what matters most first."""
    extras: list[Line] = []
    if status.last_verdict:
        last = _last_verdict(status, _MIDDLE)
        extras.append([(last if len(last) <= room else _last_verdict(status, _SHORT), "dim")])
    if status.malformed:
        extras.append([_malformed(status.malformed)])
    if status.fraction is not None:
        extras.append([(f"{status.fraction:.0%}", "plain")])
    if status.eta_s is not None:
        extras.append([(f"ETA {format_age(status.eta_s)}", "plain")])
    if status.next_s is not None:
        extras.append(_next(status, _SHORT))
    if status.steps_per_s is not None:
        extras.append([(f"{format_compact(status.steps_per_s)}/s", "dim")])
    if status.tokens_per_s is not None:
        extras.append([(f"{format_compact(status.tokens_per_s)} tok/s", "dim")])
    if status.gpus is not None:
        extras.append([(clean(status.gpus), "dim")])
    return extras
