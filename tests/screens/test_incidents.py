"""Alerts as the screen shows them, and what it means that one is acknowledged."""

from msgspec.structs import replace

from tests.snapshots.capture import make_feed
from tui.health.alerts import Alert, AlertState, Severity
from tui.screens.display import Display
from tui.screens.incidents import acknowledge, forget, view_alert, view_alerts, view_banner

SPIKE = Alert(3, "spike", Severity.WARNING, AlertState.FIRING, "loss", ("loss",), 500.0, 510.0, None, "high")


def seen(alert: Alert) -> dict[str, str]:
    return acknowledge({}, [view_alert(alert)])


def test_what_is_acknowledged_stays_so_and_can_be_taken_back() -> None:
    assert view_alert(SPIKE, seen(SPIKE)).is_acknowledged
    assert not view_alert(SPIKE, forget(seen(SPIKE), [view_alert(SPIKE)])).is_acknowledged


def test_a_rise_in_severity_shows_it_again_and_a_fall_does_not() -> None:
    worse = replace(SPIKE, severity=Severity.CRITICAL)
    assert not view_alert(worse, seen(SPIKE)).is_acknowledged
    assert view_alert(SPIKE, seen(worse)).is_acknowledged


def test_the_same_number_of_another_run_is_another_incident() -> None:
    assert not view_alert(replace(SPIKE, onset_step=9000.0), seen(SPIKE)).is_acknowledged


def test_a_cleared_alert_needs_no_calming() -> None:
    cleared = replace(SPIKE, state=AlertState.CLEARED, cleared_step=600.0)
    assert not view_alert(cleared, seen(SPIKE)).is_acknowledged


def test_the_banner_keeps_them_apart_and_the_list_has_them_all() -> None:
    feed = make_feed("warning")
    loud = view_banner(feed).firing
    assert loud
    banner = view_banner(feed, acknowledge({}, loud[:1]))
    assert [alert.number for alert in banner.acknowledged] == [loud[0].number]
    assert [alert.number for alert in banner.firing] == [alert.number for alert in loud[1:]]
    assert len(view_alerts(feed, acknowledge({}, loud))) == len(view_alerts(feed))


def test_a_firing_alert_tells_what_its_detector_sees_now() -> None:
    alerts = view_alerts(make_feed("warning"))
    firing = [alert for alert in alerts if alert.is_firing]
    assert firing
    assert all(alert.now or alert.unarmed for alert in firing)


def test_what_was_acknowledged_can_be_kept() -> None:
    choice = Display(acknowledged=seen(SPIKE))
    assert Display.from_json(choice.to_json()) == choice
    assert Display.from_json({"acknowledged": {"3 loss 500": 1}}) == Display()
