"""What the program itself does just now, in numbers, so that "it is slow" can be told in figures."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.feed import Feed

LOOK_S = 1.0
"""Seconds between two looks, over which rates are taken."""

BEAT_S = 0.02
"""Seconds that the event loop is asked to wait; what it takes longer is its lag."""

FRAME_CHARS = 16
"""What is written to the terminal and no longer than this is a mode that is set, and no frame."""


class Count(Struct, frozen=True):
    """What has happened so far: seconds on the clock and of CPU, entries, bytes read, frames and characters drawn.

    `lag_s` is the longest that the event loop was late since the count before.
    """

    clock_s: float
    cpu_s: float
    entries: int
    read_bytes: int
    frames: int
    drawn_chars: int
    lag_s: float


def describe(before: Count, now: Count, queued: int, memory_bytes: int | None) -> tuple[tuple[str, str], ...]:
    """Names and figures of what happened between two counts.

    Args:
        before: The earlier count.
        now: The later one.
        queued: How many messages wait to be handled.
        memory_bytes: What is held in memory; None where the system does not say.
    """
    span_s = max(now.clock_s - before.clock_s, 1e-9)
    cpu_s, frames = now.cpu_s - before.cpu_s, now.frames - before.frames
    frame = f"{cpu_s / frames * 1e3:.1f} ms of CPU, reading and judging included" if frames else "none drawn"
    return (
        ("entries", f"{(now.entries - before.entries) / span_s:,.0f}/s, {now.entries:,} in all"),
        ("bytes in", f"{(now.read_bytes - before.read_bytes) / span_s:,.0f}/s, {now.read_bytes:,} in all"),
        (
            "frames",
            f"{frames / span_s:.1f}/s, {(now.drawn_chars - before.drawn_chars) / span_s:,.0f} characters/s",
        ),
        ("a frame", frame),
        ("CPU", f"{100 * cpu_s / span_s:.1f} % of a core"),
        ("event loop", f"late by {now.lag_s * 1e3:.0f} ms at worst"),
        ("queue", f"{queued} messages"),
        ("memory", "unknown" if memory_bytes is None else f"{memory_bytes / 1e6:.0f} MB"),
    )


class DebugScreen(ModalScreen[None]):
    """Shows rates, waits and sizes of the last second.

    Args:
        feeds: Tells what is watched.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "close", key_display="Esc")]

    def __init__(self, feeds: Callable[[], Sequence[Feed]]) -> None:
        super().__init__()
        self._feeds = feeds
        self._frames = self._drawn_chars = 0
        self._lag_s = 0.0
        self._before = self._count()

    def on_key(self, event: Key) -> None:
        """The key that opened this closes it; the keys of the application do not reach a modal screen."""
        if event.key == "f12":
            event.stop()
            self.dismiss()

    def compose(self) -> ComposeResult:
        """One page."""
        yield Static("measuring …", id="figures", markup=False, classes="sheet")

    def on_mount(self) -> None:
        """Begin to count; what is written to the terminal is counted on its way."""
        self._stop = self._count_frames()
        self.run_worker(self._watch_loop(), exit_on_error=False)
        self.set_interval(LOOK_S, self.look)

    def on_unmount(self) -> None:
        """Leave the terminal's way as it was."""
        self._stop()

    def look(self) -> None:
        """Show what happened since the look before."""
        now = self._count()
        figures = describe(self._before, now, self.app.message_queue_size, resident_bytes())
        self._before, self._lag_s = now, 0.0
        self.query_one("#figures", Static).update(
            "\n".join(f"{name:<12}{figure}" for name, figure in figures)
        )

    def _count(self) -> Count:
        runs = self._feeds()
        return Count(
            time.monotonic(),
            time.process_time(),
            sum(feed.run.entries for feed in runs),
            sum(feed.read_bytes for feed in runs),
            self._frames,
            self._drawn_chars,
            self._lag_s,
        )

    def _count_frames(self) -> Callable[[], None]:
        """Count all that is written to the terminal from now on; the way to end that."""
        driver = self.app._driver
        if driver is None:
            return lambda: None
        write = driver.write

        def count(data: str) -> None:
            self._frames += len(data) > FRAME_CHARS
            self._drawn_chars += len(data)
            write(data)

        def stop() -> None:
            driver.write = write  # type: ignore[method-assign]

        driver.write = count  # type: ignore[method-assign]
        return stop

    async def _watch_loop(self) -> None:
        while True:
            began_s = time.monotonic()
            await asyncio.sleep(BEAT_S)
            self._lag_s = max(self._lag_s, time.monotonic() - began_s - BEAT_S)


def resident_bytes() -> int | None:
    """What this process holds in memory, or None where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGESIZE")
