"""What is told to somebody who does not look, in words that are safe to pass on."""

from __future__ import annotations

from msgspec import Struct

from tui.decode.text import clean
from tui.feed import Feed
from tui.health.alerts import Alert
from tui.health.wording import duration_text, step_text

TITLE_CHARS, MESSAGE_CHARS = 120, 400
"""The longest title and message; what is cut ends in `…`."""


class Notification(Struct, frozen=True):
    """One thing that happened while a run was watched; all texts are free of control characters.

    `kind` is that of an alert, or `end`, or `link`; `step` is empty where nothing was read yet.
    """

    kind: str
    severity: str
    run: str
    target: str
    step: str
    title: str
    message: str


def tell_alert(feed: Feed, alert: Alert) -> Notification:
    """That an alert was raised, or has become worse."""
    kind = alert.kind.replace("_", " ")
    over = "" if alert.is_firing else ", over already"
    title = f"{feed.name}: {alert.severity} {kind}{over}"
    return _compose(feed, alert.kind, alert.severity, title, alert.message, alert.raised_step)


def tell_end(feed: Feed) -> Notification:
    """That a run is over, and how it stands."""
    step, total = feed.run.last_step, feed.progress().total_steps
    where = (
        "" if step is None else f" at step {step_text(step)}" + (f" of {step_text(total)}" if total else "")
    )
    message = f"the run is over{where}; its health is {feed.last_verdict}"
    return _compose(feed, "end", "info", f"{feed.name}: finished", message, step)


def tell_link(feed: Feed, down_s: float, others: int) -> Notification:
    """That the way to a log has been lost for a while, and of how many other runs on that host."""
    more = f", nor of {others} other run{'s' * (others > 1)} there" if others else ""
    told = feed.link.detail or f"the link is {feed.link.state}"
    message = f"nothing is known of it for {duration_text(down_s)}{more}: {told}"
    return _compose(feed, "link", "warning", f"{feed.name}: no link", message, feed.run.last_step)


def _compose(
    feed: Feed, kind: str, severity: str, title: str, message: str, step: float | None
) -> Notification:
    return Notification(
        kind=kind,
        severity=str(severity),
        run=clean(feed.name, TITLE_CHARS),
        target=clean(feed.target.text),
        step="" if step is None else f"{step:.15g}",
        title=clean(title, TITLE_CHARS),
        message=clean(message, MESSAGE_CHARS),
    )
