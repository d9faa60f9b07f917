"""The logs that a pattern stands for, looked for again and again, whatever happens to the way."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from tui.events import CaughtUp, LinkChanged, LinkState, SourceEvent
from tui.sources.expand import Lookout, Matches, no_match, reach
from tui.sources.pace import Pace
from tui.sources.position import Bookmark
from tui.sources.returning import Returning
from tui.sources.silence import noticing_silence
from tui.sources.ssh import Connections
from tui.target import Target

LOOK_S = 30.0
"""Seconds between two looks once something has matched; before that it is a beat, for somebody waits."""


class Search(Returning):
    """Looks for a pattern's matches until it is left.

    Its events are `CaughtUp` after each look, then `LinkChanged`: live where the matches have changed, missing where
    there are none.

    Args:
        target: The pattern.
        connections: The SSH connections to share.
        pace: The intervals of following.
        look_s: Seconds between two looks.

    Attributes:
        target: The pattern.
        matches: What it matched at the last look.
    """

    def __init__(
        self, target: Target, connections: Connections, pace: Pace | None = None, look_s: float = LOOK_S
    ) -> None:
        pace = pace or Pace()
        super().__init__(target.place, pace, Bookmark())
        self.target = target
        self.matches = Matches()
        self._connections = connections
        self._look_s = look_s

    async def _connection(self, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        async with reach(self.target, self._connections, self._pace) as lookout:
            events = noticing_silence(self._watch(lookout, follow), lookout, self._name, self._pace)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def _watch(self, lookout: Lookout, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        last: LinkChanged | None = None
        while True:
            before, self.matches = self.matches, await lookout.look()
            self._bookmark.note_answer()
            yield CaughtUp()
            link = self._told()
            if link != last or self.matches != before or not self.matches.count:
                last = link
                yield link
            if not follow:
                return
            await self._wait_for_retry(self._look_s if self.matches.count else self._pace.beat_s)

    def _told(self) -> LinkChanged:
        if self.matches.count:
            return LinkChanged(LinkState.LIVE)
        trouble = no_match(self.target)
        return LinkChanged(trouble.state, str(trouble), self._pace.beat_s)
