"""Logs that are already written, as sources: what the screen is tested and pictured with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence

from tui.events import CaughtUp, LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.feed import Feed, FeedOptions
from tui.sources.base import CHUNK_BYTES
from tui.sources.demo.trainer import simulate, write_line
from tui.target import parse_target

ADDRESS = "gpu-box:pct/200:/workspace/checkpoints/train_log.jsonl"


class Recorded:
    """A source that hands on these events, then those that a test puts into `live`, and goes on waiting."""

    def __init__(self, events: Sequence[SourceEvent] = ()) -> None:
        self.events_before = list(events)
        self.live: asyncio.Queue[SourceEvent] = asyncio.Queue()
        self.retries = 0

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """First what is there, then what comes."""
        for event in self.events_before:
            yield event
        while follow:
            yield await self.live.get()

    def retry_now(self) -> None:
        """Count how often a retry was asked for."""
        self.retries += 1


def in_chunks(text: str) -> list[SourceEvent]:
    """A whole log as a source hands it on: connected, its size, its bytes, caught up."""
    data = text.encode()
    chunks = [Received(data[at : at + CHUNK_BYTES], at) for at in range(0, len(data), CHUNK_BYTES)]
    return [LinkChanged(LinkState.LIVE), Observed(100.0, 98.0, len(data)), *chunks, CaughtUp()]


def make_feed(events: Iterable[SourceEvent] = (), name: str = "v3-kpro6", address: str = ADDRESS) -> Feed:
    """A feed of such a source; nothing is read of it before it is followed."""
    return Feed(parse_target(address), Recorded(list(events)), FeedOptions(name=name))


def fill_feed(text: str, name: str = "v3-kpro6", address: str = ADDRESS) -> Feed:
    """A feed that has taken in a whole log already."""
    feed = make_feed((), name, address)
    for event in in_chunks(text):
        feed.consume(event)
    return feed


def scenario_log(scenario: str = "drafter", entries: int | None = None, seed: int = 0) -> str:
    """The text of a simulated run's log."""
    return "".join(write_line(entry) for entry in simulate(scenario, entries=entries, seed=seed))
