"""`milepost status`: a health glance, as text or JSON, with the exit code of a monitoring plugin."""

from __future__ import annotations

import argparse
import json
import sys

from tui.commands.options import choose_metrics, plan_runs
from tui.commands.reading import find_error, read_runs
from tui.feed import Feed
from tui.health.alerts import Verdict
from tui.report.schema import SCHEMA, status_to_json
from tui.report.wording import describe_run, summarize_run

EXIT_CODES = {Verdict.HEALTHY: 0, Verdict.WARNING: 1, Verdict.CRITICAL: 2, Verdict.UNKNOWN: 3}


def run_status(args: argparse.Namespace) -> int:
    """Print the status of the runs; the largest of their exit codes."""
    feeds = read_runs(plan_runs(args), args.timeout, looks_beside=True)
    errors = [find_error(feed) for feed in feeds]
    if args.json:
        print(_dump(feeds, errors))
    elif args.line:
        print("  ".join(summarize_run(feed, error) for feed, error in zip(feeds, errors, strict=True)))
    else:
        told = [
            describe_run(feed, _names(feed)) for feed, error in zip(feeds, errors, strict=True) if not error
        ]
        print("\n\n".join(told), end="\n" if told else "")
    sys.stdout.flush()
    for error in filter(None, errors):
        print(f"milepost: {error}", file=sys.stderr)
    verdicts = [Verdict.UNKNOWN if error else feed.verdict for feed, error in zip(feeds, errors, strict=True)]
    return max(EXIT_CODES[verdict] for verdict in verdicts)


def _names(feed: Feed) -> tuple[str, ...]:
    return choose_metrics(feed.run.fields, feed.options.metrics)


def _dump(feeds: list[Feed], errors: list[str | None]) -> str:
    runs = [status_to_json(feed, _names(feed), error) for feed, error in zip(feeds, errors, strict=True)]
    return json.dumps({"schema": SCHEMA, "runs": runs}, indent=2, ensure_ascii=False, allow_nan=False)
