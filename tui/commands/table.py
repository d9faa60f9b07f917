"""`milepost table`: the milestone table as text, JSON, CSV or markdown."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from tui.commands.options import plan_run
from tui.commands.reading import read_chosen
from tui.errors import UsageError
from tui.feed import Feed
from tui.report.between import between_to_json, between_to_text, compare
from tui.report.schema import table_to_json
from tui.report.tables import table_to_csv, table_to_markdown, table_to_text


def run_table(args: argparse.Namespace) -> int:
    """Print the milestone table of one run.

    Raises:
        SourceError: The run could not be read.
        UsageError: No field of the log fits `--metrics`, or `--between` asks for what there is not.
    """
    plan = plan_run(args)
    feed, names = read_chosen(plan, args.timeout, looks_beside=True)
    if args.between:
        return _print_between(feed, names, args)
    table = feed.table(names)
    if args.format == "json":
        print(
            json.dumps(table_to_json(feed.target.text, table), indent=2, ensure_ascii=False, allow_nan=False)
        )
    elif args.format == "csv":
        sys.stdout.write(table_to_csv(table))
    else:
        progress = feed.progress() if feed.is_going_on else None
        print({"text": table_to_text, "markdown": table_to_markdown}[args.format](table, progress))
    return 0


def _print_between(feed: Feed, names: Sequence[str], args: argparse.Namespace) -> int:
    if len(args.between) != 2:
        raise UsageError("--between takes two steps, such as 16000,21000")
    if args.format not in ("text", "json"):
        raise UsageError(f"--between is told as text or json, not as {args.format}")
    between = compare(feed, names, min(args.between), max(args.between))
    if args.format == "json":
        found = between_to_json(feed.target.text, between)
        print(json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(between_to_text(between))
    return 0
