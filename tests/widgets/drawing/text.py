"""What a person reads of drawn lines."""

from collections.abc import Sequence

from widgets.cells import Line, line_width


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
