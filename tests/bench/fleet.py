"""What watching many runs costs the whole application, in processor time and memory: `python -m tests.bench fleet`.

Every run logs an entry a second, and all are followed and judged while the fleet screen shows those that fit. The
application runs without a terminal, so what a terminal needs to paint is not in the figures; what their connections
cost is in those of `hosts`.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path

from tests.bench.process import resident_bytes
from tests.bench.row import Row, at_most
from tests.bench.terminal import SIZE
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import CaughtUp, LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.feed import Feed, FeedOptions
from tui.screens.overview import view_fleet
from tui.sources.base import CHUNK_BYTES
from tui.sources.demo.trainer import simulate, write_line
from tui.target import parse_target

RUNS, SPAN_S = 200, 20.0
SETTLE_S = 3.0
START_S = 300.0
"""How long reading the past of all may take on a busy machine; nothing is measured by it."""

PAST_ENTRIES = 2_000
HOSTS = 50
SCENARIOS = ("healthy", "plateau", "cliff", "collapse")
SHARE_LIMIT, MEMORY_LIMIT_MB = 25.0, 300.0


class Trainer:
    """A run whose log grows by an entry whenever it is told to, and the source of its feed.

    All that it logs is read from files, so that the memory of this process is that of watching alone.
    """

    def __init__(self, folder: Path, number: int) -> None:
        self._past, self._coming = (folder / f"{number}.past"), (folder / f"{number}.coming").open("rb")
        self._size = self._past.stat().st_size
        self._live: asyncio.Queue[SourceEvent] = asyncio.Queue()
        target = parse_target(f"gpu-{number % HOSTS}:/runs/{number}/train_log.jsonl")
        self.feed = Feed(target, self, FeedOptions(name=f"run-{number}"))

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """What is there, then what is logged."""
        yield LinkChanged(LinkState.LIVE)
        yield Observed(100.0, 98.0, self._size)
        at = 0
        with self._past.open("rb") as file:
            while data := file.read(CHUNK_BYTES):
                yield Received(data, at)
                at += len(data)
        yield CaughtUp()
        while follow:
            yield await self._live.get()

    def retry_now(self) -> None:
        """There is nothing to be retried."""

    def log(self) -> None:
        """Write the next entry."""
        line = self._coming.readline()
        self._live.put_nowait(Received(line, self._size))
        self._size += len(line)

    def close(self) -> None:
        """Log no more."""
        self._coming.close()


def write_logs(folder: Path, runs: int, coming: int) -> None:
    """The past of so many runs, and so many entries more of each."""
    for number in range(runs):
        scenario = SCENARIOS[number % len(SCENARIOS)]
        lines = map(write_line, simulate(scenario, entries=PAST_ENTRIES + coming, seed=number))
        (folder / f"{number}.past").write_text("".join(islice(lines, PAST_ENTRIES)))
        (folder / f"{number}.coming").write_text("".join(lines))


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds until all was read, CPU seconds and entries a second after that, bytes, and ms for one look at all."""

    read_s: float
    cpu_s: float
    entries: float
    held_bytes: int
    look_ms: float


def measure(runs: int = RUNS, span_s: float = SPAN_S) -> Iterable[Row]:
    """The share of a core and the memory of so many runs."""
    cost = follow(runs, span_s)
    share, held_mb = 100 * cost.cpu_s, cost.held_bytes / 1e6
    told = f"{share:.1f} % of a core at {cost.entries:.0f} entries a second"
    yield at_most(f"{runs} runs, an entry a second each", told, share, SHARE_LIMIT, "", " %")
    yield at_most("memory of that", f"{held_mb:.0f} MB", held_mb, MEMORY_LIMIT_MB, "", " MB")
    told = f"{cost.look_ms:.1f} ms for the rows of all; their past was read after {cost.read_s:.1f} s"
    yield Row("one look at it", told)


def follow(runs: int, span_s: float) -> Cost:
    """Follow so many runs for so long, in this process; their logs are made by another."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(write_logs, folder, runs, int(span_s) + 10).result()
        trainers = [stack.enter_context(closing(Trainer(folder, number))) for number in range(runs)]
        return asyncio.run(_follow(trainers, span_s))


async def _follow(trainers: Sequence[Trainer], span_s: float) -> Cost:
    feeds, began_s = [trainer.feed for trainer in trainers], time.monotonic()
    async with MilepostApp(feeds).run_test(size=SIZE):
        await eventually(lambda: all(feed.is_caught_up for feed in feeds), START_S)
        read_s = time.monotonic() - began_s
        await asyncio.sleep(min(SETTLE_S, span_s))
        before, cpu_s, began_s = _entries(feeds), time.process_time(), time.monotonic()
        await log_evenly(trainers, span_s)
        taken_s, cpu_s = time.monotonic() - began_s, time.process_time() - cpu_s
        logged = (_entries(feeds) - before) / taken_s
        look_s = time.process_time()
        view_fleet(feeds)
        look_s = time.process_time() - look_s
        return Cost(read_s, cpu_s / taken_s, logged, resident_bytes(), look_s * 1e3)


async def log_evenly(trainers: Sequence[Trainer], span_s: float) -> None:
    """An entry a second of each, one after another."""
    began_s = time.monotonic()
    for second in count():
        for number, trainer in enumerate(trainers):
            trainer.log()
            due_s = began_s + second + (number + 1) / len(trainers)
            await asyncio.sleep(max(due_s - time.monotonic(), 0.0))
        if time.monotonic() - began_s >= span_s:
            return


def _entries(feeds: Iterable[Feed]) -> int:
    return sum(feed.run.entries for feed in feeds)
