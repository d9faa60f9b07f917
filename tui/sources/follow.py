"""The follower: a source that reaches a log, reads it, and comes back after every break."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from tui.events import SourceEvent
from tui.sources.log import Place
from tui.sources.pace import Pace
from tui.sources.position import Bookmark, Position
from tui.sources.pursuit import Pursuit
from tui.sources.returning import Returning
from tui.sources.silence import noticing_silence


class Follower(Returning):
    """The bytes of the log at a place; implements `Source`.

    Args:
        place: The way to the log.
        pace: The intervals of following.
        start: Where to go on, from an earlier follower's `position`; None is the first byte.
        is_reread: Whether the file of `start`, once found, is read from its first byte again.
        has_glimpses: Whether the end of a long log is shown first, as `Glimpsed`, when it is followed.
        last_bytes: How much of the log's end is read, give or take a line; None is all of it.
    """

    def __init__(
        self,
        place: Place,
        pace: Pace | None = None,
        start: Position | None = None,
        *,
        is_reread: bool = False,
        has_glimpses: bool = False,
        last_bytes: int | None = None,
    ) -> None:
        bookmark = Bookmark(
            start or Position(), is_reread=is_reread, has_glimpses=has_glimpses, last_bytes=last_bytes
        )
        super().__init__(place.name, pace or Pace(), bookmark)
        self._place = place

    @property
    def position(self) -> Position:
        """How far it has read; a new follower with this as `start` goes on there."""
        return self._bookmark.position

    async def _connection(self, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        async with self._place.reach() as log:
            pursuit = Pursuit(log, self._name, self._pace, self._bookmark)
            events = noticing_silence(pursuit.events(follow=follow), log, self._name, self._pace)
            async with aclosing(events):
                async for event in events:
                    yield event
