"""Lets so many in at a time, and who takes long steps aside, so that a host that hangs never delays the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turnstile:
    """A limit on what begins at a time.

    Args:
        most: How many may be in it.
        patience_s: Seconds after which one that is still in it no longer counts: it waits for somebody else, a host
            that is dead or a person who is asked for a password.
    """

    def __init__(self, most: int, patience_s: float) -> None:
        self._places = asyncio.Semaphore(most)
        self._patience_s = patience_s

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        """Wait for a place; it is given back with the end of the context, or when patience is over."""
        await self._places.acquire()
        place = _Place(self._places)
        leaving = asyncio.get_running_loop().call_later(self._patience_s, place.give_back)
        try:
            yield
        finally:
            leaving.cancel()
            place.give_back()


class _Place:
    """A place in it, which is given back once."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places: asyncio.Semaphore | None = places

    def give_back(self) -> None:
        """Let the next one in, where that was not done yet."""
        places, self._places = self._places, None
        if places is not None:
            places.release()
