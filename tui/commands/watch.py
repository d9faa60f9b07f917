"""`milepost TARGET`: the live monitor."""

from __future__ import annotations

import argparse

from tui.commands.options import plan_runs
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
    if args.json_events:
        raise UsageError("--json-events needs --headless")
    plans = plan_runs(args)
    stdin = keep_stdin_for_log() if any(plan.target.is_stdin for plan in plans) else 0
    require_terminal()
    connections = Connections()
    from tui.app import (
        MilepostApp,  # the screen's libraries take a third of a second, and only this needs them
    )

    feeds = [plan.make_feed(connections, stdin=stdin) for plan in plans]
    MilepostApp(feeds, args.theme, is_calm=args.no_flash).run()
    return 0
