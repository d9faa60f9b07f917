"""What a person reads of drawn lines."""

import unicodedata
from collections.abc import Sequence

from widgets.cells import Line, line_width

_OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""The categories of characters that a terminal may act on."""


def text_of(lines: Sequence[Line]) -> str:
    """The lines as plain text."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def styles_of(lines: Sequence[Line], part: str) -> set[str]:
    """The styles of the spans that hold this text."""
    return {style for line in lines for text, style in line if part in text}


def assert_fits(lines: Sequence[Line], cells: int, rows: int) -> None:
    """No line is too wide, and there are not too many."""
    assert len(lines) <= rows
    assert all(line_width(line) <= cells for line in lines)


def assert_exact(lines: Sequence[Line], cells: int) -> None:
    """Every line is as wide as its room, and holds nothing that a terminal would obey."""
    assert {line_width(line) for line in lines} <= {cells}
    chars = {char for line in lines for text, _ in line for char in text}
    assert not {char for char in chars if unicodedata.category(char) in _OBEYED}
