"""`milepost fields`: every field of a log, what it is taken for, and what it holds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from tui.commands.options import choose_metrics, plan_run
from tui.commands.reading import find_error, read_run
from tui.decode.batch import Floats
from tui.decode.text import clean
from tui.errors import SourceError
from tui.feed import Feed
from tui.report.plain import Json, to_json
from tui.report.schema import SCHEMA
from widgets.numbers import format_value


class Field(Struct, frozen=True):
    """One field: `role` is `axis` where its stream is drawn over it; the range is of finite values."""

    name: str
    role: str
    stream: int
    count: int
    nonfinite: int
    low: float | None
    high: float | None
    example: float | None


def run_fields(args: argparse.Namespace) -> int:
    """Print the fields of one log.

    Raises:
        SourceError: The log could not be read.
    """
    plan = plan_run(args)
    feed = read_run(plan, args.timeout)
    if error := find_error(feed):
        raise SourceError(error)
    fields = list_fields(feed)
    if args.json:
        print(json.dumps(_to_json(feed, fields), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(describe_fields(feed, fields))
    return 0


def list_fields(feed: Feed) -> list[Field]:
    """The fields of each stream, the main one first: its axis, then the others in the log's order."""
    run = feed.run
    order = sorted(range(len(run.streams)), key=lambda index: (index != run.main_index, index))
    wanted = set(choose_metrics(run.fields, feed.options.metrics))
    found = []
    for place, index in enumerate(order, start=1):
        stream = run.streams[index]
        if stream.axis is not None:
            found.append(_sum_up(stream.axis, "axis", place, stream.steps))
        found += [
            _sum_up(name, str(run.role(name)), place, series.values)
            for name, series in stream.series.items()
            if name in wanted
        ]
    return found


def describe_fields(feed: Feed, fields: Sequence[Field]) -> str:
    """The fields as aligned columns, under a line that says how the log is read."""
    rows = [("field", "role", "rows", "count", "low", "high", "last")]
    for one in fields:
        count = f"{one.count:,}" + (f" + {one.nonfinite:,} not finite" if one.nonfinite else "")
        numbers = (format_value(one.low), format_value(one.high), format_value(one.example))
        rows.append((clean(one.name), one.role, str(one.stream), count, *numbers))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    kinds = len(feed.run.streams)
    told = f"{feed.format}, {feed.run.entries:,} entries, {kinds} kind{'s' * (kinds > 1)} of rows"
    head = f"{clean(feed.target.what)}: {told}"
    return "\n".join([head, *lines])


def _sum_up(name: str, role: str, stream: int, values: Floats) -> Field:
    finite = values[np.isfinite(values)]
    return Field(
        name=name,
        role=role,
        stream=stream,
        count=len(finite),
        nonfinite=len(values) - len(finite),
        low=float(finite.min()) if len(finite) else None,
        high=float(finite.max()) if len(finite) else None,
        example=float(values[-1]) if len(values) else None,
    )


def _to_json(feed: Feed, fields: Sequence[Field]) -> Json:
    return {
        "schema": SCHEMA,
        "target": feed.target.text,
        "format": feed.format,
        "entries": feed.run.entries,
        "fields": [
            {
                "name": one.name,
                "role": one.role,
                "stream": one.stream,
                "count": one.count,
                "nonfinite": one.nonfinite,
                "low": to_json(one.low),
                "high": to_json(one.high),
                "example": to_json(one.example),
            }
            for one in fields
        ],
    }
