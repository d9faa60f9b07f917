"""`milepost table`: the milestone table as text, JSON, CSV or markdown."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Callable

from tui.commands.options import choose_metrics, plan_runs
from tui.commands.reading import find_error, read_run
from tui.commands.schema import table_to_json
from tui.decode.text import clean
from tui.errors import SourceError, UsageError
from tui.store.milestones import Row, Table
from widgets.numbers import NumberFormat, format_age, format_step, pick_format

Due = Callable[[float], float | None]
"""Seconds until a milestone is reached, None where that can't be told."""


def run_table(args: argparse.Namespace) -> int:
    """Print the milestone table of one run.

    Raises:
        SourceError: The run could not be read.
        UsageError: No field of the log fits `--metrics`.
    """
    (plan,) = plan_runs(args)
    feed = read_run(plan, args.timeout)
    if error := find_error(feed):
        raise SourceError(error)
    names = choose_metrics(feed.run.fields, feed.options.metrics)
    if not names:
        known = ", ".join(clean(name) for name in feed.run.fields)
        raise UsageError(
            f"no field fits --metrics {','.join(feed.options.metrics or ())}; the log has {known}"
        )
    table = feed.run.table(feed.options.milestones, names)
    progress = feed.progress()

    def due(milestone: float) -> float | None:
        if progress.step is None or not progress.steps_per_s:
            return None
        return (milestone - progress.step) / progress.steps_per_s

    if args.format == "json":
        print(
            json.dumps(table_to_json(feed.target.text, table), indent=2, ensure_ascii=False, allow_nan=False)
        )
    elif args.format == "csv":
        sys.stdout.write(table_to_csv(table))
    else:
        print({"text": table_to_text, "markdown": table_to_markdown}[args.format](table, due))
    return 0


def table_to_text(table: Table, due: Due) -> str:
    """The table in aligned columns: between two rows the change per 1,000 steps, the recent means under it."""
    cells = _cells(table, due, with_changes=True)
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    return "\n".join(lines)


def table_to_markdown(table: Table, due: Due) -> str:
    """The table as markdown, numbers to the right."""
    head, *rows = [
        [cell.replace("|", "\\|") for cell in row] for row in _cells(table, due, with_changes=False)
    ]
    rule = ["---:"] * len(head)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def table_to_csv(table: Table) -> str:
    """The table as CSV with all digits: values, then changes per 1,000 steps; a missing one is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [clean(name) for name in table.columns]
    writer.writerow(["milestone", "step", *names, *(f"{name} per 1000 steps" for name in names)])
    for row in table.rows:
        values = [_exact(row.values.get(name)) for name in table.columns]
        changes = [_exact(row.per_1000_steps.get(name)) for name in table.columns]
        writer.writerow([_exact(row.milestone), _exact(row.step), *values, *changes])
    means = [_exact(table.recent.values.get(name)) for name in table.columns]
    writer.writerow([f"last {table.recent.entries}", "", *means, *[""] * len(names)])
    return out.getvalue()


def _exact(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


def _cells(table: Table, due: Due, *, with_changes: bool) -> list[list[str]]:
    formats = {name: _format_for(table, name) for name in table.columns}
    cells = [["step", *(clean(name) for name in table.columns)]]
    for row in table.rows:
        if with_changes and row.per_1000_steps:
            cells.append(["per 1k", *(_change(row, name, formats[name]) for name in table.columns)])
        cells.append([_label(row, due), *(_value(row, name, formats[name]) for name in table.columns)])
    means = [formats[name](table.recent.values.get(name)) for name in table.columns]
    return [*cells, [f"last {table.recent.entries}", *means]]


def _format_for(table: Table, name: str) -> NumberFormat:
    return pick_format([row.values[name] for row in table.rows if name in row.values])


def _label(row: Row, due: Due) -> str:
    """The milestone, and the real step where it differs: `500 (499)`."""
    milestone = format_step(row.milestone)
    if row.step is None:
        seconds = due(row.milestone)
        return f"{milestone} due" if seconds is None else f"{milestone} due in {format_age(seconds)}"
    return milestone if row.step == row.milestone else f"{milestone} ({format_step(row.step)})"


def _value(row: Row, name: str, form: NumberFormat) -> str:
    text = form(row.values.get(name))
    return f"{text} ({format_step(row.steps[name])})" if name in row.steps else text


def _change(row: Row, name: str, form: NumberFormat) -> str:
    change = row.per_1000_steps.get(name)
    return "" if change is None else form.change(change)
