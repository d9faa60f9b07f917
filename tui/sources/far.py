"""A log at the far end of a command: the client of `far.sh`."""

from __future__ import annotations

import asyncio
import os
import secrets
import stat as modes
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from time import monotonic

from tui.sources.channel import Channel, Way
from tui.sources.explain import explain_end, explain_file
from tui.sources.folder import Choice, Entry
from tui.sources.hops import through
from tui.sources.log import Log, Reading, Stat
from tui.sources.pace import Pace
from tui.sources.position import TAIL_BYTES
from tui.sources.scripts import read_script
from tui.sources.trouble import lost
from tui.sources.wire import Wire
from tui.target import Target

LEAST_BYTES, MOST_BYTES = 64 * 1024, 1024 * 1024
"""The bounds of one request: small enough for a slow link's beat, large enough to be worth a process over there."""

AHEAD = 4
"""Requests under way while catching up, so that the link does not idle for a round trip between them."""

_CLOCK_S = 60.0
_STAT_FIELDS = 5


def script() -> str:
    """The far end's script."""
    return read_script("beat.sh", "far.sh")


class FarPlace:
    """A target that is reached by running a command on a machine; implements `Place`."""

    def __init__(self, target: Target, way: Way, pace: Pace) -> None:
        self._target = target
        self._way = way
        self._pace = pace
        self._choice = Choice(pace.quiet_s)

    @property
    def name(self) -> str:
        """The host and the hops."""
        return self._target.place

    @asynccontextmanager
    async def reach(self) -> AsyncIterator[Log]:
        """Run the far end; leaving the context closes its standard input, which ends it."""
        nonce = secrets.token_hex(8)
        patience = f"{self._pace.patience_s:g}"
        command = through(
            self._target, ["sh", "-c", script(), "milepost", nonce, self._target.path, patience]
        )
        async with self._way.run(command) as channel:
            log = FarLog(channel, nonce, self._target, self._pace, self._choice)
            await log.greet()
            yield log


@dataclass(frozen=True, slots=True)
class _Request:
    at: int
    most: int


class FarLog:
    """A file that `far.sh` holds open; implements `Log`."""

    def __init__(self, channel: Channel, nonce: str, target: Target, pace: Pace, choice: Choice) -> None:
        self._wire = Wire(channel, nonce)
        self._channel = channel
        self._target = target
        self._pace = pace
        self._asked: deque[_Request] = deque()
        self._most = LEAST_BYTES * 4
        self._clock_skew_s = 0.0  # what the far clock shows beyond our monotonic one
        self._clock_s = 0.0
        self._size = 0
        self._choice = choice  # of a file, where the path is a folder
        self._is_folder = False
        self._is_rung_at: int | None = None  # the size beyond which the bell over there rings
        self.can_wake = False

    async def greet(self) -> None:
        """Wait for the far end's first word, and read its clock."""
        try:
            async with asyncio.timeout(self._pace.connect_s):
                _, *abilities = await self._answer("ready")
                self.can_wake = "bell" in abilities
                await self._read_clock()
        except TimeoutError as error:
            raise lost(
                f"{self._target.place} runs nothing within {self._pace.connect_s:.0f} s; trying again"
            ) from error

    async def open(self) -> Stat:
        """Open what the path names now."""
        await self._settle()
        self._ask("open")
        answer = await self._answer()
        self._is_folder = answer[0] == "folder"
        return await self._open_newest() if self._is_folder else self._opened(answer)

    async def read(self, at: int, *, most: int | None = None, seen: Stat | None = None) -> Reading:
        """Read on; while there is more, the next requests are sent before this one's bytes have come."""
        if monotonic() - self._clock_s > _CLOCK_S:
            await self._settle()
            await self._read_clock()
        if most is not None or not self._asked or self._asked[0].at != at:
            await self._settle()
            self._ask_read(_Request(at, self._most if most is None else most), seen)
        reading = await self._read(is_last=most is not None)
        return await self._look_around(reading) if self._is_folder and not self._asked else reading

    async def find(self, old: Stat) -> Stat | None:
        """Open the file with the identity of `old` in the same folder."""
        places = [
            place for place, stat in enumerate(await self._stats("list")) if stat.identity == old.identity
        ]
        if not places:
            return None
        self._ask(f"pick {places[0]}")
        kind, *words = await self._answer()
        found = _parse_stats(words)
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
        """Wait, the longer waits only until the log grows."""
        if not self.can_wake or time_s <= self._pace.poll_s:
            await asyncio.sleep(time_s)
            return
        if self._is_rung_at != self._size:
            await self._settle()
            self._is_rung_at = self._size
            self._channel.words.become_bell()
            self._wire.tell(f"ring {self._size}")
        await self._channel.words.wait_for_ring(time_s)

    def now_s(self) -> float:
        """UTC epoch seconds by the far clock, to a second or so."""
        return monotonic() + self._clock_skew_s

    def silent_s(self) -> float:
        """Seconds without a byte while an answer is due."""
        return self._wire.silent_s()

    # The log of a folder

    async def _open_newest(self) -> Stat:
        entries = await self._entries()
        self._choice.forget_if_gone(entries)
        entry = self._choice.choose(entries, None, self.now_s())
        if entry is None:
            raise explain_file(self._target, "bare")
        self._ask("entry " + "".join(f"\\0{byte:03o}" for byte in os.fsencode(entry.name)))
        opened = self._opened(await self._answer())
        self._choice.take(entry, entries, self._target.path)
        return opened

    async def _look_around(self, reading: Reading) -> Reading:
        """The reading, with the file that is the log now in place of the folder that the path names."""
        folder = reading.named
        if folder is None or not self._choice.has_news(folder):
            return replace(reading, named=reading.opened if folder else None)
        entry = self._choice.choose(await self._entries(), folder, self.now_s())
        return replace(reading, named=entry.stat if entry else None)

    async def _entries(self) -> list[Entry]:
        self._ask("names")
        _, length = await self._answer("data")
        return _parse_entries(await self._data(int(length)))

    # Requests and answers

    def _ask(self, request: str) -> None:
        self._wire.ask(request)

    def _hush(self) -> None:
        """The bell has fallen silent over there."""
        self._is_rung_at = None
        self._channel.words.become_words()

    def _ask_read(self, request: _Request, seen: Stat | None = None) -> None:
        known = f" {seen.size} {seen.modified_s:.0f}" if seen else ""
        self._ask(f"read {request.at} {request.most}{known}")
        self._asked.append(request)

    async def _answer(self, *kinds: str) -> list[str]:
        """The words of the next answer.

        Raises:
            Trouble: The far end is gone; the message says why, as far as it said so.
        """
        while (words := await self._wire.answer()) is not None:
            if not kinds or words[0] in kinds:
                return words
        raise explain_end(self._target, *await self._channel.last_words(), was_up=self._wire.is_up)

    async def _data(self, length: int) -> bytes:
        data = await self._wire.data(length)
        if data is None:
            raise explain_end(self._target, *await self._channel.last_words(), was_up=True)
        return data

    async def _read(self, *, is_last: bool) -> Reading:
        began = monotonic()
        _, length, *words = await self._answer("data")
        request = self._asked.popleft()
        stats = _parse_stats(words)
        if not stats:
            raise lost(
                f"{self._target.place} can't tell the size of {self._target.path}; it needs `stat` there"
            )
        if not is_last:
            self._ask_ahead(request, stats[0].size)
        self._size = stats[0].size
        data = await self._data(int(length))
        if data:
            self._hush()
        self._adapt(len(data), monotonic() - began)
        return Reading(request.at, data, stats[0], stats[1] if len(stats) > 1 else None)

    def _ask_ahead(self, request: _Request, size: int) -> None:
        last = self._asked[-1] if self._asked else request
        while len(self._asked) < AHEAD and last.at + last.most < size:
            last = _Request(last.at + last.most - TAIL_BYTES, self._most)  # where the follower will read on
            self._ask_read(last)

    def _adapt(self, length: int, time_s: float) -> None:
        """Ask for about a second's worth at a time."""
        if length >= LEAST_BYTES:
            rate = length / max(time_s, 1e-3)
            self._most = int(min(max(rate, LEAST_BYTES), MOST_BYTES))

    async def _settle(self) -> None:
        """Take in and drop the answers to requests that were sent ahead."""
        while self._asked:
            await self._read(is_last=True)

    async def _stats(self, request: str) -> list[Stat]:
        await self._settle()
        self._ask(request)
        _, length = await self._answer("data")
        return _parse_stats((await self._data(int(length))).decode("ascii").split())

    async def _read_clock(self) -> None:
        asked_s = monotonic()
        self._ask("clock")
        words = await self._answer("clock")
        self._clock_s = monotonic()
        if len(words) > 1 and words[1].isdecimal():
            self._clock_skew_s = float(words[1]) - (asked_s + self._clock_s) / 2

    def _opened(self, words: list[str]) -> Stat:
        kind, *fields = words
        stats = _parse_stats(fields)
        if kind != "opened" or not stats:
            raise explain_file(self._target, kind)
        self._hush()
        return stats[0]


def _parse_entries(data: bytes) -> list[Entry]:
    """The regular files of a listing; one with a newline in its name is left out."""
    entries = []
    for line in data.split(b"\n"):
        *numbers, mode, path = [*line.split(b" ", _STAT_FIELDS + 1), b"", b""][: _STAT_FIELDS + 2]
        stats = _parse_stats([number.decode("ascii", "replace") for number in numbers])
        if stats and _is_regular(mode):
            entries.append(Entry(os.fsdecode(path.rpartition(b"/")[2]), stats[0]))
    return entries


def _is_regular(mode: bytes) -> bool:
    try:
        return modes.S_ISREG(int(mode, 16))
    except ValueError:
        return False


def _parse_stats(words: list[str]) -> list[Stat]:
    """The stats in a row of their fields; an incomplete one is left out."""
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        return []
    rows = [numbers[start : start + _STAT_FIELDS] for start in range(0, len(numbers), _STAT_FIELDS)]
    return [Stat(row[0], row[1], row[2], float(row[3]), row[4]) for row in rows if len(row) == _STAT_FIELDS]
