"""Several files read as one log: sequels one after the other, parallel ones side by side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing

from msgspec import Struct, field

from tui.events import (
    CaughtUp,
    LinkChanged,
    LinkState,
    Observed,
    Received,
    SourceEvent,
    Switched,
)
from tui.sources.base import Source
from tui.sources.expand import Matches
from tui.sources.search import Search
from tui.target import Target

AHEAD = 8
"""How many events of a file wait for their turn: two megabytes."""

Arrange = Callable[[Sequence[bytes], Sequence[int]], Sequence[int]]
"""From the first bytes of files and their sizes to the order in which to read them, as indices."""


class _Part(Struct, eq=False):
    """One of the files, and what has come of it that is not handed on yet."""

    target: Target
    source: Source
    ahead: asyncio.Queue[SourceEvent | None] = field(default_factory=lambda: asyncio.Queue(AHEAD))
    held: list[SourceEvent | None] = field(default_factory=list)
    link: LinkChanged = field(default_factory=lambda: LinkChanged(LinkState.CONNECTING))
    seen: Observed | None = None

    @property
    def head(self) -> bytes:
        """Its first bytes, as far as they are held."""
        return b"".join(event.data for event in self.held if isinstance(event, Received))


class Joined:
    """The files of one run; implements `Source`.

    Each is followed on its own, with its own offset. What was there comes file by file, in the
    order that `arrange` finds; what is new comes as it comes. `Switched` tells whose bytes follow. The
    state of the link is that of the file that was written last; what is wrong with another one is its detail.

    Args:
        targets: The files, and patterns, each of which is as many files as it matches.
        open_part: Makes the source of one file.
        search: Makes the search for a pattern.
        arrange: Finds the order in which to read what is there.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        open_part: Callable[[Target], Source],
        search: Callable[[Target], Search],
        arrange: Arrange,
    ) -> None:
        self._targets = tuple(targets)
        self._open_part = open_part
        self._searches = [search(target) for target in targets if target.has_pattern]
        self._arrange = arrange
        self._parts: list[_Part] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._arrived = asyncio.Event()
        self._current: _Part | None = None
        self._sent: LinkChanged | None = None
        self._read_bytes = 0

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """What happens to the files, until all are read, or for good."""
        try:
            yield LinkChanged(LinkState.CONNECTING)
            async for trouble in self._find(follow=follow):
                yield trouble
            async with aclosing(self._read_past()) as events:
                async for event in events:
                    yield event
            yield CaughtUp()
            while follow:
                await self._arrived.wait()
                self._arrived.clear()
                for part in tuple(self._parts):
                    while not part.ahead.empty():
                        for event in self._hand_on(part, part.ahead.get_nowait()):
                            yield event
        finally:
            await self._end()

    def retry_now(self) -> None:
        """Cut short every wait."""
        for each in (*self._searches, *(part.source for part in self._parts)):
            each.retry_now()

    # Which files there are

    async def _find(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Open the files; a search that finds none yet is told, and with `follow` waited for."""
        plain = [target for target in self._targets if not target.has_pattern]
        for target in plain:
            self._add(target, follow=follow)
        for search in self._searches:
            async with aclosing(search.events(follow=follow)) as events:
                async for event in events:
                    if search.matches.count:
                        break
                    if isinstance(event, LinkChanged):
                        yield event
            self._take_in(search.matches, follow=follow)
            if follow:
                self._start(self._keep_looking(search))

    async def _keep_looking(self, search: Search) -> None:
        async with aclosing(search.events(follow=True)) as events:
            async for _ in events:
                self._take_in(search.matches, follow=True)

    def _take_in(self, matches: Matches, *, follow: bool) -> None:
        known = {part.target.text for part in self._parts}
        for target in matches.targets:
            if target.text not in known:
                self._add(target, follow=follow)

    def _add(self, target: Target, *, follow: bool) -> None:
        part = _Part(target, self._open_part(target))
        self._parts.append(part)
        self._start(self._pump(part, follow=follow))

    # Their bytes

    async def _pump(self, part: _Part, *, follow: bool) -> None:
        async with aclosing(part.source.events(follow=follow)) as events:
            async for event in events:
                await part.ahead.put(event)
                self._arrived.set()
        await part.ahead.put(None)
        self._arrived.set()

    async def _read_past(self) -> AsyncGenerator[SourceEvent, None]:
        """All that was there, file by file; one that is in trouble does not keep the others waiting."""
        await asyncio.gather(*(self._look_into(part) for part in self._parts))
        sizes = [part.seen.size if part.seen else 0 for part in self._parts]
        order = self._arrange([part.head for part in self._parts], sizes)
        self._parts = [self._parts[index] for index in order]
        for part in tuple(self._parts):
            while True:
                event = part.held.pop(0) if part.held else await part.ahead.get()
                if event is None or isinstance(event, CaughtUp):
                    break
                for told in self._hand_on(part, event):
                    yield told
                if part.link.state in (LinkState.MISSING, LinkState.REFUSED, LinkState.RETRYING):
                    break

    async def _look_into(self, part: _Part) -> None:
        """Hold what comes of a file until its first bytes are there, or it is clear that none are."""
        while True:
            event = await part.ahead.get()
            part.held.append(event)
            if isinstance(event, Observed):
                part.seen = event
            is_settled = event is None or isinstance(event, Received | CaughtUp)
            if is_settled or (
                isinstance(event, LinkChanged) and event.state not in (LinkState.CONNECTING, LinkState.LIVE)
            ):
                return

    def _hand_on(self, part: _Part, event: SourceEvent | None) -> list[SourceEvent]:
        """What a file's event is in the run's terms."""
        match event:
            case None:
                return []
            case CaughtUp():  # again, after a break
                return [event] if self._sent and self._sent.state is LinkState.LIVE else []
            case LinkChanged():
                part.link = event
                return self._tell_link()
            case Observed():
                part.seen = event
                return [self._observe(event)]
            case Received(data, _):
                told: list[SourceEvent] = self._switch_to(part)
                told.append(Received(data, self._read_bytes))
                self._read_bytes += len(data)
                return told
            case _:
                return [*self._switch_to(part), event]

    def _switch_to(self, part: _Part) -> list[SourceEvent]:
        if part is self._current:
            return []
        self._current = part
        return [Switched(part.target.text), *self._tell_link()]

    def _tell_link(self) -> list[SourceEvent]:
        """The link's state, where it is another than was told last."""
        main = self._current or self._parts[0]
        troubles = [
            part.link.detail
            for part in self._parts
            if part is not main and part.link.detail and part.link.state is not LinkState.LIVE
        ]
        link = main.link
        if troubles and link.state in (LinkState.LIVE, LinkState.ENDED):
            link = LinkChanged(link.state, troubles[0])
        if link == self._sent:
            return []
        self._sent = link
        return [link]

    def _observe(self, event: Observed) -> Observed:
        """The sizes of all files together, and the newest of their times."""
        seen = [part.seen for part in self._parts if part.seen]
        return Observed(
            event.remote_now_s,
            max(each.modified_s for each in seen),
            sum(each.size for each in seen),
            tuple((part.target.text, _age_s(part.seen)) for part in self._parts if part.seen),
        )

    # Tasks

    def _start(self, work: Coroutine[None, None, None]) -> None:
        self._tasks.add(asyncio.create_task(work))

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


def _age_s(seen: Observed) -> float:
    return max(0.0, seen.remote_now_s - seen.modified_s)
