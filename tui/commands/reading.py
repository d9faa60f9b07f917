"""Reads runs once, in parallel, each as long as something comes, and says in one sentence what went wrong."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from tui.commands.finding import expand_plan, name_plans
from tui.commands.options import Plan, choose_metrics
from tui.decode.text import clean
from tui.errors import SourceError, UsageError
from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.sources.ssh import Connections
from tui.sources.trouble import Trouble, lost
from tui.target import Host

AT_A_TIME = 9
"""Runs of one host that are read at a time: more would share its way so thinly that some get nothing in time."""


def read_runs(plans: Sequence[Plan], timeout_s: float, *, looks_beside: bool = False) -> list[Feed]:
    """Read what is there of every run; a run of which nothing comes for `timeout_s` is given up.

    A pattern is as many runs as it matches. Where that can't be told, it is one run that could not be read.
    `looks_beside` asks for checkpoints and GPUs too.
    """
    return asyncio.run(_read_all(plans, timeout_s, looks_beside))


def read_run(plan: Plan, timeout_s: float, *, looks_beside: bool = False) -> Feed:
    """Read what is there of one run.

    Raises:
        UsageError: It is a pattern, and matches several.
    """
    feeds = read_runs([plan], timeout_s, looks_beside=looks_beside)
    if len(feeds) > 1:
        told = ", ".join(clean(feed.target.path) for feed in feeds[:3])
        raise UsageError(f"{plan.target.text} matches {len(feeds)} logs, and this is for one; give {told} …")
    return feeds[0]


def read_chosen(plan: Plan, timeout_s: float, *, looks_beside: bool = False) -> tuple[Feed, tuple[str, ...]]:
    """Read one run; it, and the metrics that were asked for.

    Raises:
        SourceError: It could not be read.
        UsageError: No field fits.
    """
    feed = read_run(plan, timeout_s, looks_beside=looks_beside)
    if error := find_error(feed):
        raise SourceError(error)
    names = choose_metrics(feed.run.fields, feed.options.metrics)
    if not names:
        known = ", ".join(clean(name) for name in feed.run.fields)
        raise UsageError(
            f"no field fits --metrics {','.join(feed.options.metrics or ())}; the log has {known}"
        )
    return feed, names


def find_error(feed: Feed) -> str | None:
    """Why a run's health can't be told, in one sentence; None where it can."""
    if feed.link.state not in (LinkState.LIVE, LinkState.ENDED):
        return feed.link.detail or f"{feed.target.text}: the log could not be read to its end"
    if feed.run.entries:
        return None
    what = feed.target.where
    if not feed.read_bytes:
        return f"{what} is empty; is the run logging there yet?"
    if feed.unreadable:
        return f"{what} {feed.unreadable}"
    lines = feed.malformed + feed.noise
    if not lines:
        return f"{what} holds no entry yet ({feed.read_bytes:,} bytes, no whole line with a number in it)"
    told = f"; it ends in {feed.log_error}" if feed.log_error else ""
    return f"{what} holds no entry: none of its {lines:,} lines says a step and a metric{told}; is it the training log?"


async def _read_all(plans: Sequence[Plan], timeout_s: float, looks_beside: bool) -> list[Feed]:
    """Read all runs, of those on one host no more than `AT_A_TIME`."""
    connections = Connections()
    found = await asyncio.gather(*(_find(plan, connections, timeout_s) for plan in plans))
    feeds = [
        plan.make_feed(connections, looks_beside=looks_beside)
        for plan in name_plans([plan for runs, _ in found for plan in runs])
    ]
    troubles = [trouble for runs, trouble in found for _ in runs]
    turns: defaultdict[Host | None, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(AT_A_TIME))
    reading = []
    for feed, trouble in zip(feeds, troubles, strict=True):
        if trouble is None:
            reading.append(_read_in_turn(feed, timeout_s, turns[feed.target.host]))
        else:
            feed.consume(LinkChanged(trouble.state, str(trouble)))
    await asyncio.gather(*reading)
    return feeds


async def _find(plan: Plan, connections: Connections, timeout_s: float) -> tuple[list[Plan], Trouble | None]:
    """The runs of a plan; the plan itself, and why, where they can't be told."""
    try:
        async with asyncio.timeout(timeout_s):
            return await expand_plan(plan, connections), None
    except Trouble as trouble:
        return [plan], trouble
    except TimeoutError:
        told = f"{plan.target.place} did not tell what {plan.target.path} matches within {timeout_s:g} s"
        return [plan], lost(f"{told}; try again, or allow more with --timeout")


async def _read_in_turn(feed: Feed, timeout_s: float, turns: asyncio.Semaphore) -> None:
    async with turns:
        await _read(feed, timeout_s)


async def _read(feed: Feed, timeout_s: float) -> None:
    """Read a run until its end, or until nothing has come of it for `timeout_s`: a long log may take its time."""
    reading = asyncio.create_task(feed.read())
    came = -1
    while not reading.done() and feed.read_bytes > came:
        came = feed.read_bytes
        await asyncio.wait({reading}, timeout=timeout_s)
    if reading.done():
        await reading  # raises what went wrong in it
        return
    reading.cancel()
    await asyncio.wait({reading})
    detail = (
        f"nothing came of {feed.target.where} for {timeout_s:g} s"
        f" ({feed.read_bytes:,} bytes before that); try again, or allow more with --timeout"
    )
    feed.consume(LinkChanged(LinkState.STALE, detail))
