"""Lets so many begin at a time, and has those that take long wait among themselves, so that they delay nobody else."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

Result = TypeVar("Result")

SLOW_TIMES = 4.0
"""How much longer patience is in the second lane, where at least one attempt failed to be quick."""


class Turnstile:
    """A limit on what is under way at a time, in three lanes of so many places each.

    An attempt begins in the first lane. One that is not done there within its patience goes on in the second; where
    that is full it is given up, and begun anew as soon as there is a place in it. Patience is longer there, and
    counts only while others wait; when it is over, the attempt has its next turn without an end. One that waits for a
    person goes to the third lane, and stays there.

    So whoever is done within his patience waits for those before him in the first lane only, however many of them hang.

    Args:
        most: The places of each lane.
        patience_s: Seconds in which an attempt is done that meets with no obstacle.
    """

    def __init__(self, most: int, patience_s: float) -> None:
        self._quick, self._slow, self._asking = (_Lane(most) for _ in range(3))
        self._patience_s = patience_s

    async def run(self, attempt: Callable[[Place], Awaitable[Result]], *, is_slow: bool = False) -> Result:
        """Wait for a place, and make the attempt; what it returns or raises.

        Args:
            attempt: What to do, perhaps several times: when it is given up it is cancelled.
            is_slow: Whether it is likely to take long, and begins in the second lane.
        """
        lane = self._slow if is_slow else self._quick
        slow_s: float | None = SLOW_TIMES * self._patience_s
        while True:
            await lane.enter()
            place = Place(lane, self._slow, self._asking, self._patience_s, slow_s)
            try:
                async with asyncio.timeout(None) as limit:
                    place.begin(limit)
                    return await attempt(place)
            except TimeoutError:
                if not place.is_given_up:
                    raise
                if place.is_slow:
                    slow_s = None
                lane = place.next_lane
            finally:
                place.leave()


class _Lane:
    """So many places, and those who wait for one, first come, first served."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits."""
        return any(not each.done() for each in self._waiting)

    def try_enter(self) -> bool:
        """Take a place if there is one."""
        has_place = self._free > 0
        self._free -= has_place
        return has_place

    async def enter(self) -> None:
        """Wait for a place."""
        if self.try_enter():
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place was given in the same moment
                self.leave()
            raise

    def leave(self) -> None:
        """Give a place back: to the next who waits, if anybody does."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class Place:
    """An attempt's place, first in one lane, then perhaps in another.

    Attributes:
        is_given_up: Whether the attempt is to end, for there was no place left for it.
        next_lane: Where it is begun anew.
    """

    def __init__(
        self, lane: _Lane, slow: _Lane, asking: _Lane, patience_s: float, slow_s: float | None
    ) -> None:
        self.is_given_up = False
        self.next_lane = slow
        self._lane = lane
        self._slow = slow
        self._asking = asking
        self._patience_s = patience_s
        self._slow_s = slow_s
        self._limit: asyncio.Timeout | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_slow(self) -> bool:
        """Whether it is in the second lane."""
        return self._lane is self._slow

    def begin(self, limit: asyncio.Timeout) -> None:
        """Start the clock; `limit` ends the attempt."""
        self._limit = limit
        if self._lane is not self._asking:
            self._wait()

    def wait_for_person(self) -> None:
        """Note that it is not the far side that takes so long from here on."""
        if self._lane is not self._asking and not self.is_given_up:
            self._move(self._asking)

    def leave(self) -> None:
        """Give it back; call it once."""
        self._stop()
        self._lane.leave()

    def _wait(self) -> None:
        patience_s = self._slow_s if self.is_slow else self._patience_s
        if patience_s is not None:
            self._timer = asyncio.get_running_loop().call_later(patience_s, self._lose_patience)

    def _lose_patience(self) -> None:
        if not self.is_slow:
            self._move(self._slow)
        elif self._slow.is_wanted:
            self._give_up(self._slow)
        else:
            self._wait()

    def _move(self, lane: _Lane) -> None:
        """Go on in another lane, or give up where that is full."""
        self._stop()
        if not lane.try_enter():
            self._give_up(lane)
            return
        self._lane.leave()
        self._lane = lane
        if self.is_slow:
            self._wait()

    def _give_up(self, lane: _Lane) -> None:
        self.is_given_up, self.next_lane = True, lane
        if self._limit is not None:
            self._limit.reschedule(0.0)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
