"""A shell at the far end that answers one who asks: its first word, its answers, and why none comes any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tui.sources.channel import Channel
from tui.sources.explain import explain_end
from tui.sources.pace import Pace
from tui.sources.trouble import lost
from tui.sources.wire import Wire
from tui.target import Target


@asynccontextmanager
async def first_word(target: Target, pace: Pace) -> AsyncIterator[None]:
    """Allow what waits for the first word of a shell as long as a connection may take.

    Raises:
        Trouble: It did not come in time.
    """
    try:
        async with asyncio.timeout(pace.connect_s):
            yield
    except TimeoutError as error:
        raise lost(f"{target.place} runs nothing within {pace.connect_s:.0f} s; trying again") from error


class FarShell:
    """One that is asked over a channel of its own.

    Args:
        channel: It runs there.
        nonce: Marks what it says.
        target: What it is asked about.
        host: Where it runs, where that is not all of the target's way.
    """

    def __init__(
        self, channel: Channel, nonce: str, target: Target, pace: Pace, host: Target | None = None
    ) -> None:
        self._wire = Wire(channel, nonce)
        self._channel = channel
        self._target = target
        self._pace = pace
        self._host = host or target

    async def greet(self) -> None:
        """Wait for its first word."""
        async with first_word(self._target, self._pace):
            await self._answer()

    def silent_s(self) -> float:
        """Seconds without a byte while an answer is due."""
        return self._wire.silent_s()

    async def _answer(self) -> list[str]:
        words = await self._wire.answer()
        if words is None:
            raise explain_end(self._host, *await self._channel.last_words(), was_up=self._wire.is_up)
        return words

    async def _data(self, length: int) -> bytes:
        data = await self._wire.data(length)
        if data is None:
            raise explain_end(self._host, *await self._channel.last_words(), was_up=True)
        return data
