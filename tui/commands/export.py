"""`milepost export`: the screen or a curve as a picture, a report, or the data, as the file's name says."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from tui.commands.options import plan_run
from tui.commands.reading import read_chosen
from tui.errors import UsageError
from tui.feed import Feed
from tui.report.chart import draw_svg
from tui.report.contents import draw_chart
from tui.report.files import find_form, write_file

SCREEN = (120, 40)
"""Columns and rows of the screen in a picture, where nothing else was asked for."""


def run_export(args: argparse.Namespace) -> int:
    """Write one file on one run.

    Raises:
        UsageError: Its name ends in nothing known, or it can't be written.
        SourceError: The run could not be read.
    """
    file = Path(args.output)

    def picture(feed: Feed, names: Sequence[str]) -> str:
        if args.curve is None:
            return draw_screen(feed, args)
        if args.curve not in feed.run.fields:
            raise UsageError(f"the log has no field {args.curve!r}; it has {', '.join(feed.run.fields)}")
        return draw_svg(draw_chart(feed, args.curve)) + "\n"

    form = find_form(file, picture)
    feed, names = read_chosen(plan_run(args), args.timeout)
    write_file(file, form(feed, names))
    print(f"wrote {file}", file=sys.stderr)
    return 0


def draw_screen(feed: Feed, args: argparse.Namespace) -> str:
    """The screen of a run that was read, as SVG."""
    from tui.app import MilepostApp  # the screen's libraries, which no other form needs
    from tui.commands.settings import LiveSettings

    class Still(MilepostApp):
        """The screen of what was read; nothing more is asked for."""

        async def _follow(self, member: object) -> None:
            pass

    async def draw() -> str:
        app = Still([feed], args.theme, is_calm=True, settings=LiveSettings(args))
        async with app.run_test(size=args.size or SCREEN) as pilot:
            await pilot.pause(0.5)
            return app.export_screenshot(title=f"milepost {feed.name}")

    return asyncio.run(draw())
