"""Which metrics a page of curves begins with."""

from __future__ import annotations

from msgspec import Struct


class Page(Struct, frozen=True):
    """A page by its number (from 0), the place of its first metric, and how many pages there are."""

    number: int = 0
    start: int = 0
    count: int = 1

    @property
    def label(self) -> str:
        """What is said of it; nothing on the first, which is where everybody begins."""
        return f"page {self.number + 1} of {self.count}" if self.number else ""


def turn_to(number: int, metrics: int, first: int, later: int) -> Page:
    """The page of this number, or the last one.

    Args:
        number: From 0.
        metrics: How many metrics there are.
        first: How many the first page shows.
        later: How many each of the others does.
    """
    count = 1 + max(-(-(metrics - first) // max(later, 1)), 0)
    number = min(max(number, 0), count - 1)
    return Page(number, first + (number - 1) * later if number else 0, count)
