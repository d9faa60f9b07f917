"""`milepost watch --headless`: the same watch with no screen, told as JSON lines or as text."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from tui.commands.finding import find_runs
from tui.commands.options import Plan
from tui.commands.resume import resume
from tui.commands.state import State
from tui.config import NotifyConfig, load_config
from tui.decode.text import clean
from tui.errors import UsageError
from tui.events import FileReplaced, LinkChanged
from tui.feed import Feed
from tui.health.alerts import AlertChange
from tui.listener import describe_reason
from tui.notify.channels import find_channels, usable
from tui.notify.notifier import Notifier
from tui.report.plain import Json, step_to_json, values_to_json
from tui.report.schema import alert_to_json
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
        told: Json = {"state": str(link.state), "detail": link.detail}
        self._write("link", told if link.retry_in_s is None else told | {"retry_in_s": link.retry_in_s})

    def file_replaced(self, replaced: FileReplaced) -> None:
        """What follows is of another file; with `gap`, entries may be missing between those before and after."""
        self._write("replaced", {"reason": replaced.reason, "gap": replaced.gap})

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

    def file_replaced(self, replaced: FileReplaced) -> None:
        """What follows is of another file."""
        told = clean(describe_reason(replaced.reason))
        self._write(told + (": lines may be missing here" if replaced.gap else ""))

    def _write(self, text: str) -> None:
        self._out.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {self._name} {text}\n")
        self._out.flush()


def run_headless(args: argparse.Namespace) -> int:
    """Watch until a signal comes, or standard input ends.

    Raises:
        UsageError: The events' file or the state can't be written, or a target can't be resumed.
    """
    plans = find_runs(args)
    state = _open_state(args, plans)
    settings = load_config(Path(args.config) if args.config else None).notify
    with _opened(args.json_events) as out:
        asyncio.run(_watch(_make_feeds(plans, out, state), settings))
    return 0


def _open_state(args: argparse.Namespace, plans: Sequence[Plan]) -> State | None:
    if args.state is None:
        return None
    if any(plan.target.is_stdin or plan.target.is_pane for plan in plans):
        raise UsageError("--state is for logs that can be read again; standard input and a tmux pane can't")
    if any(plan.target.parts for plan in plans):
        raise UsageError("--state keeps the place in one file; it can't go with a run in several")
    if args.last:
        raise UsageError("--state reads the whole log again after a restart, so --last can't go with it")
    events = Path(args.json_events) if args.json_events not in (None, "-") else None
    return State(Path(args.state), events)


def _make_feeds(plans: Sequence[Plan], out: TextIO | None, state: State | None) -> list[Feed]:
    feeds = []
    connections = Connections()
    for plan in plans:
        listener = (
            TextEvents(sys.stdout, plan.options.name) if out is None else JsonEvents(out, plan.target.text)
        )
        if state is None:
            feeds.append(plan.make_feed(connections, listener))
        else:
            feeds.append(resume(plan, connections, listener, state))
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


async def _watch(feeds: Sequence[Feed], settings: NotifyConfig) -> None:
    """Follow all feeds, and tell of alerts elsewhere too; SIGTERM and SIGINT end it in good order."""
    notifier = Notifier(settings, usable(find_channels(settings, os.environ)), _complain)
    notifying = asyncio.create_task(notifier.keep_watch(lambda: feeds))
    following = asyncio.gather(*(feed.follow() for feed in feeds))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, following.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await following
        await notifier.finish(feeds)
    notifying.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await notifying


def _complain(text: str) -> None:
    print(f"milepost: {text}", file=sys.stderr, flush=True)
