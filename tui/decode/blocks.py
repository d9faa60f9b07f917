"""Blocks: a line that says a step and nothing else, and below it indented lines with one metric each."""

from __future__ import annotations

import re

from tui.decode.lines import Line
from tui.decode.names import FIELD_LIMIT
from tui.decode.numbers import parse_number

HEADING_CHARS = 160
"""A heading is no longer than this."""

_ROW = re.compile(r"\s+([A-Za-z][^:=|]{0,100}?)\s*[:=]\s*(\S+)")


class Blocks:
    """Gathers the lines of a block until it ends."""

    def __init__(self) -> None:
        self._line: Line | None = None

    def open(self, heading: Line) -> None:
        """Begin a block below a heading; one that was open has been closed before."""
        self._line = heading

    def take(self, text: str) -> tuple[bool, Line | None]:
        """Whether a line is part of a block, and the block that it ends, if any."""
        if self._line is None:
            return False, None
        row = _ROW.match(text)
        value = parse_number(row[2].rstrip(",;")) if row else None
        if row is None or value is None or len(self._line.metrics) >= FIELD_LIMIT:
            return False, self.close()
        self._line.metrics.setdefault(row[1], value)
        return True, None

    def close(self) -> Line | None:
        """The block so far, if it holds more than a single number."""
        line, self._line = self._line, None
        return line if line is not None and len(line.metrics) > 1 else None
