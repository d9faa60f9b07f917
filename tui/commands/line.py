"""`milepost watch --line`: the live monitor in one row of the terminal, for a pane of a single row."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Sequence

from tui.commands.finding import find_runs
from tui.errors import UsageError
from tui.feed import Feed
from tui.screens.glance import view_glance
from tui.sources.ssh import Connections
from widgets.drawing.glance import draw_glance

CLOCK_S = 0.5
"""Seconds between two looks at the runs."""

ROTATE_LOOKS = 8
"""For how many looks one of several runs has the row, where they don't fit side by side."""

RUN_CELLS = 40
"""Columns that a run needs beside others."""


def run_line(args: argparse.Namespace) -> int:
    """Watch in one row until q or Ctrl-C, or until a signal comes.

    Raises:
        UsageError: Standard output is no terminal.
    """
    if not sys.stdout.isatty():
        raise UsageError("--line needs a terminal; milepost status --line prints such a line once")
    connections = Connections()
    feeds = [plan.make_feed(connections) for plan in find_runs(args)]
    with _keys():
        asyncio.run(_watch(feeds))
    return 0


def compose_row(feeds: Sequence[Feed], cells: int, look: int) -> str:
    """The row: all runs beside each other where there is room, else one after the other."""
    if not feeds or cells < 1:
        return ""
    if len(feeds) * (RUN_CELLS + 3) > cells + 3:
        return draw_glance(view_glance(feeds[look // ROTATE_LOOKS % len(feeds)]), cells)
    each = (cells + 3) // len(feeds) - 3
    return " │ ".join(draw_glance(view_glance(feed), each) for feed in feeds)


async def _watch(feeds: Sequence[Feed]) -> None:
    """Follow all feeds until somebody ends it; logs that have been read to their end stay in the row."""
    ending = asyncio.Event()
    _end_on_request(ending)
    tasks = [asyncio.create_task(feed.follow()) for feed in feeds]
    tasks.append(asyncio.create_task(_draw(feeds)))
    waiting = asyncio.create_task(ending.wait())
    try:
        unfinished = {*tasks, waiting}
        while not waiting.done():
            done, unfinished = await asyncio.wait(unfinished, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        sys.stdout.write("\n")
        sys.stdout.flush()


def _end_on_request(ending: asyncio.Event) -> None:
    """Let q, Ctrl-C and SIGTERM set the event."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)
    if os.isatty(0):
        loop.add_reader(0, lambda: ending.set() if b"q" in os.read(0, 64) else None)


async def _draw(feeds: Sequence[Feed]) -> None:
    """Draw the row over itself, again whenever it or the terminal's width has changed."""
    resized = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGWINCH, resized.set)
    shown, look = "", 0
    while True:
        # The last column stays empty: a terminal that wraps there would scroll a pane of one row.
        row = compose_row(feeds, os.get_terminal_size(sys.stdout.fileno()).columns - 1, look)
        if row != shown or resized.is_set():
            resized.clear()
            sys.stdout.write("\r" + row)
            sys.stdout.flush()
            shown = row
        look += 1
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(resized.wait(), CLOCK_S)


@contextlib.contextmanager
def _keys() -> Iterator[None]:
    """Have keys come at once and unseen, where there is a keyboard."""
    if not os.isatty(0):
        yield
        return
    before = termios.tcgetattr(0)
    tty.setcbreak(0)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
