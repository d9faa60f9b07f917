"""Keys and signs, explained."""

from __future__ import annotations

from dataclasses import dataclass

from widgets.cells import Line, clean, left, right, wrap

SIGNS = (
    ("✓ ▲ ✖ ?", "healthy, warning, critical, not known"),
    ("● ◐ ↻ ✖", "link live, without an answer, coming back, not possible"),
    ("bright line", "smoothed: a debiased exponential moving average over so many entries"),
    ("faint line", "raw: the least and the greatest value of every column, so no spike is hidden"),
    ("▴ ▾ at an edge", "a value beyond the range that is shown"),
    ("× on the axis", "NaN or infinity was logged there"),
    ("▲ ✖ on the axis", "where an alert that fires began"),
    ("┊", "the run was restarted from there"),
    ("500 ·499", "the entry nearest to milestone 500 is at step 499"),
    ("▴ ▾ in the table", "better, worse than at the milestone before"),
    ("last 50", "the mean over the last 50 entries"),
    ("—", "the entry has no such field"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Help:
    """Each key with what it does."""

    keys: tuple[tuple[str, str], ...] = ()


def draw_help(page: Help, cells: int) -> list[Line]:
    """The keys, then the signs, as many rows as that takes."""
    lines: list[Line] = [[("keys", "title")]]
    key_cells = max((len(key) for key, _ in page.keys), default=1)
    for key, meaning in page.keys:
        lines.append([("  " + right(clean(key), key_cells) + "  ", "accent"), (clean(meaning), "plain")])
    lines += [[], [("signs", "title")]]
    sign_cells = max(len(sign) for sign, _ in SIGNS)
    for sign, meaning in SIGNS:
        texts = wrap(meaning, max(cells - sign_cells - 4, 12), 4)
        lines.append([("  " + left(sign, sign_cells) + "  ", "strong"), (texts[0], "plain")])
        lines += [[(" " * (sign_cells + 4) + text, "plain")] for text in texts[1:]]
    return lines
