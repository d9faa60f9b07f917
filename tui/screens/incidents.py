"""The alerts of a run as the banner and the list show them."""

from __future__ import annotations

from tui.feed import Feed
from tui.health import alerts as health
from widgets.drawing.alerts import Alert, Banner
from widgets.numbers import format_step, format_value


def view_banner(feed: Feed) -> Banner:
    """The alerts that hold now, worst first, and of equals the newest; a remark is none of them."""
    firing = [
        alert for alert in feed.alerts if alert.is_firing and alert.severity is not health.Severity.INFO
    ]
    firing.sort(key=lambda alert: (-alert.severity.rank, -alert.number))
    return Banner(tuple(map(view_alert, firing)), len(feed.alerts) - len(firing))


def view_alerts(feed: Feed) -> tuple[Alert, ...]:
    """All alerts of the run: first those that hold, worst first, then the others, newest first."""
    ordered = sorted(
        feed.alerts,
        key=lambda alert: (
            not alert.is_firing,
            -alert.severity.rank if alert.is_firing else 0,
            -alert.number,
        ),
    )
    return tuple(map(view_alert, ordered))


def view_alert(alert: health.Alert) -> Alert:
    """An alert with its evidence as text."""
    return Alert(
        number=alert.number,
        level=alert.severity.value,
        kind=alert.kind,
        metric=alert.metric,
        message=alert.message,
        onset_step=alert.onset_step,
        raised_step=alert.raised_step,
        cleared_step=alert.cleared_step,
        is_firing=alert.is_firing,
        evidence=tuple((name, _fact(name, value)) for name, value in alert.evidence.items()),
        cause=alert.cause,
    )


def _fact(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    is_count = name.endswith("step") or float(value).is_integer()
    return format_step(value) if is_count else format_value(value)
