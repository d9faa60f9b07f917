"""The milestone table of a run as the screen shows it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
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

_EXCURSIONS: WeakKeyDictionary[Feed, tuple[object, dict[tuple[float, float], frozenset[str]]]] = (
    WeakKeyDictionary()
)
"""For each run what it holds for, and by the steps of two rows the metrics that went far beyond both between them."""


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
    last_step = feed.preview.run.last_step if feed.preview else None
    return Table(
        columns=tuple(Column(name, direction(feed.run.role(name))) for name in table.columns),
        rows=tuple(_view_row(row, progress, hidden, reference, last_step) for row in table.rows),
        recent=recent.values,
        recent_entries=min(recent.entries, RECENT_ENTRIES),
        axis=axis_name(feed.run),
        reference=reference,
        is_over=not feed.is_going_on,
    )


def _loss_first(run: Run, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names in the log's order, but for the loss: where there is room for one number only, that is it."""
    losses = [name for name in main_metrics(run, names) if run.role(name) is Role.LOSS]
    return tuple(dict.fromkeys((*losses, *names)))


def _view_row(
    row: Reached, progress: Progress | None, hidden: Hidden, reference: str, last_step: float | None
) -> Row:
    """A row; `last_step` is where the run is, while the past of its log is read."""
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
        is_unread=not row.is_reached and last_step is not None and row.milestone <= last_step,
    )


def _find_hidden(feed: Feed, table: Reading) -> Hidden:
    """What the rows hide: the alerts between them, and excursions, looked for once, and again after a restart."""
    rows = [row for row in table.rows if row.step is not None]
    spans = {row.milestone: (above.step or 0.0, row.step or 0.0) for above, row in pairwise(rows)}
    key = (table.columns, feed.run.superseded)
    known = _EXCURSIONS.get(feed)
    if known is None or known[0] != key:
        known = _EXCURSIONS[feed] = (key, {})
    fresh = [span for span in spans.values() if span not in known[1]]
    for span, hidden in zip(fresh, feed.run.hidden(table.columns, fresh) if fresh else (), strict=True):
        known[1][span] = frozenset(each.metric for each in hidden)
    return {
        milestone: known[1][span] | _begun(feed, *span).intersection(table.columns)
        for milestone, span in spans.items()
    }


def _begun(feed: Feed, low: float, high: float) -> frozenset[str]:
    """The metrics of the alerts that began between two steps."""
    begun = (alert for alert in feed.alerts if low < alert.onset_step < high)
    return frozenset(name for alert in begun for name in alert.metrics)
