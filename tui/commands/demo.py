"""`milepost demo`: the whole way from a trainer in a container to the screen, with no other machine."""

from __future__ import annotations

import argparse
import asyncio
import signal

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
        for number in (signal.SIGTERM, signal.SIGHUP):  # so that the demo's folder is removed
            asyncio.get_running_loop().add_signal_handler(number, app.exit)
        await app.run_async()
