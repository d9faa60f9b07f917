"""A log at the far end of a command: the client of `far.sh`."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from tui.sources.answers import Answer, Look, parse_entries, parse_stats, spell
from tui.sources.channel import Way
from tui.sources.explain import explain_file
from tui.sources.folder import Choice, Entry
from tui.sources.lane import Lane
from tui.sources.lanes import Lanes, explain_lane
from tui.sources.log import Log, Reading, Stat
from tui.sources.pace import Pace
from tui.sources.position import TAIL_BYTES
from tui.sources.trouble import Trouble, lost
from tui.target import Target

LEAST_BYTES, MOST_BYTES = 64 * 1024, 4 * 1024 * 1024
"""The bounds of one request: small enough for a slow link's beat, large enough to be worth a process over there."""

TURN_S = 0.25
"""How long the bytes of one request may take on the way; then it is another log's turn."""

AHEAD = 4
"""Requests under way on a lane while catching up, so that the link does not idle for a round trip between them."""


class FarPlace:
    """A target that is reached by running a command on a machine; implements `Place`."""

    def __init__(self, target: Target, way: Way, pace: Pace, lanes: Lanes) -> None:
        self._target = target
        self._way = way
        self._pace = pace
        self._lanes = lanes
        self._choice = Choice(pace.quiet_s)
        self._is_slow = False  # whether its file system has once kept others waiting for too long

    @property
    def name(self) -> str:
        """The host and the hops."""
        return self._target.place

    @asynccontextmanager
    async def reach(self) -> AsyncIterator[Log]:
        """Take a place on a lane; leaving the context lets go of the log, and with the last one ends the far end."""
        async with self._lanes.take(self._target, self._way, self._pace, alone=self._is_slow) as lane:
            log = FarLog(lane, self._target, self._pace, self._choice)
            try:
                yield log
            except Trouble:
                self._is_slow |= lane.stuck == str(log.number)
                raise
            finally:
                log.close()


class _Request(Struct, frozen=True):
    at: int
    most: int
    answer: asyncio.Future[Answer | None]


class FarLog:
    """A file that `far.sh` holds open, by this number; implements `Log`."""

    def __init__(self, lane: Lane, target: Target, pace: Pace, choice: Choice) -> None:
        self._lane = lane
        self._target = target
        self._pace = pace
        self.number = lane.add(target.path)
        self._asked: deque[_Request] = deque()
        self._most = LEAST_BYTES * 4
        self._known: Look | None = None  # how it stood at the last reading, or look
        self._grown_bytes: int | None = None  # since the last rest, where there was one
        self._grown_s = self._apart_s = (
            0.0  # when it was last seen to have grown, and how long after the time before
        )
        self._is_fresh = False  # whether that was a look, which nothing was read after
        self._choice = choice  # of a file, where the path is a folder
        self._is_folder = False
        self._is_rung_at: int | None = None  # the size beyond which the bell over there rings
        self.can_wake = lane.can_wake

    async def open(self) -> Stat:
        """Open what the path names now."""
        answer = await self._ask("open")
        self._is_folder = answer.words[0] == "folder"
        return await self._open_newest() if self._is_folder else self._opened(answer)

    async def read(self, at: int, *, most: int | None = None, seen: Stat | None = None) -> Reading:
        """Read on; while there is more, the next requests are sent before this one's bytes have come."""
        if self._is_fresh and self._known is not None and _is_same(self._known.opened, seen):
            self._is_fresh = False
            reading = Reading(at, b"", self._known.opened, self._known.named)
        else:
            reading = await self._read(at, most, seen)
        return await self._look_around(reading) if self._is_folder and not self._asked else reading

    async def find(self, old: Stat) -> Stat | None:
        """Open the file with the identity of `old` in the same folder."""
        entries, _ = await self._entries()
        entry = next((entry for entry in entries if entry.stat.identity == old.identity), None)
        if entry is None:
            return None
        kind, *words = (await self._ask("entry", spell(entry.name))).words
        found = parse_stats(words)
        return found[0] if kind == "opened" and found and found[0].identity == old.identity else None

    async def kin(self) -> list[Stat]:
        """The files named `PATH.*` and `PATH-*`; of a folder's log none is looked for."""
        return [] if self._is_folder else await self._stats("kin")

    def chosen(self) -> str | None:
        """Which file of a folder is read."""
        return self._choice.told(self._target.path) if self._is_folder else None

    def parting(self, old: Stat) -> str | None:
        """The word about a file that was left for a newer one of the folder."""
        return self._choice.parting(old)

    async def rest(self, time_s: float) -> None:
        """Wait, the longer waits only until the log has changed; while it grows fast, longer than asked for."""
        grown_bytes, self._grown_bytes = self._grown_bytes or 0, 0
        pause_s = self._pace.pause_s(grown_bytes, self._apart_s) if grown_bytes else 0.0
        if self._known is None or time_s <= self._pace.poll_s:
            pause_s = max(pause_s, time_s)
        if self._known is None or pause_s > self._pace.poll_s / 4:
            await asyncio.sleep(pause_s)
            return
        if self.can_wake and self._is_rung_at != self._known.opened.size:
            self._is_rung_at = self._known.opened.size
            self._lane.ring(self.number, self._is_rung_at)
        if (look := await self._lane.rest(self.number, self._known, time_s)) is not None:
            self._known, self._is_fresh = look, True

    def now_s(self) -> float:
        """UTC epoch seconds by the far clock, to a second or so."""
        return self._lane.now_s()

    def silent_s(self) -> float:
        """Seconds without a byte while an answer is due, of whichever log on the lane."""
        return self._lane.silent_s()

    def close(self) -> None:
        """Let go of the log over there."""
        self._lane.drop(self.number)

    # The log of a folder

    async def _open_newest(self) -> Stat:
        entries, self._choice.count = await self._entries()
        self._choice.forget_if_gone(entries)
        entry = self._choice.choose(entries, None, self.now_s())
        if entry is None:
            raise explain_file(self._target, "bare")
        opened = self._opened(await self._ask("entry", spell(entry.name)))
        self._choice.take(entry, entries, self._target.path)
        return opened

    async def _look_around(self, reading: Reading) -> Reading:
        """The reading, with the file that is the log now in place of the folder that the path names."""
        folder = reading.named
        if folder is None or not self._choice.has_news(folder, self.now_s()):
            return replace(reading, named=reading.opened if folder else None)
        entries, _ = await self._entries()
        entry = self._choice.choose(entries, folder, self.now_s())
        return replace(reading, named=entry.stat if entry else None)

    async def _entries(self) -> tuple[list[Entry], int]:
        """The files of the folder, or the newest of very many, and how many there are."""
        answer = await self._ask("names")
        return parse_entries(answer.data), int(answer.words[2])

    # Requests and answers

    def _send(self, verb: str, *words: str) -> asyncio.Future[Answer | None]:
        return self._lane.ask(" ".join((verb, str(self.number), *words)))

    async def _ask(self, verb: str, *words: str) -> Answer:
        """The answer to a request; those to reads that were sent ahead are of no use after it."""
        self._asked.clear()
        self._is_fresh = False
        return await self._take(self._send(verb, *words))

    async def _take(self, answer: asyncio.Future[Answer | None]) -> Answer:
        """The answer when it has come.

        Raises:
            Trouble: The far end is gone; the message says why, as far as it said so.
        """
        if (taken := await answer) is None:
            raise await explain_lane(self._target, self._lane)
        return taken

    async def _read(self, at: int, most: int | None, seen: Stat | None) -> Reading:
        if most is not None or not self._asked or self._asked[0].at != at:
            self._asked.clear()
            self._ask_read(at, self._most if most is None else most, seen)
        request = self._asked.popleft()
        answer = await self._take(request.answer)
        stats = parse_stats(list(answer.words[2:]))
        if not stats:
            raise lost(
                f"{self._target.place} can't tell the size of {self._target.path}; it needs `stat` there"
            )
        self._known, self._is_fresh = Look(stats[0], stats[1] if len(stats) > 1 else None), False
        if answer.data:
            self._hush()
            self._note_growth(len(answer.data))
        if most is None:
            self._adapt(answer)
            self._ask_ahead(request, stats[0].size)
        return Reading(request.at, answer.data, self._known.opened, self._known.named)

    def _ask_read(self, at: int, most: int, seen: Stat | None = None) -> None:
        known = (str(seen.size), f"{seen.modified_s:.0f}") if seen else ()
        self._asked.append(_Request(at, most, self._send("read", str(at), str(most), *known)))

    def _ask_ahead(self, request: _Request, size: int) -> None:
        last = self._asked[-1] if self._asked else request
        while self._lane.due < AHEAD and last.at + last.most < size:
            self._ask_read(last.at + last.most - TAIL_BYTES, self._most)  # where the follower will read on
            last = self._asked[-1]

    def _adapt(self, answer: Answer) -> None:
        """Ask for so much at a time that others on the lane don't wait long."""
        if len(answer.data) >= LEAST_BYTES:
            rate = len(answer.data) / max(answer.took_s, 1e-3)
            self._most = int(min(max(rate * TURN_S, LEAST_BYTES), MOST_BYTES))

    async def _stats(self, verb: str) -> list[Stat]:
        return parse_stats((await self._ask(verb)).data.decode("ascii", "replace").split())

    def _opened(self, answer: Answer) -> Stat:
        kind, *fields = answer.words
        stats = parse_stats(fields)
        if kind != "opened" or not stats:
            raise explain_file(self._target, kind)
        self._known = Look(stats[0], None)
        self._hush()
        return stats[0]

    def _note_growth(self, size: int) -> None:
        now_s = monotonic()
        self._grown_s, self._apart_s = now_s, now_s - self._grown_s
        if self._grown_bytes is not None:
            self._grown_bytes += size

    def _hush(self) -> None:
        """The bell has fallen silent over there."""
        self._is_rung_at = None
        self._lane.hush(self.number)


def _is_same(opened: Stat, seen: Stat | None) -> bool:
    return seen is not None and (opened.size, opened.modified_s) == (seen.size, seen.modified_s)
