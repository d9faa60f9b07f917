"""Columns under a line of names, parted by blanks: YOLO's console, fastai, plain tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tui.decode.numbers import Printed, parse_number
from tui.decode.tables import Numbers
from tui.roles import find_axis

_NAME = re.compile(r"[A-Za-z][\w@.:/%()-]*\Z")
_GAP = re.compile(r"\s{2,}|\t")
_SAYS = re.compile(r"=|:\s|:-?\d|\s[-+]?\d")
"""What no line of names holds."""

_AT = re.compile(r"(\d+)/(\d+)\Z")
HEADERS = 4
"""How many lines of names are remembered."""

_ALL = "all"
"""The row that sums up all classes; those of single classes are left out."""


class Columns:
    """Remembers the last lines of names, and reads the rows below them.

    More than one: where a program writes its bars and its rows by two ways, another table's names may come between.
    """

    def __init__(self) -> None:
        self._headers: list[tuple[str, ...]] = []

    def take(self, text: str) -> tuple[bool, Numbers | None]:
        """Whether a line belongs to such a table, and the row that it holds, if any."""
        start = text.lstrip()[:3]
        if self._headers and (start[:1].isdigit() or start == _ALL):
            for names in reversed(self._headers):
                row = _read_row(names, text.split(maxsplit=len(names)))
                if row is not None:
                    return True, row
        if start[:1].isalpha() and not _SAYS.search(text) and (names := _read_names(text)):
            kept = [known for known in self._headers if known != names]
            self._headers = [*kept[1 - HEADERS :], names]
            return True, None
        return False, None


def _read_row(names: Sequence[str], cells: Sequence[str]) -> Numbers | None:
    """The numbers of a row by name; None where it does not fit the names."""
    is_sum = bool(cells) and cells[0] == _ALL
    if len(cells) < len(names) or is_sum != (find_axis(tuple(names[:1])) is None):
        return None
    row: Numbers = {}
    for name, cell in zip(names[is_sum:], cells[is_sum:], strict=False):
        at = _AT.match(cell.rstrip(":,"))
        value = parse_number(at[1] if at else cell.rstrip(":,"))
        if value is None:
            return None
        row[name] = Printed(value, "", 0.0)
    return row


def _read_names(text: str) -> tuple[str, ...]:
    """The names on a line of nothing but names; none where it may as well be a sentence."""
    cells = [cell for cell in _GAP.split(text.strip()) if cell]
    if len(cells) < 3:
        cells = text.split()
        if not 3 <= len(cells) <= 64 or find_axis(tuple(cells)) is None:
            return ()
    names = tuple(cell.rstrip(":") for cell in cells)
    is_plain = len(names) <= 64 and len(set(names)) == len(names) and all(_NAME.match(name) for name in names)
    return names if is_plain else ()
