"""A lane: one running `far.sh`, over which many logs are read, each request with its answer in turn."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic

from msgspec import Struct

from tui.sources.answers import Answer, Look, spell
from tui.sources.channel import Channel
from tui.sources.pace import Pace
from tui.sources.rests import Rests
from tui.sources.trouble import Trouble, lost
from tui.sources.wire import Wire

_CLOCK_S = 60.0
"""Seconds between two looks at the clock over there."""


class _Asked(Struct, frozen=True, eq=False):
    """A request under way: its words, when it was sent, in monotonic seconds, and its answer."""

    request: str
    sent_s: float
    answer: asyncio.Future[Answer | None]


class Lane:
    """Requests of many logs over one channel, and the looks at all of those that rest.

    Answers come in the order of the requests, so a log has but few under way at a time (`due`). What is read for one
    log waits for its reader only; the others go on.

    Attributes:
        can_wake: Whether the far end rings when a log grows.
    """

    def __init__(self, channel: Channel, nonce: str, pace: Pace) -> None:
        self.can_wake = False
        self._channel = channel
        self._wire = Wire(channel, nonce)
        self._asked: deque[_Asked] = deque()
        self._heard_s = 0.0
        self._stuck: str | None = None
        self._trouble: Trouble | None = None
        self._is_over = False
        self._numbers = 0
        self._rests = Rests(self._look, pace.poll_s)
        self._bells: set[int] = set()
        self._clock_s = 0.0
        self._clock_skew_s = 0.0  # what the far clock shows beyond our monotonic one
        self._tasks: list[asyncio.Task[None]] = []

    async def greet(self) -> None:
        """Wait for the far end's first word, and read its clock; None of both where it has ended before."""
        self._channel.words.on_ring = self._rests.ring
        ready = self._expect("")
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._rests.watch())]
        if (answer := await ready) is not None:
            self.can_wake = "bell" in answer.words
            await self._read_clock()

    @property
    def is_over(self) -> bool:
        """Whether no answer will come any more."""
        return self._is_over

    @property
    def is_up(self) -> bool:
        """Whether the far end has begun to run."""
        return self._wire.is_up

    @property
    def trouble(self) -> Trouble | None:
        """Why the lane was given up by this side; None where the far side has ended it."""
        return self._trouble

    @property
    def due(self) -> int:
        """How many answers are still to come."""
        return len(self._asked)

    @property
    def stuck(self) -> str | None:
        """The number of the log whose request kept all others waiting, at last or now; None where it was no log's."""
        words = self._asked[0].request.split() if self._asked else []
        return words[1] if len(words) > 1 else self._stuck

    def silent_s(self) -> float:
        """Seconds without a byte while an answer is due."""
        return self._wire.silent_s()

    def now_s(self) -> float:
        """UTC epoch seconds by the far clock, to a second or so."""
        return monotonic() + self._clock_skew_s

    async def last_words(self) -> tuple[str, int | None]:
        """What the far end said on standard error, and its exit status; to be asked after the end."""
        return await self._channel.last_words()

    def ask(self, request: str) -> asyncio.Future[Answer | None]:
        """Send a request; its answer will be None if the lane ends before."""
        answer = self._expect(request)
        if self._is_over:
            self._end()
        else:
            self._wire.ask(request)
        return answer

    def add(self, path: str) -> int:
        """Make a log known over there, and give it a number."""
        self._numbers += 1
        self._wire.tell(f"log {self._numbers} {spell(path)}")
        return self._numbers

    def drop(self, number: int) -> None:
        """Let go of a log."""
        self.hush(number)
        self._wire.tell(f"drop {number}")

    def ring(self, number: int, size: int) -> None:
        """Have the bell rung as soon as a log is longer than that."""
        self._bells.add(number)
        self._channel.words.become_bell()
        self._wire.tell(f"ring {number} {size}")

    def hush(self, number: int) -> None:
        """Note that a log's bell has fallen silent over there."""
        self._bells.discard(number)
        if not self._bells:
            self._channel.words.become_words()

    async def rest(self, number: int, known: Look, time_s: float) -> Look | None:
        """Wait until a log has changed, but not longer than that; how it stands then, None where nobody knows."""
        return await self._rests.rest(number, known, time_s)

    def abandon(self, trouble: Trouble) -> None:
        """End it for all logs at once, as one of them has found that nothing comes any more, and the way to it."""
        self._stuck = self.stuck
        self._channel.distrust()
        self._end(trouble)

    def _end(self, trouble: Trouble | None = None) -> None:
        self._is_over = True
        self._trouble = self._trouble or trouble
        for asked in self._asked:
            if not asked.answer.done():
                asked.answer.set_result(None)
        self._rests.end()
        self._asked.clear()

    async def close(self) -> None:
        """End what runs on this side."""
        self._end()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Answers

    def _expect(self, request: str) -> asyncio.Future[Answer | None]:
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._asked.append(_Asked(request, monotonic(), answer))
        return answer

    async def _listen(self) -> None:
        trouble: Trouble | None = None
        try:
            while await self._hear():
                pass
        except Trouble as caught:
            trouble = caught
        finally:
            self._end(trouble)

    async def _hear(self) -> bool:
        """Hand the next answer to who asked for it; False at the end."""
        words = await self._wire.answer()
        if words is None:
            return False
        if not self._asked:
            raise lost("the far end answers what it was not asked; connecting anew")
        data = await self._wire.data(int(words[1])) if words[0] == "data" else b""
        if data is None:
            return False
        asked, heard_s = self._asked.popleft(), monotonic()
        took_s, self._heard_s = heard_s - max(asked.sent_s, self._heard_s), heard_s
        if not asked.answer.done():
            asked.answer.set_result(Answer(tuple(words), data, took_s))
        return True

    async def _look(self) -> Answer | None:
        """How all open logs stand; now and then the clock is read before."""
        if monotonic() - self._clock_s > _CLOCK_S:
            await self._read_clock()
        return await self.ask("look")

    async def _read_clock(self) -> None:
        self._clock_s = asked_s = monotonic()
        answer = await self.ask("clock")
        if answer is not None and len(answer.words) > 1 and answer.words[1].isdecimal():
            self._clock_skew_s = float(answer.words[1]) - (asked_s + monotonic()) / 2
