from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tui.health.alerts import AlertState, ChangeKind, Severity
from tui.health.findings import Finding
from tui.health.ledger import Ledger


def finding(metric: str = "accuracy", entry: int = 10, kind: str = "plateau", **more: object) -> Finding:
    basis = Finding(
        (kind, metric, 1), kind, Severity.WARNING, entry, float(entry), entry, float(entry), f"{metric} {kind}",
        power=1.0, group=kind, reach=np.inf,
    )  # fmt: skip
    return replace(basis, **more)


def test_findings_of_a_group_are_one_record() -> None:
    ledger = Ledger()
    first, second = ledger.apply([finding("top8", 10), finding("top4", 12)])
    assert (first.what, second.what) == (ChangeKind.RAISED, ChangeKind.CHANGED)
    (alert,) = ledger.alerts
    assert (alert.metric, alert.metrics) == ("top8", ("top8", "top4"))


def test_what_happens_at_one_entry_is_one_change() -> None:
    ledger = Ledger()
    (change,) = ledger.apply([finding("top8"), finding("top4")])
    assert change.what is ChangeKind.RAISED
    assert change.alert.metrics == ("top8", "top4")


def test_a_much_more_powerful_metric_takes_the_lead() -> None:
    ledger = Ledger()
    ledger.apply([finding("top8"), finding("top4", 11, power=1.2), finding("streak", 12, power=2.0)])
    assert ledger.alerts[0].metric == "streak"


def test_a_record_is_over_when_all_of_it_is() -> None:
    ledger = Ledger()
    ledger.apply([finding("top8"), finding("top4")])
    ledger.apply([finding("top8", 20, is_over=True)])
    assert ledger.alerts[0].state is AlertState.FIRING
    (change,) = ledger.apply([finding("top4", 21, is_over=True)])
    assert (change.what, change.alert.cleared_step) == (ChangeKind.CLEARED, 21)


def test_the_raised_step_is_that_of_the_present_severity() -> None:
    ledger = Ledger()
    notice = finding("loss", 10, "cliff", group=None, severity=Severity.INFO)
    ledger.apply([notice, finding("loss", 20, "cliff", group=None, message="more")])
    ledger.apply([finding("loss", 30, "cliff", group=None, message="still")])
    assert ledger.alerts[0].raised_step == 20


def test_severity_never_falls() -> None:
    ledger = Ledger()
    ledger.apply([finding(severity=Severity.CRITICAL), finding(entry=20, message="less")])
    assert ledger.alerts[0].severity is Severity.CRITICAL


def test_excursions_far_apart_are_two_records() -> None:
    ledger = Ledger()
    ledger.apply([finding("a", 10, "cliff", reach=100), finding("b", 200, "cliff", reach=100)])
    assert len(ledger.alerts) == 2


def test_what_is_over_is_not_joined() -> None:
    ledger = Ledger()
    ledger.apply([finding("a", 10), finding("a", 20, is_over=True), finding("b", 30)])
    assert [alert.state for alert in ledger.alerts] == [AlertState.CLEARED, AlertState.FIRING]


def test_an_alert_near_another_follows_from_it() -> None:
    ledger = Ledger()
    explosion = finding("grad_norm", 100, "gradient_explosion", group=None)
    ledger.apply(
        [explosion, finding("loss", 130, "cliff", group=None), finding("loss", 900, "spike", group=None)]
    )
    assert [alert.cause for alert in ledger.alerts] == [None, 1, None]


def test_going_back_clears_what_began_at_or_beyond_the_step() -> None:
    ledger = Ledger()
    ledger.apply([finding("a", 10, "cliff", group=None), finding("b", 20, "cliff", group=None)])
    (change,) = ledger.clear_from(20.0, 33)
    assert (change.alert.metric, change.alert.cleared_step, change.entry) == ("b", 20.0, 33)
    assert ("cliff", "a", 1) in ledger
    assert ("cliff", "b", 1) not in ledger
