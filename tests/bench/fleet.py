"""What watching many runs costs: processor time and memory of the whole application, and how soon all are shown.

    python -m tests.bench.fleet [RUNS] [SECONDS]

Every run logs an entry a second, and all are followed and judged while the fleet screen shows those that fit. The
application runs without a terminal, so what a terminal needs to paint is not in the figures.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import time
from pathlib import Path

from tests.recorded import Recorded, in_chunks
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import Received
from tui.feed import Feed, FeedOptions
from tui.screens.overview import view_fleet
from tui.sources.demo.trainer import simulate, write_line
from tui.target import parse_target

RUNS, SPAN_S = 200, 20.0
PAST_ENTRIES = 2_000
HOSTS = 50
SCENARIOS = ("healthy", "plateau", "cliff", "collapse")
SIZE = (120, 40)
CPU_TARGET, MEMORY_TARGET_MB = 0.25, 300


class Trainer:
    """A run whose log grows by an entry whenever it is told to."""

    def __init__(self, number: int) -> None:
        entries = simulate(SCENARIOS[number % len(SCENARIOS)], entries=PAST_ENTRIES + 10_000, seed=number)
        self._entries = map(write_line, entries)
        past = "".join(itertools.islice(self._entries, PAST_ENTRIES))
        self._size = len(past)
        self.source = Recorded(in_chunks(past))
        target = parse_target(f"gpu-{number % HOSTS}:/runs/{number}/train_log.jsonl")
        self.feed = Feed(target, self.source, FeedOptions(name=f"run-{number}"))

    def log(self) -> None:
        """Write the next entry."""
        line = next(self._entries).encode()
        self.source.live.put_nowait(Received(line, self._size))
        self._size += len(line)


async def measure(runs: int, span_s: float) -> None:
    """Follow so many runs for so long, and print what it took."""
    before_mb = _resident_mb()
    trainers = [Trainer(number) for number in range(runs)]
    feeds = [trainer.feed for trainer in trainers]
    made_mb = _resident_mb()
    app = MilepostApp(feeds)
    began = time.monotonic()
    async with app.run_test(size=SIZE):
        await eventually(lambda: all(feed.is_caught_up for feed in feeds), 300.0)
        print(f"{runs} runs of {PAST_ENTRIES:,} entries read in after {time.monotonic() - began:.1f} s")
        await asyncio.sleep(3.0)
        cpu, began = time.process_time(), time.monotonic()
        entries = sum(feed.run.entries for feed in feeds)
        for second in itertools.count(1):
            for at, trainer in enumerate(trainers):
                trainer.log()
                await asyncio.sleep(max(began + second - 1 + at / runs - time.monotonic(), 0.0))
            if second >= span_s:
                break
        taken_s, cpu_s = time.monotonic() - began, time.process_time() - cpu
        logged = sum(feed.run.entries for feed in feeds) - entries
        began = time.process_time()
        view_fleet(feeds)
        view_s = time.process_time() - began
    share = cpu_s / taken_s
    _tell(
        "processor", f"{100 * share:.1f} % of a core at {logged / taken_s:.0f} entries/s", share <= CPU_TARGET
    )
    _tell("one look", f"{1e3 * view_s:.1f} ms for the rows of all runs, none of them known", True)
    memory_mb, logs_mb = _resident_mb(), made_mb - before_mb
    _tell(
        "memory",
        f"{memory_mb - logs_mb:.0f} MB, and {logs_mb:.0f} MB for the simulated logs",
        memory_mb - logs_mb <= MEMORY_TARGET_MB,
    )


def _tell(what: str, measured: str, is_reached: bool) -> None:
    print(f"{what:<10} {measured:<70} {'✓' if is_reached else '✗'}", flush=True)


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


if __name__ == "__main__":
    asyncio.run(
        measure(int(sys.argv[1]) if sys.argv[1:] else RUNS, float(sys.argv[2]) if sys.argv[2:] else SPAN_S)
    )
