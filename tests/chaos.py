"""Chaos: writers number their lines while faults strike at random, and every line has to arrive once, in order.

    python -m tests.chaos --faults 1000 --seed 7

The way is the real one: a proxy that breaks what passes through it, OpenSSH's sshd, an LXC container, and in it more
logs than there are channels, so that several share each.
Only the intervals of following are scaled down.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.real.fixtures import Container, Sshd, make_root, running_lxc, running_sshd
from tests.sources.listening import BRISK
from tests.sources.servers import WHOLE_BYTES, Proxy, through_proxy
from tests.waiting import eventually
from tui.events import FileReplaced, LinkChanged, LinkState, Received, SourceEvent
from tui.sources.lanes import FEW_LANES
from tui.sources.open import open_source
from tui.sources.ssh import Connections, SshOptions
from tui.target import parse_target

CALM_S = 60.0
"""How long the follower may take to come back and to catch up, once nothing is broken any more."""

LOGS = 2 * FEW_LANES
"""How many logs are followed: two over each channel."""

_LINE = re.compile(rb'\{"step": (\d+), "pad": "x*"\}')


@dataclass
class Writer:
    """Numbers its lines, and does to its log what loggers and administrators do."""

    log: Path
    chance: random.Random
    written: int = 0
    rotations: int = 0
    first_of_file: int = 1

    def write(self, lines: int) -> None:
        """Append lines, in one piece or with a cut somewhere within."""
        if not lines:
            return
        numbers = range(self.written + 1, self.written + lines + 1)
        data = b"".join(
            b'{"step": %d, "pad": "%s"}\n' % (number, b"x" * self.chance.randrange(120)) for number in numbers
        )
        cut = self.chance.randrange(len(data))
        with self.log.open("ab", buffering=0) as file:
            file.write(data[:cut])
            file.write(data[cut:])
        self.written += lines

    def rotate(self) -> None:
        """Rename the log and begin a new one."""
        self.rotations += 1
        self.log.rename(f"{self.log}.{self.rotations}")
        self._begin()

    def cut(self) -> None:
        """Empty the log in place, as copytruncate does: what nobody has read is lost."""
        os.truncate(self.log, 0)
        self._begin()

    def _begin(self) -> None:
        self.first_of_file = self.written + 1
        self.write(1)


@dataclass
class Tally:
    """Counts the lines that arrive. Its memory does not grow with them."""

    last: int = 0
    told: int = 0
    untold: int = 0
    repeated: int = 0
    garbled: int = 0
    replaced: int = 0
    gaps: int = 0
    lives: int = 0
    _part: bytes = b""
    _is_gap: bool = False

    def add(self, event: SourceEvent) -> None:
        """Take in what the source says."""
        match event:
            case Received(data):
                *lines, self._part = (self._part + data).split(b"\n")
                for line in lines:
                    self._count(line)
            case FileReplaced(_, gap):
                self.replaced += 1
                self.gaps += gap
                self.garbled += bool(self._part) and not gap
                self._part, self._is_gap = b"", self._is_gap or gap
            case LinkChanged(LinkState.LIVE):
                self.lives += 1

    def _count(self, line: bytes) -> None:
        match = _LINE.fullmatch(line)
        if match is None:
            self.garbled += 1
            return
        number = int(match[1])
        missing = number - self.last - 1
        self.repeated += missing < 0
        if self._is_gap:
            self.told += max(missing, 0)
        else:
            self.untold += max(missing, 0)
        self.last, self._is_gap = max(self.last, number), False


@dataclass
class Run:
    """A log and what has arrived of it."""

    writer: Writer
    tally: Tally

    @property
    def is_there(self) -> bool:
        """Whether the last line has arrived."""
        return self.tally.last == self.writer.written


@dataclass
class Report:
    """What a chaos run has come to."""

    seed: int
    faults: Counter[str]
    runs: Sequence[Run]
    time_s: float

    @property
    def is_exact(self) -> bool:
        """Whether every line arrived once, in order, but for those whose loss was told."""
        return all(run.is_there for run in self.runs) and not (
            self.sum("untold") or self.sum("repeated") or self.sum("garbled")
        )

    def sum(self, count: str) -> int:
        """One count of all logs."""
        return sum(getattr(run.tally, count) for run in self.runs)

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.faults.items()))
        written = sum(run.writer.written for run in self.runs)
        there = sum(run.is_there for run in self.runs)
        return "\n".join(
            (
                f"faults     {self.faults.total():,} (seed {self.seed}, {self.time_s:.0f} s): {kinds}",
                f"lines      {written:,} written to {len(self.runs)} logs; the last arrived of {there}",
                f"lost       {self.sum('untold'):,} without a word; {self.sum('told'):,} to copy-truncate, told",
                f"repeated   {self.sum('repeated'):,}; garbled {self.sum('garbled'):,}",
                f"replaced   {self.sum('replaced'):,} times told, {self.sum('gaps'):,} of them with a gap",
                f"connected  {self.sum('lives'):,} times",
            )
        )


@dataclass
class Scene:
    """Logs in a container, behind a server, behind a proxy; each method whose name a fault bears is that fault."""

    sshd: Sshd
    container: Container
    proxy: Proxy
    runs: Sequence[Run]
    chance: random.Random
    struck: Counter[str] = field(default_factory=Counter)

    @property
    def faults(self) -> dict[str, tuple[int, Callable[[], Awaitable[None]]]]:
        """What may happen, and how often in proportion."""
        return {
            "session killed": (4, self.kill_session),
            "sshd stopped": (2, self.stop_sshd),
            "half-open": (2, self.forget),
            "clogged": (2, self.clog),
            "reset": (4, self.reset),
            "slow drip": (2, self.drip),
            "byte by byte": (2, self.spell),
            "rotated": (4, self.rotate),
            "copy-truncated": (3, self.truncate),
            "container stopped": (2, self.stop_container),
        }

    async def strike(self) -> None:
        """Let one fault happen, drawn at random."""
        faults = self.faults
        (kind,) = self.chance.choices(list(faults), [weight for weight, _ in faults.values()])
        await faults[kind][1]()
        self.struck[kind] += 1

    async def kill_session(self) -> None:
        """The servers of all connections die."""
        self.sshd.kill_sessions()

    async def stop_sshd(self) -> None:
        """The host is away for a while."""
        self.sshd.kill_sessions()
        await asyncio.to_thread(self.sshd.stop)
        await self._last(0.5)
        await asyncio.to_thread(self.sshd.start)

    async def forget(self) -> None:
        """The present connections are dropped in silence, as by a firewall that was restarted."""
        self.proxy.forget()

    async def clog(self) -> None:
        """Nothing passes for a while, then all of it."""
        self.proxy.is_clogged = True
        await self._last(BRISK.lost_s * 1.3)
        self.proxy.is_clogged = False

    async def reset(self) -> None:
        """Every connection is reset."""
        self.proxy.cut()

    async def drip(self) -> None:
        """The way is slow: about 10 kB a second."""
        await self._in_pieces(100, 0.01)

    async def spell(self) -> None:
        """Every byte comes in a packet of its own."""
        await self._in_pieces(1, 0.0)

    async def rotate(self) -> None:
        """A log is renamed and begun anew.

        A second rotation before this one was seen would hide a whole file, which is told as a gap; that is another
        test's matter.
        """
        (await self._one_that_is_read()).rotate()

    async def truncate(self) -> None:
        """A log is emptied in place. A file of which nothing was ever read could not be missed."""
        (await self._one_that_is_read()).cut()

    async def stop_container(self) -> None:
        """The container ends with all that runs in it, and comes back."""
        await asyncio.to_thread(self.container.stop)
        await self._last(0.3)
        await asyncio.to_thread(self.container.start)

    async def _in_pieces(self, size_bytes: int, pause_s: float) -> None:
        self.proxy.piece_bytes, self.proxy.pause_s = size_bytes, pause_s
        await self._last(1.0)
        self.proxy.piece_bytes, self.proxy.pause_s = WHOLE_BYTES, 0.0

    async def _one_that_is_read(self) -> Writer:
        """Wait until a line of a log's present file has arrived."""
        run = self.chance.choice(self.runs)
        first = run.writer.first_of_file
        await eventually(lambda: run.tally.last >= first, CALM_S)
        return run.writer

    async def _last(self, most_s: float) -> None:
        await asyncio.sleep(self.chance.uniform(0, most_s))


async def run_chaos(sshd: Sshd, container: Container, faults: int, seed: int) -> Report:
    """Let so many faults strike, then wait for the last line."""
    began_s = time.monotonic()
    chance = random.Random(seed)
    async with through_proxy(sshd.port) as proxy, AsyncExitStack() as stack:
        runs = [Run(Writer(container.file(f"chaos-{seed}-{n}.jsonl"), chance), Tally()) for n in range(LOGS)]
        connections = Connections(_options(sshd, proxy.port))
        for run in runs:
            run.writer.log.touch()
            path = container.path(run.writer.log.name)
            address = f"ssh://{sshd.user}@127.0.0.1:{proxy.port}/{container.hop}:{path}"
            await stack.enter_async_context(_following(address, connections, run.tally))
        scene = Scene(sshd, container, proxy, runs, chance)
        with suppress(TimeoutError):  # the report tells what is missing
            async with _writing([run.writer for run in runs]):
                for _ in range(faults):
                    await scene.strike()
                    await _pause(scene)
            for run in runs:
                run.writer.write(1)
            await eventually(lambda: all(run.is_there for run in runs), CALM_S)
    return Report(seed, scene.struck, runs, time.monotonic() - began_s)


async def _pause(scene: Scene) -> None:
    """Between two faults: nothing, a moment, or until all followers have come back."""
    match scene.chance.randrange(4):
        case 0:
            return
        case 1:
            await asyncio.sleep(scene.chance.uniform(0, 0.4))
        case _:
            written = [run.writer.written for run in scene.runs]
            await eventually(
                lambda: all(run.tally.last >= last for run, last in zip(scene.runs, written, strict=True)),
                CALM_S,
            )


def _options(sshd: Sshd, port: int) -> SshOptions:
    """What a client of the server needs to reach it through the proxy's port."""
    known_hosts = sshd.folder / f"known_hosts_{port}"
    known_hosts.write_text(f"[127.0.0.1]:{port} {(sshd.folder / 'host_key.pub').read_text()}")
    return SshOptions((), (known_hosts,), (sshd.folder / "user_key",))


@asynccontextmanager
async def _following(address: str, connections: Connections, tally: Tally) -> AsyncIterator[None]:
    source = open_source(parse_target(address), connections, pace=BRISK)

    async def listen() -> None:
        async with aclosing(source.events(follow=True)) as events:
            async for event in events:
                tally.add(event)

    async with _running(listen()):
        yield


@asynccontextmanager
async def _writing(writers: Sequence[Writer]) -> AsyncIterator[None]:
    async def write() -> None:
        while True:
            for writer in writers:
                writer.write(writer.chance.choice([0, 0, 1, 1, 1, 5, 20, 300]))
            await asyncio.sleep(writers[0].chance.uniform(0, 0.16))

    async with _running(write()):
        yield


@asynccontextmanager
async def _running(work: Awaitable[None]) -> AsyncIterator[None]:
    """Run it beside the context's body; what it fails with is raised at the end."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def main(argv: Sequence[str] | None = None) -> int:
    """Run as a command; 0 when every line arrived exactly once."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name in ("sshd", "lxc", "root", "commands"):
            (folder / name).mkdir()
        try:
            sshd = stack.enter_context(running_sshd(folder / "sshd", folder / "commands"))
            root = make_root(folder / "root")
            container = stack.enter_context(running_lxc(folder / "lxc", root, folder / "commands"))
        except pytest.skip.Exception as missing:
            print(f"chaos needs a real server and a container: {missing}", file=sys.stderr)
            return 3
        report = asyncio.run(run_chaos(sshd, container, args.faults, args.seed))
    print(report)
    return 0 if report.is_exact else 1


if __name__ == "__main__":
    sys.exit(main())
