"""What it takes to catch up with a million entries, until the verdict: `python -m tests.bench catchup`.

Every piece of the log is read in turn by a bare `json.loads` loop and by a feed, in one process, so that whatever else
the machine does falls on both alike. Memory is the peak of a `milepost status` of the same log.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tests.bench.longlog import ENTRIES, FIELDS, write_log
from tests.bench.process import run
from tests.bench.row import Row, at_most
from tests.recorded import make_feed
from tui.events import CaughtUp, Observed, Received
from tui.sources.base import CHUNK_BYTES

TIME_LIMIT = 1.5
VALUE_BYTES, BASE_BYTES = 16, 60_000_000


def measure(entries: int = ENTRIES) -> Iterable[Row]:
    """The ratio of processor times, and the peak of memory beside its target."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "train_log.jsonl"
        write_log(log, entries)
        what = f"catch up with {entries:,} × {len(FIELDS)} ({log.stat().st_size / 1e6:.0f} MB)"
        ours_s, theirs_s = read_in_turn(log)
        told = f"{ours_s / theirs_s:.2f} × ({ours_s:.2f} s against {theirs_s:.2f} s of CPU)"
        yield at_most(what, told, ours_s / theirs_s, TIME_LIMIT, "a bare json.loads loop", " ×")
        usage = run([sys.executable, "-m", "tui", "status", "--finished", str(log)])
        yield Row(
            "the same as milepost status", f"{usage.cpu_s:.1f} s of CPU, {usage.wall_s:.1f} s on the clock"
        )
        limit = VALUE_BYTES * entries * len(FIELDS) + BASE_BYTES
        is_met = usage.peak_bytes <= limit
        peak, most = f"{usage.peak_bytes / 1e6:.0f} MB", f"≤ {limit / 1e6:.0f} MB"
        yield Row("peak memory of it", peak, most, f"{VALUE_BYTES} bytes a value + 60 MB", is_met)


def read_in_turn(log: Path) -> tuple[float, float]:
    """The processor time of a feed up to its verdict, and that of a bare loop over the same lines, in seconds."""
    feed, ours_s, theirs_s, at = make_feed(), 0.0, 0.0, 0
    feed.consume(Observed(0.0, 0.0, log.stat().st_size))
    with log.open("rb") as file:
        while data := file.read(CHUNK_BYTES):
            data += file.readline()
            began_s = time.process_time()
            feed.consume(Received(data, at))
            fed_s = time.process_time()
            for line in data.splitlines():
                json.loads(line)
            theirs_s += time.process_time() - fed_s
            ours_s += fed_s - began_s
            at += len(data)
    began_s = time.process_time()
    feed.consume(CaughtUp())
    assert feed.verdict
    return ours_s + time.process_time() - began_s, theirs_s
