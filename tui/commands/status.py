"""`milepost status`: a health glance, as text or JSON, with the exit code of a monitoring plugin."""

from __future__ import annotations

import argparse
import json
import shutil
import sys

from msgspec.structs import replace

from tui.commands.options import choose_metrics, plan_runs
from tui.commands.reading import find_error, read_runs
from tui.feed import Feed
from tui.health.alerts import Verdict
from tui.report.wording import describe_run

MOST_BLOCKS = 3
"""More runs than this are told in one line each."""

PAPER_CELLS = 160
"""Columns where there is no terminal."""

LINE_CELLS = 72
"""Columns of a run in a status line; what matters least is left out where it does not fit."""

EXIT_CODES = {Verdict.HEALTHY: 0, Verdict.WARNING: 1, Verdict.CRITICAL: 2, Verdict.UNKNOWN: 3}


def run_status(args: argparse.Namespace) -> int:
    """Print the status of the runs; the largest of their exit codes."""
    feeds = read_runs(plan_runs(args), args.timeout, looks_beside=True)
    errors = [find_error(feed) for feed in feeds]
    if args.json:
        print(_dump(feeds, errors))
    elif args.line:
        print(_line(feeds))
    elif len(feeds) > MOST_BLOCKS and not args.long:
        print("\n".join(_list(feeds, errors)))
    else:
        told = [
            describe_run(feed, _names(feed)) for feed, error in zip(feeds, errors, strict=True) if not error
        ]
        print("\n\n".join(told), end="\n" if told else "")
    sys.stdout.flush()
    for error in filter(None, errors):
        print(f"milepost: {error}", file=sys.stderr)
    return max(EXIT_CODES[feed.verdict] for feed in feeds)


def _line(feeds: list[Feed]) -> str:
    """All runs in one row, in the words of the live line."""
    from tui.screens.glance import view_glance
    from widgets.drawing.glance import draw_glance

    return " │ ".join(draw_glance(view_glance(feed), LINE_CELLS).rstrip() for feed in feeds)


def _list(feeds: list[Feed], errors: list[str | None]) -> list[str]:
    """A line for each run, in the columns and the order of the fleet screen."""
    from tui.screens.overview import (
        view_fleet,  # what draws costs time to load, and few runs are told without
    )
    from widgets.drawing.fleet import draw_rows

    said = {id(feed): error for feed, error in zip(feeds, errors, strict=True)}
    fleet = view_fleet(feeds)
    rows = [replace(row, alert=row.alert or said[row.key] or "") for row in fleet.rows]
    lines = draw_rows(replace(fleet, rows=tuple(rows)), shutil.get_terminal_size((PAPER_CELLS, 0)).columns)
    return ["".join(text for text, _ in line).rstrip() for line in lines]


def _names(feed: Feed) -> tuple[str, ...]:
    return choose_metrics(feed.run.fields, feed.options.metrics)


def _dump(feeds: list[Feed], errors: list[str | None]) -> str:
    from tui.report.schema import SCHEMA, status_to_json

    runs = [status_to_json(feed, _names(feed), error) for feed, error in zip(feeds, errors, strict=True)]
    return json.dumps({"schema": SCHEMA, "runs": runs}, indent=2, ensure_ascii=False, allow_nan=False)
