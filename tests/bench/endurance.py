"""Whether a watch may run for days: a day of entries in accelerated time, and what memory is held after each hour.

    python -m tests.bench endurance

An entry a second, one by one, into the whole application with its screen open; it has no terminal. What the log itself
says is kept, and is taken off: 8 bytes a value, and 4 for the buckets that its curve is drawn from.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterable

from tests.bench.process import resident_bytes
from tests.bench.row import Row, at_most
from tests.bench.terminal import SIZE
from tests.recorded import ADDRESS, Recorded
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import CaughtUp, LinkChanged, LinkState, Observed, Received
from tui.feed import Feed, FeedOptions
from tui.sources.demo.trainer import simulate, write_line
from tui.target import parse_target

HOURS, HOUR_S = 24, 3_600
LIMIT = 2.0
VALUE_BYTES = 12
TURN_S = 60
"""Simulated seconds between two moments at which the screen may draw."""


def measure(hours: int = HOURS, hour_s: int = HOUR_S) -> Iterable[Row]:
    """How much more is held at the end of the day than in the middle of it."""
    held = asyncio.run(watch(hours, hour_s))
    (noon, _), (end, stored) = held[len(held) // 2 - 1], held[-1]
    grown = 100 * (end / noon - 1)
    held_mb = f"{noon / 1e6:.1f} to {end / 1e6:.1f} MB beside {stored / 1e6:.0f} of values"
    told = f"{grown:+.1f} % in the second half ({held_mb})"
    what = f"memory over {hours} simulated hours, {hours * hour_s:,} entries"
    yield at_most(what, told, grown, LIMIT, "itself at noon", " %")


async def watch(hours: int, hour_s: int) -> list[tuple[int, int]]:
    """After each hour, the resident bytes beside those of the stored values, and these."""
    now_s = 0.0
    source = Recorded([LinkChanged(LinkState.LIVE), CaughtUp()])
    feed = Feed(parse_target(ADDRESS), source, FeedOptions(name="day"), clock=lambda: now_s)
    entries, size, held = simulate("healthy"), 0, []
    async with MilepostApp([feed]).run_test(size=SIZE) as pilot:
        for second in range(1, hours * hour_s + 1):
            now_s = float(second)
            entry = next(entries)
            line = write_line(entry).encode()
            source.live.put_nowait(Received(line, size))
            size += len(line)
            if second % TURN_S == 0:
                source.live.put_nowait(Observed(now_s, now_s, size))
                await eventually(lambda size=size: feed.read_bytes == size)  # type: ignore[misc]
            if second % hour_s == 0:
                await pilot.pause()
                gc.collect()
                stored = feed.run.entries * len(entry) * VALUE_BYTES
                held.append((resident_bytes() - stored, stored))
    return held
