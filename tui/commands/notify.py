"""`milepost notify --test`: one notification through every channel, and what became of it."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tui.config import load_config
from tui.decode.text import clean
from tui.errors import UsageError
from tui.notify.channel import Channel, NotSent
from tui.notify.channels import Absent, find_channels
from tui.notify.notification import Notification
from tui.notify.process import ProgramError, run_program
from tui.notify.terminal import Write

SAMPLE = Notification(
    kind="plateau",
    severity="warning",
    run="test",
    target="gpu-box:/runs/test/train_log.jsonl",
    step="1000",
    title="test: warning plateau",
    message="this is a test; a real alert tells here what happened, since which step, and by how much",
)

NAME_WIDTH = 9


def run_notify(args: argparse.Namespace) -> int:
    """Send a notification through every channel; 0 where one at least took it, else 1.

    Raises:
        UsageError: It was not said that it is a test; there is nothing else to send.
        ConfigError: The configuration has a mistake.
    """
    if not args.test:
        raise UsageError(
            "nothing to send; milepost notify --test sends one notification through every channel"
        )
    settings = load_config(Path(args.config) if args.config else None).notify
    with _terminal() as write:
        told = asyncio.run(_send_all(find_channels(settings, os.environ, write)))
    print("\n".join(line for line, _ in told))
    return 0 if any(was_sent for _, was_sent in told) else 1


@contextmanager
def _terminal() -> Iterator[Write | None]:
    """Writes to the terminal of this process; nothing where it has none."""
    try:
        terminal = Path("/dev/tty").open("w", encoding="utf-8")  # noqa: SIM115 - closed below
    except OSError:
        yield None
        return

    def write(text: str) -> None:
        terminal.write(text)
        terminal.flush()

    with terminal:
        yield write


async def _send_all(channels: list[Channel | Absent]) -> list[tuple[str, bool]]:
    return [await _send(channel) for channel in channels]


async def _send(channel: Channel | Absent) -> tuple[str, bool]:
    """What became of it by one channel, and whether it went out."""
    name = f"{channel.name:<{NAME_WIDTH}}"
    if isinstance(channel, Absent):
        return f"{name} not sent: {channel.reason}", False
    try:
        done = await channel.send(SAMPLE)
    except NotSent as error:
        return f"{name} failed: {clean(str(error))}", False
    if channel.name == "desktop" and os.environ.get("TMUX") and not await _passes_through():
        return (
            f"{name} not sent: tmux holds it back; put this into tmux.conf: set -g allow-passthrough on",
            False,
        )
    return f"{name} {done}", True


async def _passes_through() -> bool:
    """Whether tmux hands sequences on to its terminal; versions before 3.3, which know no such option, do."""
    try:
        ended = await run_program(("tmux", "show-options", "-Apv", "allow-passthrough"), 5.0)
    except ProgramError:
        return True
    return ended.code != 0 or ended.out.strip() != b"off"
