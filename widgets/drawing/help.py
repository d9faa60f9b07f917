"""Keys and signs, explained."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from msgspec import Struct

from widgets.cells import Line, clean, fill, fit, left, width, wrap

SIGNS = (
    ("✓ ▲ ✖ ?", "healthy, warning, critical, not known"),
    ("● ◐ ↻ ✖", "link live, without an answer, coming back, not possible"),
    ("bright line", "smoothed: a debiased exponential moving average over so many entries"),
    ("faint line", "raw: the least and the greatest value of every column, so no spike is hidden"),
    ("▴ ▾ at an edge", "a value beyond the range that is shown"),
    ("× on the axis", "NaN or infinity was logged there"),
    ("▲ ✖ on the axis", "where an alert that fires began"),
    ("━ on the axis", "an alert holds, or in grey: held, all that time"),
    ("┴ on the axis", "a milestone"),
    ("┊", "the run was restarted from there"),
    ("│ and \"at 500\"", "the crosshair: the nearest entry is at 500"),
    ("┄ dotted line", "the reference"),
    ("* before a name", "a metric that is pinned"),
    ("500 ·499", "the entry nearest to milestone 500 is at step 499"),
    ("▴ ▾ in the table", "better, worse than at the milestone before"),
    ("! in the table", "since the milestone before something happened that the numbers do not show"),
    ("◆", "a checkpoint of that step is kept"),
    ("▼ 12 new", "lines that have come since the log was scrolled up"),
    ("last 50", "the mean over the last 50 entries"),
    ("—", "the entry has no such field"),
)  # fmt: skip


BESIDE_FROM = 92
"""Columns from which there are two columns."""

_GAP = 3


class KeyGroup(Struct, frozen=True):
    """Keys that belong together, each with what it does."""

    title: str
    keys: tuple[tuple[str, str], ...]


class Help(Struct, frozen=True):
    """All keys, in groups."""

    groups: tuple[KeyGroup, ...] = ()


def draw_help(page: Help, cells: int) -> list[Line]:
    """The keys and the signs, as many rows as that takes; where there is room in two columns, as low as can be."""
    if cells < BESIDE_FROM:
        return _stack(_draw_blocks(page, cells))
    half = (cells - _GAP) // 2
    blocks = _draw_blocks(page, half)
    splits = [(_stack(blocks[:at]), _stack(blocks[at:])) for at in range(1, len(blocks) + 1)]
    first, second = min(splits, key=lambda split: max(map(len, split)))
    nothing: Line = []
    rows = zip_longest(first, second, fillvalue=nothing)
    return [[*fill(one, half), (" " * _GAP, "plain"), *other] for one, other in rows]


def _draw_blocks(page: Help, cells: int) -> list[list[Line]]:
    """Every group under its title, all with the same room for their keys, and last the signs."""
    room = min(max((width(key) for group in page.groups for key, _ in group.keys), default=1), cells // 3)
    groups = [_draw_list(group.title, group.keys, cells, "accent", room) for group in page.groups]
    return [*groups, _draw_list("signs", SIGNS, cells, "strong")]


def _stack(blocks: list[list[Line]]) -> list[Line]:
    """Blocks one over the other, with an empty row between them."""
    return [line for block in blocks for line in (*block, [])][:-1]


def _draw_list(
    title: str, pairs: Iterable[tuple[str, str]], cells: int, style: str, room: int | None = None
) -> list[Line]:
    """A title, and under it what each sign stands for; what is too long for a row goes on in the next."""
    pairs = tuple(pairs)
    room = room or min(max(width(sign) for sign, _ in pairs), cells // 2)
    lines: list[Line] = [[(clean(title), "title")]]
    for sign, meaning in pairs:
        texts = wrap(clean(meaning), max(cells - room - 3, 1), 9)
        sign = clean(sign)
        if width(sign) > room:
            lines.append([(" " + fit(sign, cells - 1), style)])
            sign = ""
        lines.append([(" " + left(sign, room) + "  ", style), (texts[0] if texts else "", "plain")])
        lines += [[(" " * (room + 3) + text, "plain")] for text in texts[1:]]
    return lines
