"""A run's entries as data for other programs: CSV, or JSON by columns."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tui.decode.text import clean
from tui.feed import Feed
from tui.report.plain import Json, step_to_json, to_json
from tui.report.schema import SCHEMA
from tui.store.run import Run
from tui.store.stream import Stream


def to_csv(feed: Feed, names: Sequence[str]) -> str:
    """One line for each standing entry, the main stream's first; a field that it lacks is an empty cell.

    The first column is the step, all values have all their digits, and NaN and infinities are named as in JSON.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["step", *(clean(name) for name in names)])
    for stream in _streams(feed.run):
        present = [name for name in names if name in stream.series]
        if not present:
            continue
        table = _values(stream, present)
        places = [present.index(name) if name in present else None for name in names]
        for step, row in zip(stream.standing_steps().tolist(), table.tolist(), strict=True):
            if any(cell is not None for cell in row):
                cells = ["" if place is None else _exact(row[place]) for place in places]
                writer.writerow([_exact(step), *cells])
    return out.getvalue()


def to_columns(feed: Feed, names: Sequence[str]) -> str:
    """JSON, schema 1: each metric with the steps and values of its standing entries."""
    found: Json = {"schema": SCHEMA, "target": feed.target.text, "name": feed.name, "metrics": {}}
    for name in names:
        points = feed.run.points(name)
        found["metrics"][name] = {
            "role": str(feed.run.role(name)),
            "steps": [step_to_json(step) for step in points.steps.tolist()],
            "values": [to_json(value) for value in points.values.tolist()],
        }
    return json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n"


def _streams(run: Run) -> Iterator[Stream]:
    main = run.main
    if main is not None:
        yield main
        yield from (stream for stream in run.streams if stream is not main)


def _values(stream: Stream, names: Sequence[str]) -> npt.NDArray[np.object_]:
    """The values (rows, names) of the standing entries; None where one was not logged."""
    standing = stream.standing_rows
    table = np.full((stream.rows, len(names)), None, dtype=object)
    for column, name in enumerate(names):
        series = stream.series[name]
        table[series.rows, column] = series.values
    return table if standing is None else table[standing]


def _exact(value: float | None) -> str:
    if value is None:
        return ""
    if not math.isfinite(value):
        return str(to_json(value))
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)
