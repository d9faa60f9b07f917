"""A document as markdown, as chats and issue trackers read it."""

from __future__ import annotations

import re

from tui.report.document import Block, Bullets, Document, Grid, Heading, Paragraph

_SPECIAL = re.compile(r"([\\`*\[\]<>|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[#>+=-](?=\s))")
"""What would be read as a sign of the language: an underscore only at the edge of a word, a bullet only in front."""


def to_markdown(document: Document) -> str:
    """The document's text; ends with a newline."""
    pieces = [text for block in document if (text := _write(block))]
    return "\n\n".join(pieces) + "\n"


def escape(text: str) -> str:
    r"""Text that stands for itself, on one line.

    >>> escape("a|b *c* grad_norm")
    'a\\|b \\*c\\* grad_norm'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _write(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {escape(text)}"
        case Paragraph(text):
            return escape(text)
        case Bullets(items):
            return "\n".join(f"- {escape(item)}" for item in items)
        case Grid():
            return _write_grid(block)
        case _:
            return ""


def _write_grid(grid: Grid) -> str:
    rule = [":---" if column == 0 or column in grid.is_left else "---:" for column in range(len(grid.header))]
    rows = [tuple(escape(cell) for cell in row) for row in (grid.header, *grid.rows)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (rows[0], rule, *rows[1:]))
