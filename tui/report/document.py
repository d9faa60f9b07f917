"""A document as plain pieces, which say what is written but not how it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tui.report.chart import Chart  # drawing takes libraries that a line of text does not need


class Heading(Struct, frozen=True):
    """The title of what follows; `level` 1 is the document's own."""

    text: str
    level: int = 2


class Paragraph(Struct, frozen=True):
    """Sentences that belong together."""

    text: str


class Bullets(Struct, frozen=True):
    """A list without an order."""

    items: tuple[str, ...]


class Grid(Struct, frozen=True):
    """Rows of cells under a header of as many; the first column is to the left, the others to the right.

    `is_left` names further columns, by index, that hold words.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_left: frozenset[int] = frozenset()


class Figures(Struct, frozen=True, eq=False):
    """Curves side by side under a heading; a form that can't hold pictures leaves both out."""

    heading: str
    charts: tuple[Chart, ...]


Block = Heading | Paragraph | Bullets | Grid | Figures
Document = tuple[Block, ...]
