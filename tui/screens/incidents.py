"""The alerts of a run as the banner and the list show them."""

from __future__ import annotations

from collections.abc import Sequence

from tui.feed import Feed
from tui.health import alerts as health
from tui.health.findings import Explanation
from tui.health.present import FIRST_NUMBER
from widgets.drawing.alerts import Alert, Banner, Fact
from widgets.numbers import format_step, format_value

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


def view_banner(feed: Feed) -> Banner:
    """The alerts that hold now, worst first, and of equals the newest; a remark is none of them.

    While a long log is still being read, what its past raises and clears is no news: there are none.
    """
    if feed.preview:
        return Banner()
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
    told = feed.explain() if any(alert.is_firing for alert in ordered) else []
    return tuple(view_alert(alert, _facts_now(alert, told)) for alert in ordered)


def view_alert(alert: health.Alert, now: tuple[Fact, ...] = ()) -> Alert:
    """An alert with its evidence as text, and after it what its detector sees now."""
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
        evidence=(*((name, _fact(name, value)) for name, value in alert.evidence.items()), *now),
        cause=alert.cause,
        is_about_now=alert.number >= FIRST_NUMBER,
    )


def _facts_now(alert: health.Alert, told: Sequence[Explanation]) -> tuple[Fact, ...]:
    """What the detector behind a firing alert sees at this moment."""
    detector = _DETECTORS.get(alert.kind, alert.kind)
    found = (each for each in told if (each.detector, each.metric) == (detector, alert.metric))
    each = next(found, None) if alert.is_firing else None
    if each is None:
        return ()
    if not each.is_armed:
        return (("now", f"not armed: {each.reason}" if each.reason else "not armed"),)
    return tuple((f"{name} now", _fact(name, value)) for name, value in each.numbers.items())


def _fact(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    is_count = name.endswith("step") or float(value).is_integer()
    return format_step(value) if is_count else format_value(value)
