"""`milepost report`: one page on a run, made to be pasted into a chat or an issue."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tui.commands.options import plan_run
from tui.commands.reading import read_chosen
from tui.report.contents import write_report
from tui.report.files import write_file
from tui.report.html import to_html
from tui.report.markdown import to_markdown


def run_report(args: argparse.Namespace) -> int:
    """Print the report on one run, or write it to a file.

    Raises:
        SourceError: The run could not be read.
        UsageError: No field of the log fits `--metrics`, or the file can't be written.
    """
    plan = plan_run(args)
    feed, names = read_chosen(plan, args.timeout, looks_beside=True)
    form = args.format or ("html" if str(args.output or "").endswith((".html", ".htm")) else "markdown")
    text = FORMS[form](write_report(feed, names, time.time()))
    if args.output is None or args.output == "-":
        sys.stdout.write(text)
    else:
        write_file(Path(args.output), text)
        print(f"wrote {args.output}", file=sys.stderr)
    return 0


FORMS = {"markdown": to_markdown, "html": to_html}
"""The forms of a report by the name of the format."""
