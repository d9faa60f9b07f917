"""Decoded entries, held as columns: the form in which they cross from decoding to the store and to health."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


class Rows(Struct, frozen=True, eq=False):
    """Entries of one batch that have the same fields.

    `fields` holds the m names in the log's order, `at` (k,) the rising positions of the entries in the batch,
    `values` (k, m) what they logged.
    """

    fields: tuple[str, ...]
    at: Indices
    values: Floats


class Batch(Struct, frozen=True, eq=False):
    """What a piece of a log says: `entries` entries, grouped by their fields, in the order of their first one.

    `malformed` counts lines that are broken, `remarks` whole rows that hold no number, `noise` lines of other
    programs and of people: tracebacks, warnings, environment dumps.
    """

    entries: int = 0
    rows: tuple[Rows, ...] = ()
    malformed: int = 0
    remarks: int = 0
    noise: int = 0


class Collector(Struct, eq=False):
    """Gathers entries one by one, and makes a batch of them."""

    entries: int = 0
    malformed: int = 0
    remarks: int = 0
    noise: int = 0
    _groups: dict[tuple[str, ...], tuple[list[int], list[float]]] = field(default_factory=dict)

    def add(self, fields: tuple[str, ...], values: Sequence[float]) -> None:
        """Take in entries that have the same m fields: their names, and the m values of one entry after the other."""
        at, held = self._groups.setdefault(fields, ([], []))
        count = len(values) // max(len(fields), 1)
        at.extend(range(self.entries, self.entries + count))
        held.extend(values)
        self.entries += count

    def add_entry(self, entry: Mapping[str, float]) -> None:
        """Take in one entry by name."""
        self.add(tuple(entry), list(entry.values()))

    def batch(self) -> Batch:
        """Everything that was gathered."""
        rows = (
            Rows(
                fields, np.array(at, np.int64), np.fromiter(held, np.float64, len(held)).reshape(len(at), -1)
            )
            for fields, (at, held) in self._groups.items()
        )
        return Batch(self.entries, tuple(rows), self.malformed, self.remarks, self.noise)


def count_values(batches: Sequence[Batch]) -> int:
    """How many values these hold."""
    return sum(rows.values.size for batch in batches for rows in batch.rows)


def join_batches(batches: Sequence[Batch]) -> Batch:
    """One batch that says what these say, one after the other."""
    told = [batch for batch in batches if batch.entries or batch.malformed or batch.remarks or batch.noise]
    if len(told) <= 1:
        return told[0] if told else Batch()
    groups: dict[tuple[str, ...], list[tuple[Indices, Floats]]] = {}
    entries = 0
    for batch in told:
        for rows in batch.rows:
            groups.setdefault(rows.fields, []).append((rows.at + entries, rows.values))
        entries += batch.entries
    joined = (
        Rows(fields, np.concatenate([at for at, _ in parts]), np.concatenate([values for _, values in parts]))
        for fields, parts in groups.items()
    )
    return Batch(
        entries,
        tuple(joined),
        sum(batch.malformed for batch in told),
        sum(batch.remarks for batch in told),
        sum(batch.noise for batch in told),
    )


class Column(Struct, frozen=True, eq=False):
    """The values of one field over n entries, of which it may be missing in some.

    `at` (k,) holds the rising positions, 0 to n-1, of the entries that have the field, `values` (k,) its values
    there. NaN and infinities are values that were logged; what was not logged is not in here.
    """

    at: Indices
    values: Floats

    def slice(self, start: int, stop: int) -> Column:
        """The column over entries `start` to `stop` (exclusive), counted from `start`; may be empty."""
        low, high = np.searchsorted(self.at, (start, stop))
        return Column(self.at[low:high] - start, self.values[low:high])

    def pick(self, indices: Indices) -> Column:
        """The column over the entries at rising indices (k,), counted anew."""
        is_kept = np.isin(self.at, indices, assume_unique=True)
        return Column(np.searchsorted(indices, self.at[is_kept]), self.values[is_kept])


class Span(Struct, frozen=True, eq=False):
    """Consecutive entries of one stream: their steps (n,), and their fields by name, in the log's order.

    Every field is in one entry at least.
    """

    steps: Floats
    columns: Mapping[str, Column]

    def __len__(self) -> int:
        return len(self.steps)

    def slice(self, start: int, stop: int) -> Span:
        """The entries `start` to `stop` (exclusive); fields that none of them has are left out."""
        if start <= 0 and stop >= len(self):
            return self
        parts = {name: column.slice(start, stop) for name, column in self.columns.items()}
        return Span(self.steps[start:stop], {name: part for name, part in parts.items() if len(part.at)})

    def cut(self, edges: Sequence[int]) -> Iterator[Span]:
        """The same entries in spans that end at these rising edges, the first and the last of which are 0 and n."""
        if len(edges) <= 2:
            yield self
            return
        parts: list[dict[str, Column]] = [{} for _ in edges[1:]]
        for name, column in self.columns.items():
            bounds = np.searchsorted(column.at, edges)
            for index in np.flatnonzero(np.diff(bounds)).tolist():
                low, high = bounds[index], bounds[index + 1]
                parts[index][name] = Column(column.at[low:high] - edges[index], column.values[low:high])
        for columns, (start, stop) in zip(parts, pairwise(edges), strict=True):
            yield Span(self.steps[start:stop], columns)

    def pick(self, indices: Indices) -> Span:
        """The entries at rising indices (k,); fields that none of them has are left out."""
        parts = {name: column.pick(indices) for name, column in self.columns.items()}
        return Span(self.steps[indices], {name: part for name, part in parts.items() if len(part.at)})

    def row(self, index: int) -> dict[str, float]:
        """The fields of one entry."""
        part = self.slice(index, index + 1)
        return {name: float(column.values[0]) for name, column in part.columns.items()}
