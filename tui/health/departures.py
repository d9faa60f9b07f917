"""Streams of a run that have no more entries, though the run goes on: evaluations that are no longer made."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct

from tui.decode.batch import Column, Indices, Span
from tui.health.absence import Absence, not_once_in
from tui.store.pieces import Accepted, Piece
from tui.store.run import StreamPiece


class Departed(Struct, frozen=True):
    """A stream has had no entry for too long; `at` is the position in the batch of the entry that showed it."""

    at: int
    why: str


class StreamEvent(Struct, frozen=True):
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
        found = self._find(pieces)
        times: dict[int, list[int]] = {}
        for stream, departed in found:
            times.setdefault(stream, []).append(departed.at)
        due: list[StreamEvent] = []
        later: dict[
            tuple[int, int], list[StreamEvent]
        ] = {}  # by stream, and by how often it has departed before
        for each in pieces:
            event = StreamEvent(each.stream, each.piece)
            for part in _cut(event, times[each.stream]) if each.stream in times else (event,):
                count = bisect_right(times.get(each.stream, ()), _place(part.piece))
                (later.setdefault((each.stream, count), []) if count else due).append(part)
        counts: Counter[int] = Counter()
        for stream, departed in found:
            counts[stream] += 1
            due += [StreamEvent(stream, departed), *later.get((stream, counts[stream]), ())]
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


def _cut(event: StreamEvent, times: Sequence[int]) -> Iterator[StreamEvent]:
    """The event, in parts where it is a piece of entries from before one of these rising positions and after it."""
    piece = event.piece
    if not isinstance(piece, Accepted):
        yield event
        return
    inner = {int(at) for at in np.searchsorted(piece.at, times)} - {0, len(piece.at)}
    for low, high in pairwise(sorted({0, len(piece.at)} | inner)):
        part = piece if not inner else Accepted(piece.span.slice(low, high), piece.at[low:high])
        yield StreamEvent(event.stream, part)


def _place(piece: Piece | Departed) -> int:
    """The position in the batch of the first entry that a piece is about."""
    return int(piece.at[0]) if isinstance(piece, Accepted) else piece.at
