"""A listener for tests: it iterates a source and keeps what it heard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

from tests.waiting import PATIENCE_S, eventually
from tui.events import CaughtUp, FileReplaced, LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.sources.base import Source
from tui.sources.open import open_source
from tui.sources.pace import Pace
from tui.sources.ssh import Connections
from tui.target import parse_target

BRISK = Pace(
    beat_s=0.2,
    poll_s=0.02,
    busy_s=0.05,
    stale_s=0.6,
    lost_s=1.5,
    patience_s=3,
    close_s=1,
    grace_s=0.1,
    quiet_s=5,
    steady_s=0.1,
    first_retry_s=0.02,
    last_retry_s=0.3,
)
"""The intervals of following, scaled down."""


@dataclass
class Heard:
    """What a source has said, in order."""

    events: list[SourceEvent] = field(default_factory=list)

    def add(self, event: SourceEvent) -> None:
        """Take in an event; the bytes of one file must follow each other without a gap."""
        if isinstance(event, Received):
            assert event.offset == self._next_offset()
        self.events.append(event)

    def _next_offset(self) -> int:
        for event in reversed(self.events):
            if isinstance(event, FileReplaced):
                return 0
            if isinstance(event, Received):
                return event.offset + len(event.data)
        return 0

    @property
    def data(self) -> bytes:
        """All bytes, those of a successor right after those of the file before it."""
        return b"".join(event.data for event in self.events if isinstance(event, Received))

    @property
    def links(self) -> list[LinkState]:
        """The link's states, in order."""
        return [event.state for event in self.events if isinstance(event, LinkChanged)]

    @property
    def last_link(self) -> LinkChanged:
        """The latest word about the link."""
        return [event for event in self.events if isinstance(event, LinkChanged)][-1]

    @property
    def replaced(self) -> list[FileReplaced]:
        """The changes of file."""
        return [event for event in self.events if isinstance(event, FileReplaced)]

    @property
    def observed(self) -> list[Observed]:
        """The far end's words about the file."""
        return [event for event in self.events if isinstance(event, Observed)]

    @property
    def is_caught_up(self) -> bool:
        """Whether the beginning has been read."""
        return any(isinstance(event, CaughtUp) for event in self.events)

    async def has_bytes(self, count: int) -> None:
        """Wait until there are so many bytes."""
        await eventually(lambda: len(self.data) >= count)

    async def has(self, data: bytes, patience_s: float = PATIENCE_S) -> None:
        """Wait until all bytes together are `data`."""
        try:
            await eventually(lambda: self.data == data, patience_s)
        except TimeoutError:
            assert self.data == data, self.events[-5:]


async def read_once(address: str, connections: Connections | None = None, via: tuple[str, ...] = ()) -> Heard:
    """Read a log to its present end."""
    heard = Heard()
    source = open_source(parse_target(address, via), connections)
    async with asyncio.timeout(PATIENCE_S), aclosing(source.events(follow=False)) as events:
        async for event in events:
            heard.add(event)
    return heard


@asynccontextmanager
async def following(source: Source) -> AsyncIterator[Heard]:
    """Follow a source for as long as the context lasts."""
    heard = Heard()
    task = asyncio.create_task(_listen(source, heard))
    try:
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error


async def _listen(source: Source, heard: Heard) -> None:
    async with aclosing(source.events(follow=True)) as events:
        async for event in events:
            heard.add(event)
