"""The alerts of a run as the banner and the list show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tui.feed import Feed
from tui.health import alerts as health
from tui.health.findings import Explanation
from tui.health.present import FIRST_NUMBER
from widgets import levels
from widgets.drawing.alerts import Alert, Banner
from widgets.numbers import format_step, format_value

Acknowledged = Mapping[str, str]
"""The incidents that a person has seen (`name_incident`), each with the severity that it had then."""

_NOTHING: Acknowledged = {}

_DETECTORS = {
    "decline": "plateau",
    "spike": "instability",
    "cliff": "instability",
    "divergence": "instability",
    "gradient_explosion": "instability",
    "slowdown": "instability",
    "zero_loss": "frozen",
}
"""Which detector an alert comes from, where it has another name."""


def view_banner(feed: Feed, acknowledged: Acknowledged = _NOTHING) -> Banner:
    """The alerts that hold now, worst first, and of equals the newest; a remark is none of them.

    While a long log is still being read, what its past raises and clears is no news: there are none.
    """
    if feed.preview:
        return Banner()
    firing = [
        alert for alert in feed.alerts if alert.is_firing and alert.severity is not health.Severity.INFO
    ]
    firing.sort(key=lambda alert: (-alert.severity.rank, -alert.number))
    shown = tuple(view_alert(alert, acknowledged) for alert in firing)
    return Banner(
        tuple(alert for alert in shown if not alert.is_acknowledged),
        len(feed.alerts) - len(firing),
        tuple(alert for alert in shown if alert.is_acknowledged),
    )


def view_alerts(feed: Feed, acknowledged: Acknowledged = _NOTHING) -> tuple[Alert, ...]:
    """All alerts of the run: first those that hold, worst first, then the others, newest first."""
    ordered = sorted(
        feed.alerts,
        key=lambda alert: (
            not alert.is_firing,
            -alert.severity.rank if alert.is_firing else 0,
            -alert.number,
        ),
    )
    told = feed.explain() if any(alert.is_firing for alert in ordered) else []
    return tuple(_explained(view_alert(alert, acknowledged), told) for alert in ordered)


def view_alert(alert: health.Alert, acknowledged: Acknowledged = _NOTHING) -> Alert:
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
        is_about_now=alert.number >= FIRST_NUMBER,
        is_acknowledged=alert.is_firing and _covers(acknowledged, alert),
        metrics=alert.metrics,
    )


def name_incident(alert: health.Alert | Alert) -> str:
    """What an incident is called where it is remembered: of another run at the same place it would not be that."""
    return f"{alert.number} {alert.metric} {alert.onset_step:g}"


def acknowledge(acknowledged: Acknowledged, alerts: Sequence[Alert]) -> dict[str, str]:
    """Those that were acknowledged before, and these alerts as they are now."""
    return {**acknowledged, **{name_incident(alert): alert.level for alert in alerts}}


def forget(acknowledged: Acknowledged, alerts: Sequence[Alert]) -> dict[str, str]:
    """Those that were acknowledged before, without these alerts."""
    gone = {name_incident(alert) for alert in alerts}
    return {name: level for name, level in acknowledged.items() if name not in gone}


def _covers(acknowledged: Acknowledged, alert: health.Alert) -> bool:
    """Whether this alert has been seen, and has not become worse since."""
    level = acknowledged.get(name_incident(alert))
    return level is not None and levels.RANKS.get(level, 0) >= levels.RANKS[alert.severity.value]


def _explained(alert: Alert, told: Sequence[Explanation]) -> Alert:
    """The alert with what the detector behind it sees at this moment, while it fires."""
    detector = _DETECTORS.get(alert.kind, alert.kind)
    found = (each for each in told if (each.detector, each.metric) == (detector, alert.metric))
    each = next(found, None) if alert.is_firing else None
    if each is None:
        return alert
    if not each.is_armed:
        return replace(alert, unarmed=each.reason or "it has too little to go by")
    return replace(alert, now=tuple((name, _fact(name, value)) for name, value in each.numbers.items()))


def _fact(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    is_count = name.endswith("step") or float(value).is_integer()
    return format_step(value) if is_count else format_value(value)
