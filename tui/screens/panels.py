"""What depends on the log's entries alone: which metrics there are, each in a line, the table, and the last lines."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from tui.feed import Feed
from tui.names import choose_metrics
from tui.roles import Role, direction
from tui.screens.curves import levels_by_metric
from tui.screens.display import Display
from tui.screens.milestones import view_table
from tui.screens.order import order_metrics
from tui.store.run import RECENT_ENTRIES, Run
from tui.store.trace import overview
from widgets.drawing.log import Log
from widgets.drawing.metrics import Metric
from widgets.drawing.table import Table


class Panels(Struct, frozen=True, eq=False):
    """The metrics in the order to show them, how many there are without a filter, and the table."""

    names: tuple[str, ...]
    of: int
    table: Table


def view_panels(feed: Feed, display: Display | None = None) -> Panels:
    """Metrics and table, as far as the log has been read."""
    run = feed.shown
    if not run.entries:
        return Panels((), 0, Table())
    return Panels(view_names(feed, display), len(view_names(feed)), view_table(feed))


def view_names(feed: Feed, display: Display | None = None) -> tuple[str, ...]:
    """The metrics to show, in order."""
    run = feed.shown
    return order_metrics(run, choose_metrics(run.fields, feed.options.metrics), display)


def view_metrics(feed: Feed, names: tuple[str, ...]) -> tuple[Metric, ...]:
    """These metrics, each in a few numbers and a shape."""
    run = feed.shown
    firing = {} if feed.preview else levels_by_metric(feed.alerts)
    return tuple(_metric(run, name, firing.get(name)) for name in names)


def _metric(run: Run, name: str, level: str | None) -> Metric:
    role, points = run.role(name), run.stream_of(name).standing(name)
    tail = points.values(max(len(points) - 2 * RECENT_ENTRIES, 0), len(points))
    return Metric(
        name=name,
        values=overview(points),
        last=float(tail[-1]) if len(tail) else None,
        change=recent_change(tail),
        direction=direction(role),
        is_rate=role is Role.THROUGHPUT,
        level=level,
    )


def recent_change(values: Floats, entries: int = RECENT_ENTRIES) -> float | None:
    """The mean of the last `entries` finite values less that of as many before; None with less than half of them."""
    recent, before = values[-entries:], values[-2 * entries : -entries]
    recent, before = recent[np.isfinite(recent)], before[np.isfinite(before)]
    if 2 * len(before) < entries or not len(recent):
        return None
    return float(recent.mean() - before.mean())


def view_log(feed: Feed) -> Log:
    """The last lines of the log."""
    tail = feed.preview.tail if feed.preview else feed.tail
    return Log(tail, feed.target.what, feed.malformed, feed.format or "")
