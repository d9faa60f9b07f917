"""Reads runs once, in parallel, each within its time, and says in one sentence what went wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tui.commands.options import Plan
from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.sources.ssh import Connections


def read_runs(plans: Sequence[Plan], timeout_s: float) -> list[Feed]:
    """Read what is there of every run; a run that takes longer than `timeout_s` is given up."""
    connections = Connections()
    return asyncio.run(_read_all([plan.make_feed(connections) for plan in plans], timeout_s))


def find_error(feed: Feed) -> str | None:
    """Why a run's health can't be told, in one sentence; None where it can."""
    if feed.link.state not in (LinkState.LIVE, LinkState.ENDED):
        return feed.link.detail or f"{feed.target.text}: the log could not be read to its end"
    if feed.run.entries:
        return None
    what = f"{feed.target.path} on {feed.target.place}"
    if not feed.read_bytes:
        return f"{what} is empty; is the run logging there yet?"
    if feed.unreadable:
        return f"{what} {feed.unreadable}"
    lines = feed.malformed + feed.run.noise
    if not lines:
        return f"{what} holds no entry yet ({feed.read_bytes:,} bytes, no whole line with a number in it)"
    told = f"; it ends in {feed.log_error}" if feed.log_error else ""
    return f"{what} holds no entry: none of its {lines:,} lines says a step and a metric{told}; is it the training log?"


async def _read_all(feeds: list[Feed], timeout_s: float) -> list[Feed]:
    await asyncio.gather(*(_read(feed, timeout_s) for feed in feeds))
    return feeds


async def _read(feed: Feed, timeout_s: float) -> None:
    try:
        async with asyncio.timeout(timeout_s):
            await feed.read()
    except TimeoutError:
        detail = (
            f"{feed.target.place} did not deliver {feed.target.path} within {timeout_s:g} s"
            f" ({feed.read_bytes:,} bytes came); try again, or allow more with --timeout"
        )
        feed.consume(LinkChanged(LinkState.STALE, detail))
