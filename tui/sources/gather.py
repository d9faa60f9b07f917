"""Joins bytes that arrive closely, for a reader who does not look before the end: large pieces cost less to judge."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator

from msgspec import Struct, field

from tui.events import Observed, Received, SourceEvent

GATHER_BYTES = 1024 * 1024
"""So much is handed on at once: about 4,000 entries, beyond which numpy gains nothing more."""

WAIT_S = 0.1
"""Bytes older than this, in seconds, wait for no more: on a slow link nothing is gained by it."""


class _Held(Struct):
    """Bytes that follow one another, since when they are held, and how the file stood at the last look meanwhile."""

    start: int
    since_s: float
    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    observed: Observed | None = None

    def take(self, event: SourceEvent) -> bool:
        """Take an event in, if it can wait; of looks at the file only the last still says anything."""
        if isinstance(event, Received) and event.offset == self.start + self.size:
            self.parts.append(event.data)
            self.size += len(event.data)
            return True
        if isinstance(event, Observed):
            self.observed = event
            return True
        return False

    def release(self) -> Iterator[SourceEvent]:
        yield Received(b"".join(self.parts), self.start)
        if self.observed:
            yield self.observed


async def gather(
    events: AsyncIterator[SourceEvent], clock: Callable[[], float] = time.monotonic
) -> AsyncIterator[SourceEvent]:
    """The same bytes and events in the same order, with bytes that follow one another joined up to 1 MiB.

    A look at the file waits with the bytes that surround it.
    """
    held: _Held | None = None
    async for event in events:
        if held and not held.take(event):
            for each in held.release():
                yield each
            held = None
        if held is None and isinstance(event, Received):
            held = _Held(event.offset, clock(), [event.data], len(event.data))
        elif held is None:
            yield event
        if held and (held.size >= GATHER_BYTES or clock() - held.since_s > WAIT_S):
            for each in held.release():
                yield each
            held = None
    if held:
        for each in held.release():
            yield each
