"""What all sources with a way to lose have in common: they come back after every break."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from tui.events import LinkChanged, LinkState, SourceEvent
from tui.sources.pace import Backoff, Pace
from tui.sources.position import Bookmark
from tui.sources.trouble import Trouble


class Returning(ABC):
    """Makes one connection after another; implements `Source`.

    Args:
        name: Where the log is, for a message.
        pace: The intervals of following.
        bookmark: What is kept from one connection to the next.
    """

    def __init__(self, name: str, pace: Pace, bookmark: Bookmark) -> None:
        self._name = name
        self._pace = pace
        self._bookmark = bookmark
        self._hurry = asyncio.Event()

    @abstractmethod
    def _connection(self, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """What happens to the log during one connection, until that breaks (`Trouble`) or all is read."""

    def retry_now(self) -> None:
        """Cut short the wait for the next attempt, if there is one."""
        self._hurry.set()

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Yield what happens to the log; see `Source.events`."""
        backoff = Backoff(self._pace, self._name)
        while True:
            yield LinkChanged(LinkState.CONNECTING, f"opening the log on {self._name}")
            self._bookmark.live_s = None
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

    def _was_steady(self) -> bool:
        live_s = self._bookmark.live_s
        return live_s is not None and self._bookmark.answered_s - live_s >= self._pace.steady_s

    async def _wait_for_retry(self, wait_s: float | None) -> None:
        self._hurry.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._hurry.wait()
