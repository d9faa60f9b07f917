"""Entries on their way into a stream, and what comes of them there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tui.decode.batch import Indices, Span

Shapes = npt.NDArray[np.int64]


class Incoming(Struct, frozen=True, eq=False):
    """Entries on their way into a stream, in order: `seq` (n,) are their positions in the batch.

    `shapes` (n,) are indices into `field_sets`, `repeats` (n,) how often each entry was written again right behind
    itself.
    """

    seq: Indices
    span: Span
    shapes: Shapes
    field_sets: tuple[frozenset[str], ...]
    repeats: Indices

    def __len__(self) -> int:
        return len(self.seq)

    def slice(self, start: int, stop: int) -> Incoming:
        """The entries `start` to `stop` (exclusive)."""
        part = slice(start, stop)
        span = self.span.slice(start, stop)
        return Incoming(self.seq[part], span, self.shapes[part], self.field_sets, self.repeats[part])

    def pick(self, indices: Indices) -> Incoming:
        """The entries at rising indices (k,)."""
        span = self.span.pick(indices)
        return Incoming(self.seq[indices], span, self.shapes[indices], self.field_sets, self.repeats[indices])

    def merge_repeats(self) -> Incoming:
        """The same, with each entry that is equal to the one right before it in the log counted there."""
        if len(self) < 2:
            return self
        same = (self.span.steps[1:] == self.span.steps[:-1]) & (self.shapes[1:] == self.shapes[:-1])
        same &= np.diff(self.seq) == 1  # another stream's entry between them may be a restart
        if not same.any():
            return self
        for column in self.span.columns.values():
            values = np.full(len(self), np.nan)  # where both lack a field, its shapes say so
            values[column.at] = column.values
            same &= (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
        kept = np.flatnonzero(np.concatenate(([True], ~same)))
        picked = self.pick(kept)
        repeats = np.diff(np.append(kept, len(self))) - 1
        return Incoming(picked.seq, picked.span, picked.shapes, picked.field_sets, repeats)


class Accepted(Struct, frozen=True, eq=False):
    """Entries that the stream has taken in, in order; `at` (n,) are their positions in the batch."""

    span: Span
    at: Indices


class Restarted(Struct, frozen=True):
    """The run went back to this step; what was logged at or beyond it no longer stands.

    `at` is the position in the batch of the entry that showed it; `is_own` is false where the main stream's restart
    was carried over to this one.
    """

    step: float
    at: int
    is_own: bool = True


class FieldsChanged(Struct, frozen=True, eq=False):
    """Some fields have ended and others begun; `span` holds the entries since then, accepted already.

    `at` is the position in the batch of the entry that made it certain.
    """

    span: Span
    at: int


Piece = Accepted | Restarted | FieldsChanged


def runs(shapes: Shapes) -> Iterator[tuple[int, int]]:
    """The stretches (start, stop) of equal values."""
    if len(shapes) == 1:
        yield 0, 1
        return
    edges = np.flatnonzero(np.diff(shapes)) + 1
    starts = (0, *edges.tolist())
    yield from zip(starts, (*starts[1:], len(shapes)), strict=True)
