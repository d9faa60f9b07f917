"""A run in one row: what the live line and the line for a status bar have in common."""

from __future__ import annotations

from tui.feed import Feed
from tui.health.alerts import Severity
from tui.names import choose_metrics
from tui.screens.order import main_metrics
from tui.screens.status import view_status
from widgets.drawing.glance import Glance
from widgets.numbers import format_value

METRICS_TOLD = 3
"""Loss, quality and gradient norm, where the log has them."""


def view_glance(feed: Feed) -> Glance:
    """A run as one row tells it: its metrics as means of the last entries, and its worst alert that fires."""
    run = feed.shown
    names = main_metrics(run, choose_metrics(run.fields, feed.options.metrics))[:METRICS_TOLD]
    firing = [alert for alert in feed.alerts if alert.is_firing and alert.severity is not Severity.INFO]
    worst = max(firing, key=lambda alert: (alert.severity.rank, alert.number), default=None)
    more = f" +{len(firing) - 1}" if len(firing) > 1 else ""
    return Glance(
        view_status(feed),
        tuple((name, format_value(run.metric(name).recent_mean)) for name in names),
        "" if worst is None or feed.preview else worst.kind.replace("_", " ") + more,
        feed.link.detail or "",
    )
