"""Borders between panels: where they stand by choice, and where they can be taken hold of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

GRIP = 2
"""Columns of a border between two panels side by side; one between panels under each other is a row."""


class Border(Struct, frozen=True):
    """A border that can be moved, in cells of the screen.

    It lies at `x`, `y` and goes on for `length` cells, down where it is `is_upright`, else to the right. What it
    divides begins at `start` and has `whole` cells, of which the first part keeps at least `first` and the second
    `last`.
    """

    name: str
    is_upright: bool
    x: int
    y: int
    length: int
    start: int
    whole: int
    first: int
    last: int

    @property
    def size(self) -> int:
        """The cells of the first part."""
        return (self.x if self.is_upright else self.y) - self.start

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell is one by which it can be taken hold of."""
        across, along = (x - self.x, y - self.y) if self.is_upright else (y - self.y, x - self.x)
        return 0 <= across < (GRIP if self.is_upright else 1) and 0 <= along < self.length

    def share_at(self, size: int) -> float:
        """The share of the whole that the first part has when it is so many cells, or as many as it may be."""
        return _within(size, self.whole, self.first, self.last) / max(self.whole, 1)


class Splits:
    """Divides rooms as a person wants it, and remembers where.

    Args:
        shares: The share (0 to 1) of the first part, by the border's name, where a person has moved it.
    """

    def __init__(self, shares: Mapping[str, float]) -> None:
        self._shares = shares
        self.borders: list[Border] = []

    def across(
        self, name: str, room: tuple[int, int, int, int], usual: int, least: tuple[int, int] = (24, 24)
    ) -> int:
        """The columns of the left part of a room (x, y, width, height), `usual` where nobody has moved the border."""
        x, y, width, height = room
        size = self._size(name, width, usual, least)
        self.borders.append(Border(name, True, x + size, y, height, x, width, *least))
        return size

    def down(
        self, name: str, room: tuple[int, int, int, int], usual: int, least: tuple[int, int] = (3, 3)
    ) -> int:
        """The rows of the upper part of a room (x, y, width, height), `usual` where nobody has moved the border."""
        x, y, width, height = room
        size = self._size(name, height, usual, least)
        if 0 < size < height:
            self.borders.append(Border(name, False, x, y + size, width, y, height, *least))
        return size

    def _size(self, name: str, whole: int, usual: int, least: tuple[int, int]) -> int:
        share = self._shares.get(name)
        return usual if share is None else _within(round(share * whole), whole, *least)


def border_at(borders: Iterable[Border], x: int, y: int) -> Border | None:
    """The border that a cell belongs to."""
    return next((border for border in borders if border.holds(x, y)), None)


def _within(size: int, whole: int, first: int, last: int) -> int:
    return max(min(max(size, first), whole - last), min(first, whole), 0)
