"""`milepost TARGET`: the live monitor."""

from __future__ import annotations

import argparse

from tui.commands.finding import find_runs
from tui.commands.terminal import keep_stdin_for_log, require_terminal
from tui.errors import UsageError
from tui.sources.ssh import Connections


def run_watch(args: argparse.Namespace) -> int:
    """Open the screen, or watch without one.

    Raises:
        UsageError: The options don't go together.
    """
    if args.headless:
        from tui.commands.headless import run_headless

        return run_headless(args)
    for option in ("json_events", "state"):
        if getattr(args, option):
            raise UsageError(f"--{option.replace('_', '-')} needs --headless")
    plans = find_runs(args)
    stdin = keep_stdin_for_log() if any(plan.target.is_stdin for plan in plans) else 0
    require_terminal()
    from tui.app import (
        MilepostApp,  # the screen's libraries take a third of a second, and only this needs them
    )
    from tui.screens.prompt import Prompts

    prompts = Prompts()
    connections = Connections(asker=prompts)
    feeds = [plan.make_feed(connections, stdin=stdin, has_glimpses=True) for plan in plans]
    prompts.app = MilepostApp(feeds, args.theme, is_calm=args.no_flash)
    prompts.app.run()
    return 0
