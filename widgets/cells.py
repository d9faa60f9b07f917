"""Text measured in terminal cells, and the one gate that foreign text passes on its way to the screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size

Span = tuple[str, str]
"""A text and the name of its style: `plain`, `dim`, `faint`, `strong`, `good`, `warning`, `critical`, …"""

Line = list[Span]
"""One row of cells, from left to right."""

STYLES = (
    "plain", "dim", "faint", "strong", "frame", "focus", "title", "raw", "smooth", "accent",
    "good", "better", "worse", "warning", "critical", "info",
    "warning-bar", "critical-bar", "warning-flash", "critical-flash",
    *(f"series-{number}" for number in range(1, 9)),
)  # fmt: skip
"""All style names; a theme gives each its colours."""

_PAD = " "


def clean(text: str) -> str:
    """The text with nothing in it that a terminal would obey: control and formatting characters become `·`.

    Tabs become one space. Bidirectional overrides go too, for they would rewrite what stands around them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_harmless(char) for char in text)


def _harmless(char: str) -> str:
    if char == "\t":
        return " "
    return "·" if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} else char


def width(text: str) -> int:
    """How many cells the text takes; a wide character takes two, a combining one none."""
    return len(text) if text.isascii() else cell_len(text)


def fit(text: str, cells: int) -> str:
    """The text cut to at most `cells`, with `…` as its last where something was cut."""
    if width(text) <= cells:
        return text
    if cells <= 0:
        return ""
    return set_cell_size(text, cells - 1).rstrip() + "…"


def fit_middle(text: str, cells: int) -> str:
    """The same with the cut in the middle, for names and paths whose ends tell them apart."""
    if width(text) <= cells:
        return text
    if cells < 5:
        return fit(text, cells)
    head = (cells - 1) // 2
    tail = text
    while width(tail) > cells - 1 - head:
        tail = tail[1:]
    return set_cell_size(text, head).rstrip() + "…" + tail


def left(text: str, cells: int) -> str:
    """The text at the left of exactly `cells`."""
    text = fit(text, cells)
    return text + _PAD * (cells - width(text))


def right(text: str, cells: int) -> str:
    """The text at the right of exactly `cells`."""
    text = fit(text, cells)
    return _PAD * (cells - width(text)) + text


def line_width(line: Iterable[Span]) -> int:
    """How many cells the spans take together."""
    return sum(width(text) for text, _ in line)


def fill(line: Line, cells: int) -> Line:
    """The line cut or padded to exactly `cells`."""
    room = cells - line_width(line)
    if room >= 0:
        return [*line, (_PAD * room, "plain")] if room else [*line]
    kept: Line = []
    room = cells
    for text, style in line:
        if room <= 0:
            break
        text = fit(text, room)
        kept.append((text, style))
        room -= width(text)
    return [*kept, (_PAD * room, "plain")] if room > 0 else kept


def spread(first: Line, last: Line, cells: int, filler: Span = (_PAD, "plain")) -> Line:
    """`first` at the left and `last` at the right of exactly `cells`; `last` goes where there is no room."""
    gap = cells - line_width(first) - line_width(last)
    if gap < 1:
        return fill(first, cells)
    return [*first, (filler[0] * gap, filler[1]), *last]


def join(parts: Sequence[Line], separator: Span) -> Line:
    """The parts one after the other, with the separator between them."""
    joined: Line = []
    for part in parts:
        if joined:
            joined.append(separator)
        joined += part
    return joined


def wrap(text: str, cells: int, rows: int) -> list[str]:
    """The text broken between words into at most `rows` lines of `cells`; `…` ends the last where it is cut."""
    lines: list[str] = []
    rest = text.strip()
    while rest and len(lines) < rows - 1 and width(rest) > cells:
        head = set_cell_size(rest, cells)
        cut = len(head.rstrip()) if rest[len(head) : len(head) + 1] == " " else head.rfind(" ")
        cut = cut if cut > cells // 3 else max(len(head.rstrip(_PAD)), 1)
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*lines, fit(rest, cells)] if rest or not lines else lines


def panel(
    body: Sequence[Line], title: Line, note: Line, size: tuple[int, int], *, is_focused: bool = False
) -> list[Line]:
    """The body under a rule with a title at its left and a note at its right, in `size` (width, height).

    No box around it: one row and no column go to the frame, and the numbers stay louder than it. The note is
    left out where the rule is too short for both.
    """
    cells, rows = size
    edge = "focus" if is_focused else "frame"
    name: Line = [*title, (" ", edge)] if title else []
    tail: Line = [(" ", edge), *note] if note else []
    if line_width(name) + line_width(tail) + 3 > cells:
        tail = []
    rule = max(cells - line_width(name) - line_width(tail), 0)
    top = fill([*name, ("─" * rule, edge), *tail], cells)
    return [top, *(fill(list(line), cells) for line in body[: rows - 1])][:rows]
