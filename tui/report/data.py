"""A run's entries as data for other programs: CSV, or JSON by columns."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Indices
from tui.decode.text import clean
from tui.feed import Feed
from tui.report.plain import Json, step_to_json, to_json
from tui.report.schema import SCHEMA
from tui.store.run import Run
from tui.store.stream import Stream

PIECE = 200
"""Entries that are written at once: some 3 ms."""


def to_csv(feed: Feed, names: Sequence[str]) -> str:
    """One line for each standing entry, the main stream's first; a field that it lacks is an empty cell.

    The first column is the step, all values have all their digits, and NaN and infinities are named as in JSON.
    """
    return "".join(csv_pieces(feed, names))


def csv_pieces(feed: Feed, names: Sequence[str]) -> Iterator[str]:
    """The same in pieces of some milliseconds; what comes meanwhile is left out."""
    yield _lines([["step", *(clean(name) for name in names)]])
    for stream in _streams(feed.run):
        rows = np.arange(stream.rows) if stream.standing_rows is None else stream.standing_rows
        if any(name in stream.series for name in names):
            for start in range(0, len(rows), PIECE):
                yield _lines(_cells(stream, names, rows[start : start + PIECE]))


def _lines(cells: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(cells)
    return out.getvalue()


def _cells(stream: Stream, names: Sequence[str], rows: Indices) -> Iterator[list[str]]:
    """The step and the values of each of these rows (k,) that has one."""
    table = _values(stream, names, rows)
    for step, row in zip(stream.steps[rows].tolist(), table.tolist(), strict=True):
        if any(cell is not None for cell in row):
            yield [_exact(step), *map(_exact, row)]


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


def _values(stream: Stream, names: Sequence[str], rows: Indices) -> npt.NDArray[np.object_]:
    """The values (k, names) of rows (k,); None where one was not logged."""
    table = np.full((len(rows), len(names)), None, dtype=object)
    for column, name in enumerate(names):
        if name in stream.series:
            series = stream.series[name]
            places = series.places_of(rows)
            has_value = (places >= 0) & (series.rows_at(np.maximum(places, 0)) == rows)
            table[has_value, column] = series.values[places[has_value]]
    return table


def _exact(value: float | None) -> str:
    if value is None:
        return ""
    if not math.isfinite(value):
        return str(to_json(value))
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)
