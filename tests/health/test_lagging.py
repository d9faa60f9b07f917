from msgspec.structs import replace

from tui.config import HealthConfig
from tui.health.alerts import ChangeKind, Severity
from tui.health.lagging import FIRST_NUMBER, Lagging
from tui.health.present import Moment
from tui.health.stall import Cadence

CADENCE = Cadence(expected_s=6.0, limit_s=300.0, is_known=True)
NOW = Moment(now_s=1000.0, written_at_s=998.0, cadence=CADENCE, step=50, entry=49)


def test_a_rank_that_is_silent_while_the_others_go_on_is_named() -> None:
    lagging = Lagging()
    (change,) = lagging.look(NOW, {"4": 5.0, "5": 725.0})
    alert = change.alert
    assert (change.what, alert.kind, alert.severity, alert.number) == (
        ChangeKind.RAISED, "stall", Severity.WARNING, FIRST_NUMBER,
    )  # fmt: skip
    assert alert.message == "rank 5 has not written for 12 min; the others go on"
    assert alert.evidence == {"rank": "5", "age_s": 725.0, "limit_s": 300.0}
    assert lagging.look(NOW, {"4": 5.0, "5": 730.0}) == []


def test_it_is_over_when_the_rank_writes_again() -> None:
    lagging = Lagging()
    lagging.look(NOW, {"5": 725.0})
    (change,) = lagging.look(NOW, {"5": 2.0})
    assert (change.what, change.alert.message) == (ChangeKind.CLEARED, "rank 5 writes again")


def test_nothing_is_said_while_all_are_silent_or_when_the_run_is_over() -> None:
    assert Lagging().look(replace(NOW, written_at_s=100.0), {"4": 900.0, "5": 950.0}) == []
    assert Lagging().look(replace(NOW, written_at_s=None), {"5": 950.0}) == []
    lagging = Lagging()
    lagging.look(NOW, {"5": 725.0})
    (change,) = lagging.look(replace(NOW, is_over=True), {"5": 900.0})
    assert change.what is ChangeKind.CLEARED


def test_muted_it_is_a_remark() -> None:
    (change,) = Lagging(HealthConfig({"stall": True})).look(NOW, {"5": 725.0})
    assert change.alert.severity is Severity.INFO
