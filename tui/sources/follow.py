"""The follower: a source that reaches a log, reads it, and comes back after every break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from tui.events import LinkChanged, LinkState, SourceEvent
from tui.sources.log import Place
from tui.sources.pace import Backoff, Pace
from tui.sources.position import Bookmark, Position
from tui.sources.pursuit import Pursuit
from tui.sources.silence import noticing_silence
from tui.sources.trouble import Trouble


class Follower:
    """The bytes of the log at a place; implements `Source`."""

    def __init__(self, place: Place, pace: Pace | None = None, start: Position | None = None) -> None:
        self._place = place
        self._pace = pace or Pace()
        self._bookmark = Bookmark(start or Position())
        self._hurry = asyncio.Event()

    @property
    def position(self) -> Position:
        """How far it has read; a new follower with this as `start` goes on there."""
        return self._bookmark.position

    def retry_now(self) -> None:
        """Cut short the wait for the next attempt, if there is one."""
        self._hurry.set()

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Yield what happens to the log; see `Source.events`."""
        backoff = Backoff(self._pace)
        while True:
            yield LinkChanged(LinkState.CONNECTING, f"opening the log on {self._place.name}")
            try:
                async with aclosing(self._connection(follow)) as events:
                    async for event in events:
                        yield event
            except Trouble as caught:
                trouble = caught
            else:
                return
            if not follow:
                yield LinkChanged(trouble.state, str(trouble))
                return
            if self._was_steady():
                backoff.reset()
            wait_s = None if trouble.is_final else backoff.next_s()
            yield LinkChanged(trouble.state, str(trouble), wait_s)
            await self._wait_for_retry(wait_s)

    async def _connection(self, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        self._bookmark.live_s = None
        async with self._place.reach() as log:
            pursuit = Pursuit(log, self._place.name, self._pace, self._bookmark)
            events = noticing_silence(pursuit.events(follow=follow), log, self._place.name, self._pace)
            async with aclosing(events):
                async for event in events:
                    yield event

    def _was_steady(self) -> bool:
        live_s = self._bookmark.live_s
        return live_s is not None and self._bookmark.answered_s - live_s >= self._pace.steady_s

    async def _wait_for_retry(self, wait_s: float | None) -> None:
        self._hurry.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._hurry.wait()
