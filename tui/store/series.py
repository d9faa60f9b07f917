"""Columns that grow at their end: the physical form of what a run has logged."""

from __future__ import annotations

from itertools import cycle
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Floats, Indices

T = TypeVar("T", bound=np.generic)

_SPREAD = cycle(range(16))
"""Some more room, in 256ths of it: so not all columns of a log run out of it at the same entry."""

FIRST_CAPACITY = 64
"""How many items are made room for at first."""

GROWTH = 4
"""Room is made for a quarter more whenever it runs out: each value is copied four times in all, which is no time."""


class Growing(Generic[T]):
    """An array that grows at its end at amortised constant cost, in at most a third more than its size."""

    def __init__(self, dtype: type[T]) -> None:
        self._items: npt.NDArray[T] = np.empty(FIRST_CAPACITY, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def view(self) -> npt.NDArray[T]:
        """What is in it, (n,); a view, which the next `extend` may leave behind."""
        return self._items[: self._count]

    def extend(self, values: npt.NDArray[T]) -> None:
        """Append all values."""
        end = self._count + len(values)
        if end > len(self._items):
            room = max(end, len(self._items) + len(self._items) // GROWTH)
            grown = np.empty(room + room * next(_SPREAD) // 256, self._items.dtype)
            grown[: self._count] = self.view
            self._items = grown
        self._items[self._count : end] = values
        self._count = end

    def truncate(self, count: int) -> None:
        """Keep the first `count` items."""
        self._count = min(count, self._count)


class Series:
    """The values of one field, and the rows of its stream that have it.

    As long as no row is without the field, the rows are not stored: a dense series costs 8 bytes a value.
    """

    def __init__(self) -> None:
        self._values = Growing(np.float64)
        self._first = 0
        self._rows: Growing[np.int64] | None = None

    def __len__(self) -> int:
        return len(self._values)

    @property
    def values(self) -> Floats:
        """All values (n,), in order."""
        return self._values.view

    @property
    def rows(self) -> Indices:
        """The rows (n,) that they stand in, rising."""
        if self._rows is None:
            return np.arange(self._first, self._first + len(self), dtype=np.int64)
        return self._rows.view

    def rows_at(self, places: Indices) -> Indices:
        """The rows (k,) of the values at these places (k,)."""
        return places + self._first if self._rows is None else self._rows.view[places]

    def places_of(self, rows: Indices) -> Indices:
        """For each row (k,) the place of its value, or of the last one before it; -1 where there is none."""
        if self._rows is None:
            return np.clip(rows - self._first, -1, len(self) - 1)
        return np.asarray(np.searchsorted(self._rows.view, rows, "right") - 1)

    def count_before(self, row: int) -> int:
        """How many values stand in rows before this one."""
        if self._rows is None:
            return min(max(row - self._first, 0), len(self))
        return int(np.searchsorted(self._rows.view, row))

    @property
    def dense_from(self) -> int | None:
        """The first row, where every row since then has a value; else None."""
        return self._first if self._rows is None else None

    def extend(self, rows: Indices, values: Floats) -> None:
        """Append values (k,) of rows (k,), which lie behind all earlier ones."""
        if not len(rows):
            return
        if not len(self):
            self._first = int(rows[0])
        if self._rows is None and not self._continues(rows):
            dense, self._rows = self.rows, Growing(np.int64)
            self._rows.extend(dense)
        if self._rows is not None:
            self._rows.extend(rows)
        self._values.extend(values)

    def value_at(self, row: int) -> float | None:
        """The value in a row, or None where the row has none."""
        rows = self.rows if self._rows is not None else None
        index = row - self._first if rows is None else int(np.searchsorted(rows, row))
        if not 0 <= index < len(self) or (rows is not None and rows[index] != row):
            return None
        return float(self.values[index])

    def occurs_between(self, start: int, stop: int) -> bool:
        """Whether any row from `start` to `stop` (exclusive) has a value."""
        if self._rows is None:
            return self._first < stop and self._first + len(self) > start
        low, high = np.searchsorted(self._rows.view, (start, stop))
        return bool(high > low)

    def _continues(self, rows: Indices) -> bool:
        start = self._first + len(self)
        return int(rows[0]) == start and int(rows[-1]) == start + len(rows) - 1
