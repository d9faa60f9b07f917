"""`milepost TARGET`: the live monitor."""

from __future__ import annotations

import argparse

from tui.commands.options import Plan, plan_runs
from tui.commands.terminal import has_terminal, keep_stdin_for_log, require_terminal
from tui.errors import UsageError
from tui.garbage import spared
from tui.sources.ssh import Connections


def run_watch(args: argparse.Namespace) -> int:
    """Open the screen, or watch without one.

    Raises:
        UsageError: The options don't go together.
    """
    if args.headless and args.line:
        raise UsageError("--headless has no screen, not even one of one row: leave out --line")
    if args.headless:
        from tui.commands.headless import run_headless

        return run_headless(args)
    if args.theme == "list":
        from tui.commands.settings import list_themes

        return list_themes()
    for option in ("json_events", "state"):
        if getattr(args, option):
            raise UsageError(f"--{option.replace('_', '-')} needs --headless")
    if args.line:
        from tui.commands.line import run_line

        return run_line(args)
    plans = plan_runs(args) if args.targets or not has_terminal() else []
    stdin = keep_stdin_for_log() if any(plan.target.is_stdin for plan in plans) else 0
    require_terminal()
    with spared():
        return _show(args, plans, stdin)


def _show(args: argparse.Namespace, plans: list[Plan], stdin: int) -> int:
    """Open the screen; its libraries take a third of a second, and only this needs them."""
    from tui.app import MilepostApp
    from tui.commands.opening import Opening
    from tui.commands.settings import LiveSettings
    from tui.roster import Roster
    from tui.screens.kept import Kept
    from tui.screens.prompt import Prompts

    settings = LiveSettings(args)
    prompts = Prompts()
    connections = Connections(asker=prompts)
    roster = Roster()
    opening = Opening(args, roster, connections)
    opening.start(plans, stdin)
    prompts.app = MilepostApp(
        roster,
        args.theme,
        is_calm=args.no_flash,
        notify=settings.config.notify,
        settings=settings,
        kept=Kept(is_fresh=args.fresh),
        opener=opening,
    )
    prompts.app.run()
    return 0
