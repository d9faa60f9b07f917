"""Joins bytes that arrive closely, for a reader who does not look before the end: large pieces cost less to judge."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable

from tui.events import Received, SourceEvent

GATHER_BYTES = 1024 * 1024
"""So much is handed on at once: about 4,000 entries, beyond which numpy gains nothing more."""

WAIT_S = 0.1
"""Bytes older than this, in seconds, wait for no more: on a slow link nothing is gained by it."""


async def gather(
    events: AsyncIterator[SourceEvent], clock: Callable[[], float] = time.monotonic
) -> AsyncIterator[SourceEvent]:
    """The same bytes and events in the same order, with bytes that follow one another joined up to 1 MiB."""
    held: list[bytes] = []
    start = size = 0
    since = 0.0
    async for event in events:
        is_next = isinstance(event, Received) and event.offset == start + size
        if held and not is_next:
            yield Received(b"".join(held), start)
            held.clear()
        if not isinstance(event, Received):
            yield event
            continue
        if not held:
            start, size, since = event.offset, 0, clock()
        held.append(event.data)
        size += len(event.data)
        if size >= GATHER_BYTES or clock() - since > WAIT_S:
            yield Received(b"".join(held), start)
            held.clear()
    if held:
        yield Received(b"".join(held), start)
