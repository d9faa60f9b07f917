"""Silence while an answer is due is told, and in the end given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

import pytest

from tui.events import CaughtUp, LinkChanged, LinkState, SourceEvent
from tui.sources.log import Log
from tui.sources.pace import Pace
from tui.sources.silence import noticing_silence
from tui.sources.trouble import Trouble

PACE = Pace(stale_s=0.04, lost_s=0.2)


class Silent:
    """A log of which only the silence is asked."""

    def __init__(self) -> None:
        self.since = asyncio.get_running_loop().time()
        self.is_due = True

    def silent_s(self) -> float:
        return asyncio.get_running_loop().time() - self.since if self.is_due else 0.0


class Stuck:
    """Events of which the second never comes, or only when it is let."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.is_closed = False

    async def events(self) -> AsyncGenerator[SourceEvent, None]:
        try:
            yield CaughtUp()
            await self.go.wait()
            yield CaughtUp()
        finally:
            self.is_closed = True


def listen(stuck: Stuck, log: Silent) -> AsyncGenerator[SourceEvent, None]:
    return noticing_silence(stuck.events(), cast("Log", log), "there", PACE)


async def test_a_due_answer_that_stays_away_makes_the_link_stale_and_then_lost() -> None:
    stuck = Stuck()
    heard: list[SourceEvent] = []

    async def hear() -> None:
        async for event in listen(stuck, Silent()):
            heard.append(event)

    with pytest.raises(Trouble, match="no answer from there") as caught:
        await hear()
    assert [event.state for event in heard if isinstance(event, LinkChanged)] == [LinkState.STALE]
    assert caught.value.state is LinkState.RETRYING
    assert stuck.is_closed


async def test_an_answer_after_all_makes_the_link_live_again() -> None:
    stuck = Stuck()
    heard: list[SourceEvent] = []
    log = Silent()
    async for event in listen(stuck, log):
        heard.append(event)
        if isinstance(event, LinkChanged) and event.state is LinkState.STALE:
            log.is_due = False
            stuck.go.set()
    states = [event.state if isinstance(event, LinkChanged) else None for event in heard]
    assert states == [None, LinkState.STALE, LinkState.LIVE, None]


async def test_a_quiet_log_is_not_a_silent_link() -> None:
    stuck, log = Stuck(), Silent()
    log.is_due = False
    events = listen(stuck, log)
    assert isinstance(await anext(events), CaughtUp)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(anext(events), 3 * PACE.lost_s)
    await events.aclose()
    assert stuck.is_closed
