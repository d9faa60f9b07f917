"""The lanes of a program: who reads a log at a place shares the far end of those who read there already."""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec import Struct, field

from tui.sources.channel import Way
from tui.sources.explain import explain_end
from tui.sources.farshell import first_word
from tui.sources.hops import through
from tui.sources.lane import Lane
from tui.sources.pace import Pace
from tui.sources.scripts import read_script
from tui.sources.trouble import Full, Trouble
from tui.target import Hop, Host, Target

FEW_LANES = 3
"""So many logs of one place get a lane each: what holds up one, a file system that hangs, holds up no other.

Where lanes are shared it holds up the others until the lane is given up, once: then it gets one of its own.
"""

MANY_LOGS = 8
"""Logs on each lane of a place before one lane more is opened, as long as the way has room for that."""


class _Shared(Struct, eq=False):
    """A lane and how many read over it; `closing` ends it and the command that it speaks to."""

    lane: Lane
    closing: AsyncExitStack
    users: int = 0
    is_private: bool = False


class _Place(Struct):
    """The lanes to one place; the lock lets those who come together share one, or the failure to get it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    shared: list[_Shared] = field(default_factory=list)
    failures: int = 0
    trouble: Trouble | None = None

    def living(self) -> list[_Shared]:
        """The lanes that can be shared, the one with the fewest logs first."""
        living = (each for each in self.shared if not each.lane.is_over and not each.is_private)
        return sorted(living, key=lambda each: each.users)


class Lanes:
    """All lanes that are open, by place: host, prefixes and hops."""

    def __init__(self) -> None:
        self._places: defaultdict[object, _Place] = defaultdict(_Place)

    @asynccontextmanager
    async def take(self, target: Target, way: Way, pace: Pace, *, alone: bool = False) -> AsyncIterator[Lane]:
        """A lane to where the target's log is; it ends when the last user has left the context.

        With `alone` it is not shared with others, as long as the way has room for that.

        Raises:
            Trouble: There is none to be had; the message says why and what to do.
        """
        place = self._places[_key(target)]
        shared = await self._enter(place, target, way, pace, alone=alone)
        try:
            yield shared.lane
        except Trouble as trouble:
            if shared.lane.silent_s() > pace.lost_s:
                shared.lane.abandon(trouble)
            raise
        finally:
            await _leave(place, shared)

    async def _enter(self, place: _Place, target: Target, way: Way, pace: Pace, *, alone: bool) -> _Shared:
        failures = place.failures
        async with place.lock:
            living = place.living()
            if living and not _wants_another(living, way, alone=alone):
                shared = living[0]
            else:
                if place.trouble and place.failures > failures:
                    raise place.trouble.again()
                shared = await self._open_or_share(place, living, target, way, pace)
                shared.is_private = alone and not shared.users
            shared.users += 1
            return shared

    async def _open_or_share(
        self, place: _Place, living: list[_Shared], target: Target, way: Way, pace: Pace
    ) -> _Shared:
        try:
            shared = await _open(target, way, pace)
        except Full:
            if not living:
                raise
            return living[0]
        except Trouble as trouble:
            place.failures += 1
            place.trouble = trouble.again()
            raise
        place.shared.append(shared)
        return shared


def script() -> str:
    """The far end's script."""
    return read_script("beat.sh", "far.sh")


async def explain_lane(target: Target, lane: Lane) -> Trouble:
    """Why a lane has ended, to one of those whose log it was."""
    if lane.trouble is not None:
        return lane.trouble.again()
    return explain_end(target, *await lane.last_words(), was_up=lane.is_up)


def _key(target: Target) -> tuple[Host | None, tuple[tuple[str, ...], ...], tuple[Hop, ...]]:
    return target.host, target.via, target.hops


def _wants_another(living: list[_Shared], way: Way, *, alone: bool) -> bool:
    return (alone or len(living) < FEW_LANES or living[0].users >= MANY_LOGS) and way.has_room


async def _open(target: Target, way: Way, pace: Pace) -> _Shared:
    nonce = secrets.token_hex(8)
    words = ["sh", "-c", script(), "milepost", nonce, target.path, f"{pace.patience_s:g}"]
    async with AsyncExitStack() as stack:
        channel = await stack.enter_async_context(way.run(through(target, words)))
        lane = Lane(channel, nonce, pace)
        stack.push_async_callback(lane.close)
        await _greet(lane, target, pace)
        return _Shared(lane, stack.pop_all())


async def _greet(lane: Lane, target: Target, pace: Pace) -> None:
    async with first_word(target, pace):
        await lane.greet()
    if lane.is_over:
        raise await explain_lane(target, lane)


async def _leave(place: _Place, shared: _Shared) -> None:
    """The last one out closes the lane."""
    shared.users -= 1
    if not shared.users:
        place.shared.remove(shared)
        await shared.closing.aclose()
