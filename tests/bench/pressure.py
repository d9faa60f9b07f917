"""What a log that grows too fast to be judged does to the screen and to memory: `python -m tests.bench pressure`.

A process of its own writes 100 MB a second, first to a log on this machine, then to one behind an OpenSSH server on
loopback. The application runs without a terminal.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from tests.bench.process import resident_bytes
from tests.bench.row import Row, at_most
from tests.bench.terminal import SIZE
from tests.real.fixtures import running_sshd
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.feed import Feed, FeedOptions
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import parse_target

RATE_BYTES = 100_000_000
SPAN_S = 20.0
BEFORE_S = 10.0
"""How long the writer may write before anything is counted."""

GOING_BYTES = 5_000_000
START_S = 60.0
TICK_S = 0.02
WORK_LIMIT_MS, GROWTH_LIMIT_MB = 150, 200

_LINE = np.frombuffer(
    b'{"step": 100000000, "loss": 1.23456, "grad_norm": 0.12345, "lr": 0.0003, "tokens_per_s": 26011.5}\n',
    np.uint8,
)
_LINES = 10_000
_STEP, _LOSS = slice(9, 18), slice(30, 35)


def write(log: Path, span_s: float) -> None:
    """Write for so long, at the full rate or as fast as this machine can."""
    lines = np.tile(_LINE, (_LINES, 1))
    powers, rng = 10 ** np.arange(8, -1, -1), np.random.default_rng(1)
    began_s, first, written = time.monotonic(), 10**8, 0
    with log.open("ab", buffering=0) as file:
        while (time_s := time.monotonic() - began_s) < span_s:
            if written > time_s * RATE_BYTES:
                time.sleep(0.001)
                continue
            steps = np.arange(first, first + _LINES)
            lines[:, _STEP] = steps[:, None] // powers % 10 + ord("0")
            lines[:, _LOSS] = rng.integers(ord("0"), ord("9") + 1, (_LINES, 5))
            written += file.write(lines.tobytes())
            first += _LINES


def measure(span_s: float = SPAN_S) -> Iterable[Row]:
    """How long the event loop was held at a time and what memory took, both ways."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # a disk would be what is measured
    with tempfile.TemporaryDirectory(dir=memory) as name:
        folder = Path(name)
        log = folder / "fast.jsonl"
        yield from asyncio.run(watch("on this machine", str(log), log, Connections(), span_s))
        for part in ("sshd", "commands"):
            (folder / part).mkdir()
        with running_sshd(folder / "sshd", folder / "commands") as sshd:
            address, connections = f"{sshd.address}{log}", Connections(sshd.options)
            yield from asyncio.run(watch("SSH on loopback", address, log, connections, span_s))


async def watch(where: str, address: str, log: Path, connections: Connections, span_s: float) -> list[Row]:
    """Watch the log while it is written."""
    log.write_bytes(_LINE.tobytes())
    source = open_source(parse_target(address), connections, has_glimpses=True)
    feed = Feed(parse_target(address), source, FeedOptions(name="fast"))
    async with MilepostApp([feed]).run_test(size=SIZE), _lags() as lags:
        await eventually(lambda: feed.is_caught_up)
        writer = get_context("spawn").Process(target=write, args=(log, span_s + BEFORE_S))
        writer.start()
        await eventually(lambda: feed.read_bytes > GOING_BYTES, START_S)
        lags.clear()
        before, peak, began_s, read = resident_bytes(), 0, time.monotonic(), feed.read_bytes
        while time.monotonic() - began_s < span_s:
            await asyncio.sleep(0.1)
            peak = max(peak, resident_bytes())
        seen, rate = list(lags), (feed.read_bytes - read) / (time.monotonic() - began_s) / 1e6
        writer.terminate()
        writer.join()
    log.unlink()
    late, own = (sorted(each) for each in zip(*seen, strict=True))
    told = f"p50 {_told(own, 0.5)}, p99 {_told(own, 0.99)}, at most {own[-1]:.0f} ms"
    beside = f"woken late by p99 {_told(late, 0.99)} ms, with all else that the machine does"
    grown_mb = (peak - before) / 1e6
    return [
        at_most(f"100 MB/s, {where}: the loop's work at a time", told, own[-1], WORK_LIMIT_MS, beside, " ms"),
        at_most(
            f"memory of that, {rate:.0f} MB/s read",
            f"{grown_mb:+.0f} MB",
            grown_mb,
            GROWTH_LIMIT_MB,
            "",
            " MB",
        ),
    ]


@asynccontextmanager
async def _lags() -> AsyncIterator[list[tuple[float, float]]]:
    """How much later than asked for a sleeper wakes, and the loop's own work until then, in milliseconds.

    On a busy machine the first is that of others too.
    """
    lags: list[tuple[float, float]] = []

    async def tick() -> None:
        while True:
            due_s, worked_s = time.monotonic() + TICK_S, time.thread_time()
            await asyncio.sleep(TICK_S)
            lags.append(((time.monotonic() - due_s) * 1e3, (time.thread_time() - worked_s) * 1e3))

    task = asyncio.create_task(tick())
    try:
        yield lags
    finally:
        task.cancel()


def _told(ordered: list[float], share: float) -> str:
    return f"{ordered[int(len(ordered) * share)]:.0f}"
