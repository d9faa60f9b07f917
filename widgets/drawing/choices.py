"""A list to choose from, in groups under rules, with the chosen row always in sight."""

from __future__ import annotations

from msgspec import Struct

from widgets.cells import Line, clean, fill, fit_middle, left, width, wrap

_NOTES_FROM = 40
"""Columns from which there is room for remarks."""

_NOTE_CELLS = 9
"""Columns that a remark keeps beside long labels: an age."""


class Choice(Struct, frozen=True):
    """One row: what can be chosen, and a remark at its right."""

    label: str
    note: str = ""


class Group(Struct, frozen=True):
    """Some choices under a title."""

    title: str
    choices: tuple[Choice, ...]


class Choices(Struct, frozen=True):
    """All groups, which choice is chosen (counted through all groups), and a sentence under the list."""

    groups: tuple[Group, ...] = ()
    chosen: int | None = None
    hint: str = ""

    @property
    def count(self) -> int:
        """How many can be chosen."""
        return sum(len(group.choices) for group in self.groups)


Row = tuple[Line, int | None]
"""What stands in a row, and which choice that is."""


def draw_choices(choices: Choices, cells: int, rows: int) -> list[Line]:
    """The rows around the chosen one, as many as there is room for."""
    return [line for line, _ in _visible(choices, cells, rows)]


def choice_at(choices: Choices, cells: int, rows: int, row: int) -> int | None:
    """The choice that is drawn in this row."""
    visible = _visible(choices, cells, rows)
    return visible[row][1] if 0 <= row < len(visible) else None


def _visible(choices: Choices, cells: int, rows: int) -> list[Row]:
    lines = _lay_out(choices, cells)
    chosen = next((row for row, (_, index) in enumerate(lines) if index == choices.chosen), 0)
    if choices.chosen is None or len(lines) <= rows:
        chosen = 0
    top = min(max(chosen - rows // 2, 0), max(len(lines) - rows, 0))
    return lines[top : top + rows]


def _lay_out(choices: Choices, cells: int) -> list[Row]:
    lines: list[Row] = []
    index = 0
    for group in choices.groups:
        if lines and group.choices:
            lines.append(([], None))
        lines.append((_rule(group.title, cells), None))
        label_cells = _label_cells(group, cells) if group.choices else 0
        for choice in group.choices:
            lines.append((_row(choice, cells, label_cells, is_chosen=index == choices.chosen), index))
            index += 1
    if choices.hint:
        lines.append(([], None))
        lines += [([(text, "dim")], None) for text in wrap(clean(choices.hint), cells, 6)]
    return lines


def _rule(title: str, cells: int) -> Line:
    title = clean(title)
    return fill([(title, "title"), (" ", "frame"), ("─" * max(cells - width(title) - 1, 0), "frame")], cells)


def _label_cells(group: Group, cells: int) -> int:
    """The width of the labels' column: as wide as they are, but the remarks keep the room of a short word."""
    widest = max(width(choice.label) for choice in group.choices)
    notes = max(width(choice.note) for choice in group.choices)
    spare = min(notes, _NOTE_CELLS) + 2 if notes and cells >= _NOTES_FROM else 0
    return min(widest, cells - 2 - spare)


def _row(choice: Choice, cells: int, label_cells: int, *, is_chosen: bool) -> Line:
    mark, style = ("› ", "focus") if is_chosen else ("  ", "plain")
    line: Line = [(mark, style), (left(fit_middle(clean(choice.label), label_cells), label_cells), style)]
    room = cells - 4 - label_cells
    if choice.note and room >= min(width(choice.note), _NOTE_CELLS) and cells >= _NOTES_FROM:
        line.append(("  " + fit_middle(clean(choice.note), room), "dim"))
    return fill(line, cells)
