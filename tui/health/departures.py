"""Streams of a run that have no more entries, though the run goes on: evaluations that are no longer made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tui.decode.batch import Column, Indices, Span
from tui.health.absence import Absence, not_once_in
from tui.store.run import StreamPiece
from tui.store.stream import Accepted, Piece


@dataclass(frozen=True, slots=True)
class Departed:
    """A stream has had no entry for too long; `at` is the position in the batch of the entry that showed it."""

    at: int
    why: str


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """A piece of a stream, or its departure, by the stream's index."""

    stream: int
    piece: Piece | Departed


class Departures:
    """Watches over streams as `Absence` does over the metrics of one, by the entries of all in the log's order.

    A stream that has most of the entries never departs: a long evaluation, row by row, is no end of training.
    """

    def __init__(self) -> None:
        self._absence = Absence()
        self._entries = 0
        self._counts: dict[int, int] = {}

    def insert(self, pieces: Sequence[StreamPiece]) -> list[StreamEvent]:
        """The pieces of a batch, each stream's cut where it departed, with its departure in between."""
        due = [StreamEvent(each.stream, each.piece) for each in pieces]
        for stream, departed in self._find(pieces):
            parts = [part for each in due for part in _cut(each, stream, departed.at)]
            late = [part.stream == stream and _place(part.piece) >= departed.at for part in parts]
            before = [part for part, is_late in zip(parts, late, strict=True) if not is_late]
            after = [part for part, is_late in zip(parts, late, strict=True) if is_late]
            due = [*before, StreamEvent(stream, departed), *after]
        return due

    def _find(self, pieces: Sequence[StreamPiece]) -> list[tuple[int, Departed]]:
        came: dict[int, list[Indices]] = {}
        for each in pieces:
            if isinstance(each.piece, Accepted) and len(each.piece.at):
                came.setdefault(each.stream, []).append(each.piece.at)
        if not came or self._is_alone(came):
            return []
        order = np.sort(np.concatenate([at for parts in came.values() for at in parts]))
        places = {stream: np.searchsorted(order, np.concatenate(parts)) for stream, parts in came.items()}
        span = Span(order, {str(stream): Column(at, order[at]) for stream, at in places.items()})
        first, self._entries = self._entries, self._entries + len(order)
        streams = sorted({*self._counts, *places})
        found = []
        for ended in self._absence.find(first, span, [str(stream) for stream in streams]):
            stream, at = int(ended.metric), ended.entry - first
            count = self._counts.get(stream, 0) + int(np.searchsorted(places.get(stream, order[:0]), at))
            if 2 * count < ended.entry:
                found.append((stream, Departed(int(order[at]), not_once_in(ended.entry - ended.last))))
        for stream, at_ in places.items():
            self._counts[stream] = self._counts.get(stream, 0) + len(at_)
        return found

    def _is_alone(self, came: Mapping[int, list[Indices]]) -> bool:
        """Whether there has only ever been one stream, as mostly; if so, its entries are taken in."""
        if len(came) > 1 or not self._counts.keys() <= came.keys():
            return False
        ((stream, parts),) = came.items()
        self._entries += sum(map(len, parts))
        self._counts[stream] = self._entries
        self._absence.pass_by(str(stream), self._entries - 1)
        return True


def _cut(event: StreamEvent, stream: int, at: int) -> Iterator[StreamEvent]:
    """The event, in two where it is a piece of this stream that has entries before a position and after it."""
    piece = event.piece
    where = int(np.searchsorted(piece.at, at)) if isinstance(piece, Accepted) else 0
    if event.stream != stream or not isinstance(piece, Accepted) or not 0 < where < len(piece.at):
        yield event
        return
    for low, high in ((0, where), (where, len(piece.at))):
        yield StreamEvent(stream, Accepted(piece.span.slice(low, high), piece.at[low:high]))


def _place(piece: Piece | Departed) -> int:
    """The position in the batch of the first entry that a piece is about."""
    return int(piece.at[0]) if isinstance(piece, Accepted) else piece.at
