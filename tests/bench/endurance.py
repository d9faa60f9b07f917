"""Whether a watch may run for days: a day of entries in accelerated time, and what memory is held after each hour.

    python -m tests.bench endurance

An entry a second, as they come, one by one. What the log itself says is kept, and is taken off: 8 bytes a value, and 4
for the buckets that its curve is drawn from.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from tests.bench.row import Row
from tests.recorded import make_feed
from tui.events import CaughtUp, LinkChanged, LinkState, Observed, Received
from tui.screens.display import Display
from tui.screens.view import build_view
from tui.sources.demo.trainer import simulate, write_line

HOURS = 24
HOUR_ENTRIES = 3_600
LIMIT = 0.02
VALUE_BYTES = 12
LOOK_ENTRIES = 60
"""The screen is drawn after every so many entries."""


def measure(hours: int = HOURS, hour_entries: int = HOUR_ENTRIES) -> Iterable[Row]:
    """How much more is held at the end of the day than in the middle of it."""
    held = [resident - stored for resident, stored in watch(hours, hour_entries)]
    middle, end = held[len(held) // 2], held[-1]
    grown = end / middle - 1
    yield Row(
        f"memory over {hours} simulated hours, {hours * hour_entries:,} entries",
        f"{100 * grown:+.1f} % in the second half ({middle / 1e6:.0f} to {end / 1e6:.0f} MB without the values)",
        f"≤ {100 * LIMIT:g} %",
        "itself at noon",
        grown <= LIMIT,
    )


def watch(hours: int, hour_entries: int) -> Iterator[tuple[int, int]]:
    """Resident bytes and those of the stored values, after each hour."""
    feed, size, entries = make_feed(), 0, simulate("healthy")
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(CaughtUp())
    for _ in range(hours):
        for number, entry in enumerate(islice(entries, hour_entries)):
            line = write_line(entry).encode()
            feed.consume(Received(line, size))
            size += len(line)
            if number % LOOK_ENTRIES == 0:
                feed.consume(Observed(size, size, size))
                feed.look()
                build_view(feed, Display())
        gc.collect()
        yield _resident_bytes(), feed.run.entries * len(entry) * VALUE_BYTES


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
