"""`milepost watch --headless`: the same watch with no screen, told as JSON lines or as text."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from tui.commands.options import Plan, plan_runs
from tui.commands.schema import Json, alert_to_json, step_to_json, values_to_json
from tui.decode.text import clean
from tui.errors import UsageError
from tui.events import LinkChanged
from tui.feed import Feed
from tui.health.alerts import AlertChange
from tui.sources.ssh import Connections


class JsonEvents:
    """Writes everything that happens to one run as JSON lines, each flushed at once."""

    def __init__(self, out: TextIO, target: str) -> None:
        self._out = out
        self._target = target

    def entry_decoded(self, step: float, values: Mapping[str, float]) -> None:
        """One entry was read."""
        self._write("entry", {"step": step_to_json(step), "values": values_to_json(values)})

    def alert_changed(self, change: AlertChange) -> None:
        """An alert was raised, changed or cleared."""
        self._write("alert", {"change": str(change.what)} | alert_to_json(change.alert))

    def link_changed(self, link: LinkChanged) -> None:
        """The way to the log is in another state."""
        self._write("link", {"state": str(link.state), "detail": link.detail})

    def _write(self, event: str, what: Json) -> None:
        line = {"event": event, "target": self._target} | what
        self._out.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")
        self._out.flush()


class TextEvents:
    """Writes alerts and link states as lines for a person or a journal; entries are too many for that."""

    def __init__(self, out: TextIO, name: str) -> None:
        self._out = out
        self._name = clean(name)

    def entry_decoded(self, step: float, values: Mapping[str, float]) -> None:
        """One entry was read."""

    def alert_changed(self, change: AlertChange) -> None:
        """An alert was raised, changed or cleared."""
        alert = change.alert
        self._write(f"{change.what} {alert.severity} {alert.kind}: {clean(alert.message)}")

    def link_changed(self, link: LinkChanged) -> None:
        """The way to the log is in another state."""
        self._write(f"link {link.state}" + (f": {clean(link.detail)}" if link.detail else ""))

    def _write(self, text: str) -> None:
        self._out.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {self._name} {text}\n")
        self._out.flush()


def run_headless(args: argparse.Namespace) -> int:
    """Watch until a signal comes, or standard input ends.

    Raises:
        UsageError: The events' file can't be written.
    """
    plans = plan_runs(args)
    with _opened(args.json_events) as out:
        asyncio.run(_watch(_make_feeds(plans, out)))
    return 0


def _make_feeds(plans: Sequence[Plan], out: TextIO | None) -> list[Feed]:
    feeds = []
    connections = Connections()
    for plan in plans:
        listener = (
            TextEvents(sys.stdout, plan.options.name) if out is None else JsonEvents(out, plan.target.text)
        )
        feeds.append(plan.make_feed(connections, listener))
    return feeds


@contextlib.contextmanager
def _opened(path: str | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
    elif path == "-":
        yield sys.stdout
    else:
        try:
            file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115 - closed below, and opened apart for its errors
        except OSError as error:
            raise UsageError(f"{path}: events can't be written there: {error.strerror}") from error
        with file:
            yield file


async def _watch(feeds: Sequence[Feed]) -> None:
    """Follow all feeds; SIGTERM and SIGINT end it in good order."""
    following = asyncio.gather(*(feed.follow() for feed in feeds))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, following.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await following
