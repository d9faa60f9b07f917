"""The GPUs of the machine that a run is on, as the lines that its own tool prints; asked once for all who want them."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing

from msgspec import Struct, field
from msgspec.structs import replace

from tui.sources.open import find_way
from tui.sources.pace import Pace
from tui.sources.scripts import read_script
from tui.sources.ssh import Connections
from tui.sources.trouble import Trouble
from tui.target import Host, Target

NVIDIA_FIELDS = (
    "index", "name", "utilization.gpu", "memory.used", "memory.total", "temperature.gpu", "power.draw", "power.limit",
)  # fmt: skip
"""What is asked of nvidia-smi, in this order; memory comes in MiB, power in watts."""

EVERY_S = 5
"""Seconds between two readings."""

SILENT_S = 60.0
"""Without a line for so long the tool hangs, or the way to it does: it is begun anew."""

RETRY_S = 15.0
"""Seconds between two attempts to begin anew."""

SHARED_KINDS = frozenset({"docker", "podman", "pct", "lxc", "incus"})
"""Containers whose GPUs are those of the machine that they are entered from; a pod's are of some other machine."""

_LINE_BYTES = 4096
_ENOUGH_FAILURES = 2
_READING = re.compile(r"\d+\s*,|card\d+\s*,|device\s*,")  # what else they print is a refusal
_TOOLS = ("nvidia-smi", "rocm-smi")
_TOOL_FOLDERS = ("/usr/local/nvidia/bin", "/usr/lib/wsl/lib", "/opt/rocm/bin")  # as in gpus.sh

Take = Callable[[str | None], None]
"""Takes one line of the tool; None when no more lines come and the last ones are of the past."""


def places(target: Target) -> tuple[Target, ...]:
    """Where a run's GPUs can be asked for: in its container, then on the machine that this is on."""
    inner = replace(target, hops=target.hops[:-1]) if target.is_pane else target
    if not inner.hops or any(hop.kind not in SHARED_KINDS for hop in inner.hops):
        return (inner,)
    return inner, replace(inner, hops=())


async def read_gpus(target: Target, connections: Connections, pace: Pace | None = None) -> tuple[str, ...]:
    """One reading, as the lines of the tool; none where there is no tool, or no answer."""
    for place in places(target):
        if _may_have_any(place):
            lines = await connections.gpus.at(place).read(place, connections, pace or Pace())
            if lines:
                return lines
    return ()


async def follow_gpus(
    target: Target,
    connections: Connections,
    take: Take,
    is_reached: Callable[[], bool],
    pace: Pace | None = None,
) -> None:
    """Have `take` called with each line of the tool, until there turns out to be none; a place is asked once.

    Args:
        target: The run's log, and the way to the machine that it is on.
        connections: Those to share.
        take: Gets the lines.
        is_reached: Whether the way there is open; while it is not, none is made for this alone.
        pace: The intervals of following.
    """
    for place in places(target):
        if _may_have_any(place):
            watch = connections.gpus.at(place)
            await watch.listen(_Listener(take, is_reached), place, connections, pace or Pace())


def _may_have_any(place: Target) -> bool:
    """On this machine that costs no process."""
    if not place.is_plain:
        return True
    return any(shutil.which(tool) or shutil.which(tool, path=":".join(_TOOL_FOLDERS)) for tool in _TOOLS)


class _Listener(Struct, frozen=True, eq=False):
    take: Take
    is_reached: Callable[[], bool]


class _Watch(Struct, eq=False):
    """The tool of one place: one command, however many runs are followed there."""

    listeners: list[_Listener] = field(default_factory=list)
    is_absent: asyncio.Event = field(default_factory=asyncio.Event)
    failures: int = 0
    following: asyncio.Task[None] | None = None
    reading: asyncio.Task[tuple[str, ...]] | None = None
    readers: int = 0

    async def read(self, place: Target, connections: Connections, pace: Pace) -> tuple[str, ...]:
        """One reading, the same for all who ask at a time; the last who waits no longer ends it."""
        if self.reading is None or self.reading.done():
            self.reading = asyncio.create_task(_read_once(place, connections, pace))
        reading = self.reading
        self.readers += 1
        try:
            return await asyncio.shield(reading)
        finally:
            self.readers -= 1
            if not self.readers:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def listen(self, listener: _Listener, place: Target, connections: Connections, pace: Pace) -> None:
        """Return when there is no tool; the last who stops listening ends the command."""
        self.listeners.append(listener)
        if self.following is None and not self.is_absent.is_set():
            self.following = asyncio.create_task(self._follow(place, connections, pace))
        try:
            await self.is_absent.wait()
        finally:
            self.listeners.remove(listener)
            if not self.listeners and self.following is not None:
                following, self.following = self.following, None
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)

    async def _follow(self, place: Target, connections: Connections, pace: Pace) -> None:
        while not self.is_absent.is_set():
            if any(listener.is_reached() for listener in self.listeners):
                await self._hear(place, connections, pace)
                self._tell(None)
            if not self.is_absent.is_set():
                await asyncio.sleep(RETRY_S)

    async def _hear(self, place: Target, connections: Connections, pace: Pace) -> None:
        """Pass on what the tool prints.

        One that ends before its first reading is as good as none; where the connection may have ended, it is asked
        once more.
        """
        tool, has_heard, has_failed = "", False, False
        try:
            async with AsyncExitStack() as stack:
                lines = await _begin(place, connections, pace, stack)
                tool = await anext(lines, "none") if lines else ""
                while tool != "none" and lines and (line := await anext(lines, None)) is not None:
                    if _READING.match(line):
                        has_heard = True
                        self._tell(line)
        except (Trouble, TimeoutError):
            has_failed = True
        if not tool or has_heard:
            self.failures = 0
            return
        self.failures += 1
        if not has_failed or self.failures >= _ENOUGH_FAILURES:
            self.is_absent.set()

    def _tell(self, line: str | None) -> None:
        for listener in list(self.listeners):
            listener.take(line)


class GpuWatches:
    """All tools that run over the same connections.

    Attributes:
        turns: In which they begin, by host: one after the other, so that each sees what the others take.
    """

    def __init__(self) -> None:
        self.turns: defaultdict[Host | None, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._watches: defaultdict[object, _Watch] = defaultdict(_Watch)

    def at(self, place: Target) -> _Watch:
        """The one of a place: host, prefixes and hops."""
        return self._watches[place.host, place.via, place.hops]


async def _begin(
    place: Target, connections: Connections, pace: Pace, stack: AsyncExitStack
) -> AsyncGenerator[str, None] | None:
    """The lines of the tool, once the command runs; None while the host has no session to spare for that."""
    from tui.sources.probe import stream  # what asks is loaded where there may be something to be asked

    async with connections.gpus.turns[place.host]:
        if not find_way(place, connections, pace).has_room:
            return None
        output = await stack.enter_async_context(stream(place, _words(EVERY_S), connections, pace))
        return await stack.enter_async_context(aclosing(_lines(output)))


def _words(every_s: int) -> list[str]:
    return ["sh", "-c", read_script("gpus.sh"), "gpus", ",".join(NVIDIA_FIELDS), str(every_s)]


async def _read_once(place: Target, connections: Connections, pace: Pace) -> tuple[str, ...]:
    from tui.sources.probe import probe

    try:
        said = await probe(place, _words(0), connections, pace=pace)
    except Trouble:
        return ()
    lines = said.stdout.decode("utf-8", "replace").splitlines()
    return tuple(line for line in lines if _READING.match(line))


async def _lines(output: AsyncGenerator[bytes, None]) -> AsyncGenerator[str, None]:
    """Whole lines, each in bounded memory.

    Raises:
        TimeoutError: None came for `SILENT_S`.
        Trouble: As the output says.
    """
    rest = b""
    while True:
        async with asyncio.timeout(SILENT_S):
            try:
                rest += await anext(output)
            except StopAsyncIteration:
                return
        *whole, rest = rest.split(b"\n")
        rest = rest[-_LINE_BYTES:]
        for line in whole:
            yield line.decode("utf-8", "replace")
