"""Logs at rest: those of one lane are looked at all at once, when the bell rings and when a rest is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

from msgspec import Struct

from tui.sources.answers import Answer, Look, parse_looks


class _Rest(Struct, eq=False):
    """A log that waits until it has changed, or `time_s` have gone by."""

    known: Look
    time_s: float
    due_s: float
    over: asyncio.Future[Look | None]

    def is_over(self, look: Look | None) -> bool:
        """Whether the log has changed, or its time has about come: those that rest equally long share a look."""
        return look != self.known or monotonic() > self.due_s - self.time_s / 4


class Rests:
    """The logs that wait for a change.

    Args:
        ask: Asks the far end how all open logs stand; None at its end.
        pace_s: The least time between two looks for the bell's sake, in seconds.
    """

    def __init__(self, ask: Callable[[], Awaitable[Answer | None]], pace_s: float) -> None:
        self._ask = ask
        self._pace_s = pace_s
        self._rests: dict[int, _Rest] = {}
        self._looks: dict[int, Look | None] = {}
        self._is_ended = False
        self._is_rung = False
        self._stirred = asyncio.Event()
        self._looked_s = 0.0

    async def rest(self, number: int, known: Look, time_s: float) -> Look | None:
        """Wait until a log stands otherwise than known, but not longer than that.

        Returns:
            How it stands then; None where that has to be asked for.
        """
        if self._is_ended:
            return None
        over: asyncio.Future[Look | None] = asyncio.get_running_loop().create_future()
        self._rests[number] = _Rest(known, time_s, monotonic() + time_s, over)
        self._stirred.set()
        try:
            return await over
        finally:
            self._rests.pop(number, None)

    def ring(self) -> None:
        """One of the logs has grown; which, the next look tells, where more than one rests."""
        if len(self._rests) == 1:
            _, rest = self._rests.popitem()
            if not rest.over.done():
                rest.over.set_result(None)
        elif self._rests:
            self._is_rung = True
            self._stirred.set()

    def end(self) -> None:
        """Let nobody rest any more."""
        self._is_ended = True
        for rest in self._rests.values():
            if not rest.over.done():
                rest.over.set_result(None)

    async def watch(self) -> None:
        """Look at the logs that rest, until the end."""
        while not self._is_ended:
            await self._wait_for_stir()
            self._is_rung = False
            answer = await self._ask()
            self._looked_s = monotonic()
            if answer is not None:
                self._take(answer)

    async def _wait_for_stir(self) -> None:
        """Wait for a ring while a log rests, or for the end of a rest; looks for rings keep a distance."""
        while True:
            now_s = monotonic()
            due_s = min((rest.due_s for rest in self._rests.values()), default=None)
            if due_s is not None and self._is_rung:
                due_s = min(due_s, self._looked_s + self._pace_s)
            if due_s is not None and due_s <= now_s:
                return
            self._stirred.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if due_s is None else due_s - now_s):
                    await self._stirred.wait()

    def _take(self, answer: Answer) -> None:
        if answer.words[0] == "data":  # else all is the same as at the last look
            self._looks = parse_looks(answer)
        for number, rest in list(self._rests.items()):
            look = self._looks.get(number)
            if rest.is_over(look):
                del self._rests[number]
                if not rest.over.done():
                    rest.over.set_result(look)
