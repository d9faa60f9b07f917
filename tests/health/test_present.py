from __future__ import annotations

from msgspec.structs import replace

from tui.config import HealthConfig
from tui.health.alerts import AlertState, ChangeKind, Severity
from tui.health.present import FIRST_NUMBER, Moment, Present
from tui.health.stall import Cadence
from tui.sources.checkpoints import Disk
from tui.store.checkpoints import Checkpoint, Shelf
from tui.store.gpus import Doing, Hint

CADENCE = Cadence(expected_s=6.0, limit_s=300.0, is_known=True)
QUIET = Moment(now_s=1000.0, written_at_s=1000.0, cadence=CADENCE, step=50, entry=49)


def later(seconds: float, moment: Moment = QUIET) -> Moment:
    return replace(moment, now_s=moment.now_s + seconds)


def test_silence_within_the_limit_is_none() -> None:
    assert Present().look(later(300)) == []


def test_a_stall_is_raised_beyond_the_limit_once_and_tells_the_numbers() -> None:
    present = Present()
    (change,) = present.look(later(301))
    alert = change.alert
    assert (change.what, change.entry, alert.kind, alert.number) == (
        ChangeKind.RAISED,
        49,
        "stall",
        FIRST_NUMBER,
    )
    assert (alert.severity, alert.onset_step, alert.raised_step) == (Severity.WARNING, 50, 50)
    assert alert.evidence == {"age_s": 301.0, "limit_s": 300.0, "expected_s": 6.0}
    assert alert.message == (
        "nothing was written for 5 min, more than the 5 min that its pauses take; an entry comes every 6 s"
    )
    assert present.look(later(400)) == []


def test_it_becomes_critical_after_half_an_hour() -> None:
    present = Present()
    present.look(later(301))
    (change,) = present.look(later(1801))
    assert (change.what, change.alert.severity) == (ChangeKind.CHANGED, Severity.CRITICAL)
    assert present.look(later(5000)) == []
    (at_once,) = Present().look(later(1801))
    assert at_once.alert.severity is Severity.CRITICAL


def test_the_next_line_clears_it_and_tells_the_length_of_the_pause() -> None:
    present = Present()
    present.look(later(400))
    (change,) = present.look(Moment(now_s=1721, written_at_s=1720, cadence=CADENCE, step=51, entry=50))
    assert (change.what, change.alert.state, change.alert.cleared_step) == (
        ChangeKind.CLEARED,
        AlertState.CLEARED,
        51,
    )
    assert change.alert.message == "the log goes on after 12 min of silence"
    (again,) = present.look(Moment(now_s=2200, written_at_s=1720, cadence=CADENCE, step=51, entry=50))
    assert (again.what, again.alert.number) == (ChangeKind.RAISED, FIRST_NUMBER + 1)
    assert [alert.number for alert in present.alerts] == [FIRST_NUMBER, FIRST_NUMBER + 1]


def test_a_stamp_that_wavers_by_a_second_clears_nothing() -> None:
    present = Present()
    present.look(later(400))
    assert present.look(replace(later(500), written_at_s=1001.0)) == []


def test_nothing_is_said_while_the_way_is_lost_the_cadence_unknown_or_the_run_over() -> None:
    for moment in (
        replace(QUIET, written_at_s=None),
        replace(QUIET, cadence=replace(CADENCE, is_known=False)),
        replace(QUIET, is_over=True),
    ):
        assert Present().look(later(9999, moment)) == []


def test_a_lost_way_neither_clears_nor_worsens_a_stall() -> None:
    present = Present()
    present.look(later(400))
    assert present.look(replace(later(9999), written_at_s=None)) == []


def test_a_log_that_ends_in_an_error_is_critical_and_no_stall() -> None:
    present = Present()
    failed = replace(QUIET, error="RuntimeError: CUDA out of memory")
    (change,) = present.look(failed)
    assert (change.alert.kind, change.alert.severity) == ("log_error", Severity.CRITICAL)
    assert change.alert.message == "the log ends in RuntimeError: CUDA out of memory"
    assert present.look(later(9999, failed)) == []


def test_a_run_stopped_by_hand_is_a_warning() -> None:
    (change,) = Present().look(replace(QUIET, error="KeyboardInterrupt"))
    assert change.alert.severity is Severity.WARNING


def test_an_error_is_cleared_when_entries_follow_it() -> None:
    present = Present()
    present.look(replace(QUIET, error="ValueError: bad batch"))
    (change,) = present.look(replace(QUIET, step=51))
    assert (change.what, change.alert.cleared_step) == (ChangeKind.CLEARED, 51)


def test_a_stall_says_whether_the_gpus_hang_or_have_stopped() -> None:
    present = Present()
    hanging = Hint(Doing.HANGING, "its GPUs are at 100 % but draw only 110 W: it hangs")
    (change,) = present.look(replace(later(301), gpus=hanging))
    assert change.alert.message.endswith(
        "an entry comes every 6 s; its GPUs are at 100 % but draw only 110 W: it hangs"
    )
    assert change.alert.evidence["gpus"] == "hanging"
    assert present.look(replace(later(310), gpus=hanging)) == []
    assert present.look(later(315)) == []
    stopped = Hint(Doing.STOPPED, "its GPUs are idle (0 %): it has stopped")
    (change,) = present.look(replace(later(320), gpus=stopped))
    assert (change.what, change.alert.severity) == (ChangeKind.CHANGED, Severity.WARNING)
    assert change.alert.message.endswith("its GPUs are idle (0 %): it has stopped")


def kept(*times_s: float, now_s: float, free: int | None = None) -> Shelf:
    saved = tuple(
        Checkpoint(f"step_{at * 10}.pt", at * 10.0, None, 10**9, time_s)
        for at, time_s in enumerate(times_s, 1)
    )
    return Shelf("/ckpt", saved, now_s, None if free is None else Disk(10**12, free))


LATE = replace(QUIET, step=90, shelf=kept(0, 100, 200, 300, now_s=700))


def test_an_overdue_checkpoint_is_raised_and_cleared_by_the_next() -> None:
    present = Present()
    (raised,) = present.look(LATE)
    alert = raised.alert
    assert (alert.kind, alert.severity, alert.metric) == (
        "checkpoint_overdue",
        Severity.WARNING,
        "checkpoints",
    )
    assert (alert.onset_step, alert.raised_step) == (90, 90)
    assert present.look(LATE) == []
    (cleared,) = present.look(replace(LATE, shelf=kept(0, 100, 200, 300, 710, now_s=720)))
    assert (cleared.what, cleared.alert.message) == (ChangeKind.CLEARED, "step_50.pt has come")


def test_of_a_run_that_stands_still_no_checkpoint_is_due() -> None:
    for moment in (later(301, LATE), replace(LATE, written_at_s=None), replace(LATE, is_over=True)):
        assert "checkpoint_overdue" not in [change.alert.kind for change in Present().look(moment)]


def test_the_end_of_a_run_clears_an_overdue_checkpoint() -> None:
    present = Present()
    present.look(LATE)
    (change,) = present.look(replace(LATE, is_over=True))
    assert (change.what, change.alert.kind) == (ChangeKind.CLEARED, "checkpoint_overdue")


def test_a_full_disk_is_raised_worsens_and_is_cleared() -> None:
    present = Present()
    in_time = replace(QUIET, step=45)
    shelves = [kept(0, 100, 200, 300, now_s=310, free=free) for free in (10**12, 10**12 // 25, 10**8, 10**12)]
    told = [change for each in shelves for change in present.look(replace(in_time, left_s=1.0, shelf=each))]
    assert [(each.what, each.alert.kind, each.alert.severity) for each in told] == [
        (ChangeKind.RAISED, "disk_full", Severity.INFO),
        (ChangeKind.CHANGED, "disk_full", Severity.WARNING),
        (ChangeKind.CLEARED, "disk_full", Severity.WARNING),
    ]
    assert {each.alert.number for each in told} == {FIRST_NUMBER}


def test_a_muted_kind_is_a_remark() -> None:
    present = Present(HealthConfig({"checkpoint_overdue": True}))
    (change,) = present.look(LATE)
    assert (change.alert.severity, change.alert.evidence["muted"]) == (Severity.INFO, "warning")
    assert present.look(LATE) == []
