"""How every metric changed between two steps: in all, and per 1,000 steps."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tui.decode.text import clean
from tui.errors import UsageError
from tui.feed import Feed
from tui.report.plain import Json, step_to_json, to_json
from tui.report.schema import SCHEMA, hidden_to_json
from tui.report.tables import describe_hidden
from tui.store.hidden import Hidden
from widgets.numbers import format_step, pick_format


class Change(Struct, frozen=True):
    """One metric at two steps, in its own sign: negative is less, better or not."""

    metric: str
    first: float
    last: float
    in_all: float
    per_1000_steps: float


class Between(Struct, frozen=True):
    """The changes from one entry to another, by their real steps, and what the two hide."""

    from_step: float
    to_step: float
    changes: tuple[Change, ...]
    hidden: tuple[Hidden, ...]


def compare(feed: Feed, names: Sequence[str], low: float, high: float) -> Between:
    """The changes between the entries nearest to two steps.

    Raises:
        UsageError: The run has not come to one of them, or both are nearest to one entry.
    """
    first, last = feed.table(names, (low, high)).rows
    for row in (first, last):
        if row.step is None:
            now = format_step(feed.run.last_step)
            raise UsageError(
                f"step {format_step(row.milestone)} is not reached yet; the run is at step {now}"
            )
    assert first.step is not None
    assert last.step is not None
    if first.step == last.step:
        raise UsageError(
            f"both steps are nearest to the entry at step {format_step(first.step)}; give others"
        )
    changes = tuple(
        Change(name, first.values[name], last.values[name], last.change[name], last.per_1000_steps[name])
        for name in names
        if name in last.change
    )
    return Between(first.step, last.step, changes, last.hidden)


def between_to_text(between: Between) -> str:
    """One line a metric: its value at both steps, the change in all, the change per 1,000 steps."""
    head = (
        "",
        f"at {format_step(between.from_step)}",
        f"at {format_step(between.to_step)}",
        "in all",
        "per 1,000",
    )
    rows = [head]
    for change in between.changes:
        form = pick_format([change.first, change.last])
        rates = (form.change(change.in_all), form.change(change.per_1000_steps))
        rows.append((clean(change.metric), form(change.first), form(change.last), *rates))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([*lines, *map(describe_hidden, between.hidden)])


def between_to_json(target: str, between: Between) -> Json:
    """`table --between --format json`."""
    return {
        "schema": SCHEMA,
        "target": target,
        "from_step": step_to_json(between.from_step),
        "to_step": step_to_json(between.to_step),
        "changes": {
            change.metric: {
                "from": to_json(change.first),
                "to": to_json(change.last),
                "change": to_json(change.in_all),
                "per_1000_steps": to_json(change.per_1000_steps),
            }
            for change in between.changes
        },
        "marks": [hidden_to_json(each) for each in between.hidden],
    }
