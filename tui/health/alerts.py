"""What a detector says: alerts, their changes, trends, and the verdict over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from msgspec import Struct, field


class Severity(StrEnum):
    """How bad it is; `info` is a remark and never changes a verdict."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0, 1, 2 from info to critical."""
        return ("info", "warning", "critical").index(self.value)


class AlertState(StrEnum):
    """Whether it is still so."""

    FIRING = "firing"
    CLEARED = "cleared"


class Alert(Struct, frozen=True):
    """One incident of a run, as it stands now; the same `number` is the same incident.

    Steps are on the log's own axis. `onset_step` is estimated, `raised_step` is where it reached its present
    severity. `evidence` holds the numbers behind `message`, thresholds included. `cause` is the number of the
    alert that this one follows from.
    """

    number: int
    kind: str
    severity: Severity
    state: AlertState
    metric: str
    metrics: tuple[str, ...]
    onset_step: float
    raised_step: float
    cleared_step: float | None
    message: str
    evidence: Mapping[str, float | str] = field(default_factory=dict)
    cause: int | None = None

    @property
    def is_firing(self) -> bool:
        """Whether it still holds."""
        return self.state is AlertState.FIRING


class ChangeKind(StrEnum):
    """What happened to an alert."""

    RAISED = "raised"
    CHANGED = "changed"
    CLEARED = "cleared"


class AlertChange(Struct, frozen=True):
    """An alert was raised, changed or cleared by the entry with index `entry` of its stream (from 0)."""

    what: ChangeKind
    alert: Alert
    entry: int


class Verdict(StrEnum):
    """The health of a run in one word."""

    HEALTHY = "healthy"
    WARNING = "warning"
    CRITICAL = "critical"
    UNKNOWN = "unknown"


def judge(alerts: Iterable[Alert]) -> Verdict:
    """The worst severity among the firing alerts; info never counts, and none at all is healthy."""
    worst = max((alert.severity.rank for alert in alerts if alert.is_firing), default=0)
    return (Verdict.HEALTHY, Verdict.WARNING, Verdict.CRITICAL)[worst]


class Trend(Struct, frozen=True):
    """How a metric moves over its recent window, in the metric's own sign, per 1,000 steps.

    `low` and `high` bound `per_1000_steps` at about 98 %. `verdict` is improving, flat, declining or unclear.
    """

    from_step: float
    to_step: float
    per_1000_steps: float
    low: float
    high: float
    verdict: str
