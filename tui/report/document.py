"""A document as plain pieces, which say what is written but not how it looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.report.chart import Chart  # drawing takes libraries that a line of text does not need


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of what follows; `level` 1 is the document's own."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that belong together."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without an order."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells under a header of as many; the first column is to the left, the others to the right.

    `is_left` names further columns, by index, that hold words.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_left: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """Curves side by side under a heading; a form that can't hold pictures leaves both out."""

    heading: str
    charts: tuple[Chart, ...]


Block = Heading | Paragraph | Bullets | Grid | Figures
Document = tuple[Block, ...]
