"""What a log that grows faster than it can be judged does to the screen and to memory.

    python -m tests.bench.pressure [SECONDS]

A process of its own writes 100 MB a second, first to a log on this machine, then to one behind an OpenSSH server on
loopback. The application runs without a terminal.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from tests.real.fixtures import Sshd, running_sshd
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.feed import Feed, FeedOptions
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import parse_target

RATE_BYTES = 100_000_000
SPAN_S = 20.0
SIZE = (120, 40)
TICK_S = 0.02
WORK_TARGET_MS, GROWTH_TARGET_MB = 150, 200

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
    print(f"written              {written / span_s / 1e6:.0f} MB/s for {span_s:.0f} s", flush=True)


async def measure(where: str, address: str, log: Path, connections: Connections, span_s: float) -> None:
    """Watch the log while it is written, and print how late the event loop was and what memory took."""
    log.write_bytes(_LINE.tobytes())
    target = parse_target(address)
    feed = Feed(target, open_source(target, connections, has_glimpses=True), FeedOptions(name="fast"))
    app = MilepostApp([feed])
    async with app.run_test(size=SIZE), _lags() as lags:
        await eventually(lambda: feed.is_caught_up)
        writer = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.pressure", "write", str(log), f"{span_s + 10}"],
            stdout=subprocess.PIPE,
        )
        await eventually(lambda: feed.read_bytes > 5_000_000, 60.0)
        lags.clear()
        before_mb, peak_mb, began_s, read = resident_mb(), 0.0, time.monotonic(), feed.read_bytes
        while time.monotonic() - began_s < span_s:
            await asyncio.sleep(0.1)
            peak_mb = max(peak_mb, resident_mb())
        seen = list(lags)
        rate = (feed.read_bytes - read) / (time.monotonic() - began_s) / 1e6
        told, _ = writer.communicate()
    print(told.decode(), end="", flush=True)
    late, own = (sorted(each) for each in zip(*seen, strict=True))
    growth_mb = peak_mb - before_mb
    is_reached = own[-1] <= WORK_TARGET_MS and growth_mb <= GROWTH_TARGET_MB
    print(
        f"{where:<20} {rate:.0f} MB/s read; the loop's work at a time p50 {_told(own, 0.5)}, p99 {_told(own, 0.99)},"
        f" at most {own[-1]:.0f} ms; late by p50 {_told(late, 0.5)}, p99 {_told(late, 0.99)},"
        f" at most {late[-1]:.0f} ms; memory {before_mb:.0f} MB, {growth_mb:+.0f} MB {'✓' if is_reached else '✗'}",
        flush=True,
    )
    log.unlink()


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


def resident_mb() -> float:
    """The memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


async def measure_all(sshd: Sshd, folder: Path, span_s: float) -> None:
    """Measure both ways, one after the other."""
    log = folder / "fast.jsonl"
    await measure("on this machine", str(log), log, Connections(), span_s)
    await measure("over SSH", f"{sshd.address}{log}", log, Connections(sshd.options), span_s)


def main() -> int:
    """Run as a command."""
    if sys.argv[1:2] == ["write"]:
        write(Path(sys.argv[2]), float(sys.argv[3]))
        return 0
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # a disk would be what is measured
    with tempfile.TemporaryDirectory(dir=memory) as name:
        folder = Path(name)
        for part in ("sshd", "commands", "logs"):
            (folder / part).mkdir()
        try:
            with running_sshd(folder / "sshd", folder / "commands") as sshd:
                span_s = float(sys.argv[1]) if len(sys.argv) > 1 else SPAN_S
                asyncio.run(measure_all(sshd, folder / "logs", span_s))
        except pytest.skip.Exception as missing:
            print(f"this needs a real server: {missing}", file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
