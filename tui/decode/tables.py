"""Boxed tables: one name and one number a row, as reinforcement learners print them between dashed lines."""

from __future__ import annotations

import re

from tui.decode.names import FIELD_LIMIT
from tui.decode.numbers import Printed, parse_number, read_number

_ROW = re.compile(r"\s*[|│]\s*([^|│]*?\S)\s*[|│]\s*([^|│]*?)\s*[|│]\s*\Z")
_BORDER = re.compile(r"\s*[-+=─━┌┐└┘├┤┬┴┼|]{6,}\s*\Z")

_EDGES = frozenset("|│-+=─━┌┐└┘├┤┬┴┼")

Numbers = dict[str, Printed]


class Tables:
    """Gathers the rows of a table until it closes."""

    def __init__(self) -> None:
        self._rows: Numbers = {}
        self._section = ""

    def take(self, text: str) -> tuple[bool, Numbers | None]:
        """Whether a line is part of a table, and the table that it closes, if any."""
        if text.lstrip()[:1] not in _EDGES:
            return False, self.close() if self._rows else None
        if row := _ROW.match(text):
            self._add(row[1], row[2])
            return True, None
        if _BORDER.match(text):
            return True, self.close()
        return False, self.close() if self._rows else None

    def close(self) -> Numbers | None:
        """The table so far; begins a new one."""
        rows, self._rows, self._section = self._rows, {}, ""
        return rows or None

    def _add(self, name: str, cell: str) -> None:
        if not cell and name.endswith("/"):  # a heading, under which the names go on
            self._section = name
            return
        if len(self._rows) < FIELD_LIMIT and (number := read_cell(cell)) is not None:
            self._rows[name if name.startswith(self._section) else self._section + name] = number


def read_cell(cell: str) -> Printed | None:
    """The number in a cell, and how exactly it was printed."""
    value = parse_number(cell)
    if value is None:
        return None
    digits = cell.strip()
    is_rounded = "e+" in digits.lower() and digits[-1:].isdigit()
    return read_number(digits) if is_rounded else Printed(value, "", 0.0)
