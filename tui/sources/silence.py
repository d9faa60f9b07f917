"""Silence is a fact of its own: what it means when an answer that is due does not come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Protocol

from tui.events import LinkChanged, LinkState, SourceEvent
from tui.sources.pace import Pace
from tui.sources.trouble import lost


class Answering(Protocol):
    """Something far that is asked and answers."""

    def silent_s(self) -> float:
        """Seconds since the last sign of life while an answer is due; 0 when none is."""
        ...


async def noticing_silence(
    events: AsyncGenerator[SourceEvent, None], log: Answering, place: str, pace: Pace
) -> AsyncGenerator[SourceEvent, None]:
    """Yield the events, and STALE and LIVE between them as answers stay away and come back.

    Raises:
        Trouble: Nothing has come for `pace.lost_s` although an answer is due.
    """
    is_stale = False
    turn: asyncio.Task[SourceEvent | None] | None = None
    try:
        while True:
            turn = asyncio.create_task(_next(events))
            while not await _is_done(turn, pace.stale_s / 8):
                if log.silent_s() > pace.lost_s:
                    raise lost(f"no answer from {place} for {pace.lost_s:.0f} s; connecting anew")
                if log.silent_s() > pace.stale_s and not is_stale:
                    is_stale = True
                    yield LinkChanged(LinkState.STALE, f"no answer from {place} for {pace.stale_s:.0f} s")
            event = turn.result()
            if event is None:
                return
            if is_stale and not isinstance(event, LinkChanged):
                is_stale = False
                yield LinkChanged(LinkState.LIVE)
            yield event
    finally:
        if turn is not None and not turn.done():
            turn.cancel()
            await asyncio.gather(turn, return_exceptions=True)
        await events.aclose()


async def _next(events: AsyncGenerator[SourceEvent, None]) -> SourceEvent | None:
    return await anext(events, None)


async def _is_done(turn: asyncio.Task[SourceEvent | None], time_s: float) -> bool:
    done, _ = await asyncio.wait({turn}, timeout=time_s)
    return bool(done)
