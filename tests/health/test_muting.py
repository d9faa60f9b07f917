from __future__ import annotations

import numpy as np

from tests.health.curves import learning, make_span
from tui.config import HealthConfig
from tui.health.alerts import Alert, Severity, Verdict
from tui.health.present import Moment, Present
from tui.health.stall import Cadence
from tui.health.watch import RunHealth
from tui.store.pieces import Accepted
from tui.store.run import StreamPiece


def judge(settings: HealthConfig) -> RunHealth:
    loss = learning(600)
    loss[300:] += 1.0
    loss[450] = np.nan
    health = RunHealth({}, settings=settings)
    span = make_span(loss=loss)
    health.judge([StreamPiece(0, Accepted(span, np.arange(600)))])
    return health


def standing(alert: Alert) -> tuple[object, ...]:
    return (
        alert.number,
        alert.kind,
        alert.state,
        alert.onset_step,
        alert.raised_step,
        alert.message,
        alert.cause,
    )


def test_a_muted_alert_is_a_remark_that_keeps_its_number_and_its_facts() -> None:
    plain, muted = judge(HealthConfig()), judge(HealthConfig({"nonfinite": True}))
    assert [standing(alert) for alert in muted.alerts] == [standing(alert) for alert in plain.alerts]
    (before,) = (alert for alert in plain.alerts if alert.kind == "nonfinite")
    (after,) = (alert for alert in muted.alerts if alert.kind == "nonfinite")
    assert (before.severity, after.severity) == (Severity.CRITICAL, Severity.INFO)
    assert after.evidence == {**before.evidence, "muted": "critical"}


def test_what_is_muted_never_counts_for_the_verdict() -> None:
    kinds = {alert.kind for alert in judge(HealthConfig()).alerts}
    assert judge(HealthConfig()).verdict is not Verdict.HEALTHY
    assert judge(HealthConfig(dict.fromkeys(kinds, True))).verdict is Verdict.HEALTHY


def test_a_muted_stall_is_told_once_more_when_it_would_be_critical_and_then_no_more() -> None:
    present = Present(HealthConfig({"stall": True}))

    def look(now_s: float) -> list[object]:
        cadence = Cadence(expected_s=6.0, limit_s=300.0, is_known=True)
        return [
            (str(change.what), str(change.alert.severity), change.alert.evidence["muted"])
            for change in present.look(Moment(now_s, 0.0, cadence, step=1, entry=0))
        ]

    assert look(400) == [("raised", "info", "warning")]
    assert look(1900) == [("changed", "info", "critical")]
    assert look(2000) == []
