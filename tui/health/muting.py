"""Muted alerts: still computed and listed, but as remarks, so that no verdict and no notice comes of them."""

from __future__ import annotations

from msgspec.structs import replace

from tui.config import HealthConfig
from tui.health.alerts import Alert, Severity


def soften(alert: Alert, settings: HealthConfig) -> Alert:
    """The alert as a remark where its kind is muted; its evidence keeps the severity that it would have.

    To leave it out would give all later alerts other numbers, and hide what was seen from who unmutes it.
    """
    if alert.severity is Severity.INFO or not settings.is_muted(alert.kind):
        return alert
    return replace(alert, severity=Severity.INFO, evidence={**alert.evidence, "muted": str(alert.severity)})
