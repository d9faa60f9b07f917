"""Logs as rows of several kinds, judged as the feed does: by way of the store, all streams together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from tui.decode.batch import Batch, Collector
from tui.health.alerts import AlertChange
from tui.health.watch import RunHealth
from tui.store.run import Run

Rows = list[tuple[tuple[str, ...], list[float]]]
"""The fields of each row, and what they say."""


def judge(rows: Rows, cuts: Iterable[int]) -> list[tuple[int, AlertChange]]:
    """All changes with the row that brought each about, the rows fed in chunks that end at `cuts`."""
    run, health, found = Run(), RunHealth({}), []
    for start, stop in pairwise(sorted({0, *cuts, len(rows)})):
        added = run.add(_batch(rows[start:stop]))
        found += [(start + each.at, each.change) for each in health.judge(added.pieces)]
    return found


def _batch(rows: Rows) -> Batch:
    collector = Collector()
    for fields, values in rows:
        collector.add(fields, values)
    return collector.batch()
