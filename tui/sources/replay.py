"""A recorded log as if it were live: its lines come as they once did, only faster."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from time import monotonic

from tui.events import CaughtUp, LinkChanged, LinkState, Received, SourceEvent

TICK_S = 0.05
"""Seconds between two portions: what is due within one comes together."""

Cue = tuple[int, float]
"""Where a portion of the log ends, in bytes, and when it was written, in seconds after the first one."""


class Replay:
    """The bytes of a log, each portion at its time; implements `Source`.

    Args:
        data: The whole log.
        cues: Its portions, in order; what stands behind the last comes at the end.
        speed: How many times faster than it was written.
    """

    def __init__(self, data: bytes, cues: Sequence[Cue], speed: float = 100.0) -> None:
        self._data = data
        self._cues = cues
        self._speed = speed

    def retry_now(self) -> None:
        """Nothing to retry."""

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Yield the portions in their time, then the end; without `follow` all at once."""
        yield LinkChanged(LinkState.LIVE)
        yield CaughtUp()
        at, began = 0, monotonic()
        for end, due_s in self._portions() if follow else ():
            await asyncio.sleep(max(began + due_s - monotonic(), 0.0))
            yield Received(self._data[at:end], at)
            at = end
        if at < len(self._data):
            yield Received(self._data[at:], at)
        yield LinkChanged(LinkState.ENDED)

    def _portions(self) -> Iterator[Cue]:
        """The cues in the seconds of now, those within a tick as one."""
        end, due_s = 0, 0.0
        for offset, written_s in self._cues:
            if end and written_s / self._speed >= due_s + TICK_S:
                yield end, due_s
                due_s = written_s / self._speed
            end = offset
        if end:
            yield end, due_s
