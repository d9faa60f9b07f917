"""Draws the kept pictures of the screen, always the same run at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import cache
from pathlib import Path

from tests.onscreen import reads
from tests.recorded import ADDRESS, in_chunks, scenario_log
from tui.app import MilepostApp
from tui.events import CaughtUp, SourceEvent
from tui.feed import Feed, FeedOptions
from tui.target import parse_target

FOLDER = Path(__file__).parent

SIZES = ((30, 12), (44, 24), (60, 40), (80, 24), (120, 40), (200, 60))
"""A tmux pane, a side pane, half a screen, the old terminal, a usual one, a large one."""

RUNS = {"warning": ("default", 16_600), "healthy": ("healthy", 2_000)}
"""Scenario and entries: a run with a plateau, a collapsed gradient and a new cliff; and one that is well."""

TOTAL_STEPS = 45_375


class Still:
    """A source from which nothing comes any more."""

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Wait for what never comes."""
        await asyncio.Event().wait()
        yield CaughtUp()

    def retry_now(self) -> None:
        """There is nothing to be retried."""


@cache
def make_feed(name: str) -> Feed:
    """A feed that has taken in one of the runs, and whose clock stands still."""
    scenario, entries = RUNS[name]
    options = FeedOptions(name="drafter", total_steps=TOTAL_STEPS)
    feed = Feed(parse_target(ADDRESS), Still(), options, clock=lambda: 0.0)
    for event in in_chunks(scenario_log(scenario, entries)):
        feed.consume(event)
    return feed


async def capture(name: str, size: tuple[int, int]) -> str:
    """What a person reads on a screen of `size` (columns, rows), without blanks at the ends of rows."""
    app = MilepostApp([make_feed(name)], is_calm=True)
    async with app.run_test(size=size) as pilot:
        text = await reads(pilot, name, "drafter", "step", "loss")
        return text + "\n"


def path_of(name: str, size: tuple[int, int]) -> Path:
    """Where a picture is kept."""
    return FOLDER / f"{name}-{size[0]}x{size[1]}.txt"
