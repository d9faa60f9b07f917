"""The milestone table of a run as the screen shows it."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from tui.feed import Feed
from tui.names import choose_metrics
from tui.roles import Role, direction
from tui.screens.order import main_metrics
from tui.screens.status import axis_name
from tui.store.milestones import Row as Reached
from tui.store.milestones import Table as Reading
from tui.store.progress import Progress
from tui.store.run import RECENT_ENTRIES, Run
from widgets.drawing.table import Column, Row, Table

Hidden = Mapping[float, frozenset[str]]
"""The metrics of which something happened before a milestone that its values do not show, by milestone."""

_HIDDEN: WeakKeyDictionary[Feed, tuple[object, Hidden]] = WeakKeyDictionary()


def view_table(feed: Feed) -> Table:
    """Rows of what has been read so far; the recent means are of the log's end, also while the past is read."""
    names = choose_metrics(feed.run.fields, feed.options.metrics)
    if feed.options.metrics is None:
        names = _loss_first(feed.run, names)
    table = feed.annotate(feed.run.table(feed.options.milestones, names))
    hidden = _find_hidden(feed, table)
    reference = next((each.name for each in feed.comparison.references), "")  # of several the first
    recent = table.recent
    if feed.preview:
        run = feed.preview.run
        recent = run.recent([name for name in names if name in run.fields])
    progress = None if feed.preview else feed.progress()
    return Table(
        columns=tuple(Column(name, direction(feed.run.role(name))) for name in table.columns),
        rows=tuple(_view_row(row, progress, hidden, reference) for row in table.rows),
        recent=recent.values,
        recent_entries=min(recent.entries, RECENT_ENTRIES),
        axis=axis_name(feed.run),
        reference=reference,
    )


def _loss_first(run: Run, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names in the log's order, but for the loss: where there is room for one number only, that is it."""
    losses = [name for name in main_metrics(run, names) if run.role(name) is Role.LOSS]
    return tuple(dict.fromkeys((*losses, *names)))


def _view_row(row: Reached, progress: Progress | None, hidden: Hidden, reference: str) -> Row:
    due_s = None if row.is_reached or progress is None else progress.due_in_s(row.milestone)
    return Row(
        row.milestone,
        row.step,
        row.values,
        row.per_1000_steps,
        row.is_dim,
        row.is_reached,
        row.differences.get(reference, {}),
        hidden.get(row.milestone, frozenset()),
        due_s,
        row.checkpoint is not None,
    )


def _find_hidden(feed: Feed, table: Reading) -> Hidden:
    """What the rows hide; it is looked for again only where a row, an alert or a restart has come."""
    steps = tuple(row.step for row in table.rows)
    begun = tuple((alert.number, alert.kind, alert.onset_step) for alert in feed.alerts)
    key = (table.columns, steps, begun, feed.run.superseded)
    known = _HIDDEN.get(feed)
    if known is None or known[0] != key:
        rows = feed.table(table.columns).rows
        known = (key, {row.milestone: frozenset(each.metric for each in row.hidden) for row in rows})
        _HIDDEN[feed] = known
    return known[1]
