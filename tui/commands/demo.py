"""`milepost demo`: the whole way from a trainer in a container to the screen, with no other machine."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
from pathlib import Path

from tui.app import MilepostApp
from tui.commands.options import Plan
from tui.commands.settings import LiveSettings, list_themes
from tui.commands.terminal import require_terminal
from tui.errors import UsageError
from tui.feed import FeedOptions
from tui.sources.demo.stage import demo
from tui.sources.demo.trainer import SCENARIOS
from tui.sources.ssh import Connections
from tui.target import parse_target


def run_demo(args: argparse.Namespace) -> int:
    """Watch a simulated run over a real SSH connection.

    Raises:
        UsageError: There is no such scenario.
    """
    if args.theme == "list":
        return list_themes()
    if args.scenario not in SCENARIOS:
        raise UsageError(f"there is no scenario {args.scenario!r}; scenarios are {', '.join(SCENARIOS)}")
    require_terminal()
    asyncio.run(_watch(args))
    return 0


async def _watch(args: argparse.Namespace) -> None:
    async with demo(args.scenario, args.seed) as stage:
        plan = Plan(parse_target(stage.target), FeedOptions(name="demo"))
        feed = plan.make_feed(Connections(stage.ssh))
        app = MilepostApp([feed], args.theme, is_calm=args.no_flash, settings=LiveSettings(args))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, app.exit)
        _end_with_terminal(stage.folder)
        await app.run_async()


def _end_with_terminal(folder: Path) -> None:
    """Die of SIGHUP at once, as a program does that knows nothing of it, and leave no files all the same.

    There is no terminal to be put in order any more, and the event loop may never get to do it: it waits for the
    thread that writes to the terminal as soon as that has stopped. A Python signal handler interrupts such a wait.
    """

    def end(number: int, frame: object) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    signal.signal(signal.SIGHUP, end)
