"""One connection's worth of following: from looks at a log to events, exact to the byte.

What the path names may change while it is read, and between two connections. The rules:

- A file that still holds the first and the last bytes we know is the same log. One that does not is another, or was
  cut short, even under the same inode: a file system gives the number of a removed file to the next.
- Another file that holds all that we read, and enough of it to be sure, is a copy, and is gone on in.
- A file that was renamed is read to its end first. Its successor counts once it holds anything.
- Where bytes may have gone by unread, the event says so.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from time import monotonic

from msgspec.structs import replace

from tui.events import (
    CaughtUp,
    FileReplaced,
    Glimpsed,
    LinkChanged,
    LinkState,
    Observed,
    Received,
    Skipped,
    SourceEvent,
)
from tui.sources.base import CHUNK_BYTES, GLIMPSE_BYTES, LONG_BYTES
from tui.sources.log import Log, Reading, Stat
from tui.sources.pace import Pace
from tui.sources.position import HEAD_BYTES, SURE_BYTES, TAIL_BYTES, Bookmark, Position
from tui.sources.trouble import Trouble


class Pursuit:
    """Reads a log within reach, from the bookmark on."""

    def __init__(self, log: Log, place: str, pace: Pace, bookmark: Bookmark) -> None:
        self._log = log
        self._place = place
        self._pace = pace
        self._bookmark = bookmark
        self._seen: Stat | None = None  # how the open file stood at the last look, if there was one
        self._is_gone = False
        self._grown_s = self._rotated_s = monotonic()
        self._opened = Stat(0, 0, 0, 0.0)
        self._goal: int | None = None  # the size at opening, until it is reached

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Yield events until the link breaks (`Trouble`) or, without `follow`, all is read."""
        async for event in self._open(follow):
            yield event
        async for event in self._find_place():
            yield event
        if follow and self._bookmark.has_glimpses and self._opened.size - self._position.offset > LONG_BYTES:
            yield await self._glimpse()
        while True:
            reading = await self._look()
            for event in self._take(reading, to_goal=not follow):
                yield event
            if self._goal is not None and self._position.offset >= self._goal:
                self._goal = None
                yield CaughtUp()
                if not follow:
                    return
            if self._position.offset >= reading.opened.size:
                async for event in self._rest(reading):
                    yield event

    @property
    def _position(self) -> Position:
        return self._bookmark.position

    @_position.setter
    def _position(self, position: Position) -> None:
        self._bookmark.position = position

    # Finding the place

    async def _open(self, follow: bool) -> AsyncIterator[SourceEvent]:
        """Open the log; wait for it where it is not there, or not readable, yet."""
        said = ""
        while True:
            try:
                self._enter(await self._log.open())
                break
            except Trouble as trouble:
                if not (follow and trouble.is_about_file):
                    raise
                if str(trouble) != said:
                    said = str(trouble)
                    yield LinkChanged(trouble.state, said, self._pace.beat_s)
            self._bookmark.note_answer()
            await self._log.rest(self._pace.beat_s)
        self._bookmark.note_answer()
        yield LinkChanged(LinkState.LIVE, self._log.chosen())

    def _enter(self, stat: Stat) -> None:
        """Begin with a file just opened, at the position as it is."""
        self._seen = None
        self._goal = stat.size
        self._opened = stat
        self._grown_s = self._rotated_s = monotonic()

    async def _find_place(self) -> AsyncIterator[SourceEvent]:
        """Compare the file just opened with the one that the bookmark knows, and go on at the right byte."""
        old, new = self._position.stat, self._opened
        if old is None:
            self._position = replace(self._position, stat=new)
            if skipped := await self._skip():
                yield skipped
        elif old.identity == new.identity:
            if await self._holds(new):
                self._rewind()
            else:
                is_shorter = new.size < self._position.offset
                yield self._start_over("truncated" if is_shorter else "replaced", gap=True)
        else:
            async for event in self._leave(old):
                yield event

    async def _leave(self, old: Stat) -> AsyncIterator[SourceEvent]:
        """Another file has taken the log's name while nobody looked: finish the old one, and begin with the new."""
        is_found = await self._reopen(old)
        if is_found:
            self._rewind()
            async for event in self._finish():
                yield event
        self._enter(await self._log.open())
        if await self._is_copy(self._opened):
            self._position = replace(self._position, stat=self._opened)
            self._rewind()
        elif is_found:
            reason = self._log.parting(old) or "rotated"
            yield self._start_over(reason, gap=await self._came_between(old))
        else:
            yield self._start_over("replaced", gap=True)

    def _rewind(self) -> None:
        """Go back to the first byte of the file just found, where that was asked for."""
        if self._bookmark.is_reread:
            self._bookmark.is_reread = False
            self._position = Position(stat=self._position.stat)

    async def _is_copy(self, stat: Stat) -> bool:
        """Whether the open file, though another, is sure to hold all that was read, and can be gone on in."""
        return self._position.offset >= SURE_BYTES and await self._holds(stat)

    async def _holds(self, stat: Stat) -> bool:
        """Whether the open file begins with, and has before the offset, what was read there."""
        position = self._position
        if stat.size < position.offset:
            return False
        head = await self._log.read(0, most=len(position.head))
        tail = await self._log.read(position.offset - len(position.tail), most=len(position.tail))
        return head.data == position.head and tail.data == position.tail

    async def _reopen(self, old: Stat) -> bool:
        found = await self._log.find(old)
        return found is not None and await self._holds(found)

    async def _finish(self) -> AsyncIterator[SourceEvent]:
        """Read the open file, which was renamed, to its end."""
        while True:
            reading = await self._look()
            fresh = reading.data[self._position.offset - reading.at :]
            for event in self._received(fresh):
                yield event
            if not fresh:
                return

    async def _came_between(self, old: Stat) -> bool:
        """Whether another file of this log may have been begun and rotated away since `old`, unread."""
        known = {old.identity, self._opened.identity, *self._bookmark.finished}
        self._bookmark.finished.append(old.identity)
        kin = await self._log.kin()
        return any(
            stat.identity not in known and stat.size and stat.modified_s >= old.modified_s for stat in kin
        )

    def _start_over(self, reason: str, *, gap: bool) -> FileReplaced:
        self._position = Position(stat=self._opened)
        self._bookmark.is_reread = False
        self._seen = None
        self._goal = self._opened.size
        return FileReplaced(reason, gap)

    async def _skip(self) -> Skipped | None:
        """Go to the first line of the part that is to be read; None where that is all of the log."""
        last_bytes = self._bookmark.last_bytes
        if last_bytes is None or self._opened.size - last_bytes < 2 * HEAD_BYTES:
            return None
        at = self._opened.size - last_bytes
        head = (await self._log.read(0, most=HEAD_BYTES)).data
        before = (await self._log.read(at - TAIL_BYTES, most=CHUNK_BYTES)).data
        self._bookmark.note_answer()
        end = before.find(b"\n", TAIL_BYTES - 1) + 1 or TAIL_BYTES  # or in the midst of an endless line
        start = at - TAIL_BYTES + end
        self._position = Position(start, head, before[end - TAIL_BYTES : end], self._opened)
        return Skipped(head, start)

    async def _glimpse(self) -> Glimpsed:
        at = self._opened.size - GLIMPSE_BYTES
        reading = await self._log.read(at, most=GLIMPSE_BYTES)
        self._bookmark.note_answer()
        return Glimpsed(reading.data, at, reading.opened.size)

    # Reading on

    async def _look(self) -> Reading:
        """Read what is new, and the last bytes before it once more, to see that they still stand."""
        position = self._position
        is_at_end = self._seen is not None and position.offset >= self._seen.size
        reading = await self._log.read(
            position.offset - len(position.tail), seen=self._seen if is_at_end else None
        )
        self._bookmark.note_answer()
        self._seen = self._opened = reading.opened
        self._position = replace(position, stat=reading.opened)
        return reading

    def _take(self, reading: Reading, *, to_goal: bool) -> Iterator[SourceEvent]:
        position = self._position
        known, fresh = (
            reading.data[: position.offset - reading.at],
            reading.data[position.offset - reading.at :],
        )
        if reading.opened.size < position.offset or not position.tail.startswith(known):
            yield self._start_over("truncated", gap=True)
            return
        if to_goal and self._goal is not None:
            fresh = fresh[: self._goal - position.offset]
        yield from self._received(fresh)
        yield Observed(self._log.now_s(), reading.opened.modified_s, reading.opened.size)

    def _received(self, data: bytes) -> Iterator[Received]:
        if data:
            self._grown_s = monotonic()
        for start in range(0, len(data), CHUNK_BYTES):
            chunk = data[start : start + CHUNK_BYTES]
            offset = self._position.offset
            self._position = self._position.after(chunk)
            yield Received(chunk, offset)

    # Waiting for more

    async def _rest(self, reading: Reading) -> AsyncIterator[SourceEvent]:
        """Wait for more, or change to the file that has taken the log's name."""
        named = reading.named
        if (named is None) != self._is_gone:
            self._is_gone = named is None
            if self._is_gone:
                yield self._gone()
            else:  # the same file again, or an empty one: nothing of it is to be read
                yield LinkChanged(LinkState.LIVE)
                yield CaughtUp()
        if named is None or named.identity == reading.opened.identity:
            self._rotated_s = monotonic()
        elif named.size and monotonic() - max(self._grown_s, self._rotated_s) >= self._pace.grace_s:
            async for event in self._change(reading.opened):
                yield event
            return
        is_waiting = named is not None and named.identity != reading.opened.identity
        quiet_s = monotonic() - (max(self._grown_s, self._rotated_s) if is_waiting else self._grown_s)
        can_wake = self._log.can_wake and not is_waiting  # nobody wakes us for the successor
        await self._log.rest(self._pace.rest_s(quiet_s, can_wake=can_wake))

    def _gone(self) -> LinkChanged:
        sentence = (
            f"the log is gone from {self._place}; what was open is read on, and a new one is waited for"
        )
        return LinkChanged(LinkState.MISSING, sentence)

    async def _change(self, old: Stat) -> AsyncIterator[SourceEvent]:
        """Open the successor; where it holds all that was read (a copy put in place), just go on in it."""
        try:
            self._enter(await self._log.open())
        except Trouble as trouble:
            if not trouble.is_about_file:
                raise
            return
        if await self._is_copy(self._opened):
            self._position = replace(self._position, stat=self._opened)
        else:
            reason = self._log.parting(old) or ("rotated" if old.links else "replaced")
            yield self._start_over(reason, gap=await self._came_between(old))
