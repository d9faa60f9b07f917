from msgspec.structs import replace

from tui.health.alerts import Severity
from tui.health.storage import judge_rhythm, judge_room
from tui.sources.checkpoints import Disk
from tui.store.checkpoints import Checkpoint, Shelf

HOUR_S = 3600.0


def shelf(*steps: float, age_s: float = 0.0, free: int | None = None, first_s: float = 0.0) -> Shelf:
    """A checkpoint of 10 GB each hour, on a disk of 10 TB."""
    saved = tuple(
        Checkpoint(f"step_{step:.0f}.pt", step, None, 10**10, first_s + at * HOUR_S)
        for at, step in enumerate(steps)
    )
    disk = None if free is None else Disk(10**13, free)
    return Shelf("/ckpt", saved, saved[-1].modified_s + age_s, disk)


GROWING = (500, 1000, 1500, 2000)
ROTATING = (50_000, 50_500, 51_000, 51_500)


def test_a_checkpoint_that_comes_in_time_is_no_matter() -> None:
    assert judge_rhythm(shelf(*GROWING, age_s=2 * HOUR_S), 3000) is None


def test_a_late_one_is_a_remark_and_a_very_late_one_a_warning() -> None:
    late = judge_rhythm(shelf(*GROWING, age_s=2.5 * HOUR_S), 3250)
    assert late
    assert late.severity is Severity.INFO
    assert late.message == (
        "the last checkpoint, step_2000.pt, is 2 h 30 min old; until then one came every 1 h (500 steps)"
    )
    assert late.evidence == {
        "latest": "step_2000.pt", "age_s": 9000.0, "every_s": 3600.0, "late": 2.5, "limit": 2.0,
        "every_steps": 500.0, "steps_since": 1250,
    }  # fmt: skip
    very = judge_rhythm(shelf(*GROWING, age_s=4 * HOUR_S), 4000)
    assert very
    assert very.severity is Severity.WARNING


def test_a_disk_with_room_for_days_is_no_matter() -> None:
    assert judge_room(shelf(*GROWING, free=10**12), None) is None
    assert judge_room(shelf(*GROWING), None) is None
    assert judge_room(Shelf("/ckpt", (), 0.0, Disk(10, 0)), None) is None


def test_a_disk_that_fills_within_a_day_is_a_warning() -> None:
    full = judge_room(shelf(*GROWING, free=23 * 10**10), None)
    assert full
    assert full.severity is Severity.WARNING
    assert full.message == (
        "the disk of /ckpt has 230 GB left (2.3 %), room for 23 checkpoints of 10 GB; at this pace it is full in 23 h"
    )
    assert full.evidence["full_in_s"] == 23 * HOUR_S


def test_within_three_days_it_is_a_remark() -> None:
    full = judge_room(shelf(*GROWING, free=60 * 10**10), None)
    assert full
    assert full.severity is Severity.INFO


def test_a_run_that_is_over_before_does_not_fill_it() -> None:
    assert judge_room(shelf(*GROWING, free=60 * 10**10), 59 * HOUR_S) is None
    assert judge_room(shelf(*GROWING, free=60 * 10**10), 61 * HOUR_S)


def test_where_old_ones_are_deleted_only_the_room_for_the_next_counts() -> None:
    assert judge_room(shelf(*ROTATING, free=6 * 10**11), None) is None
    few = judge_room(shelf(*ROTATING, free=10**11), None)
    assert few
    assert (few.severity, "full_in_s" in few.evidence) == (Severity.INFO, False)
    none = judge_room(shelf(*ROTATING, free=9 * 10**9), None)
    assert none
    assert none.severity is Severity.WARNING
    assert none.message == "the disk of /ckpt has 9 GB left (0.09 %), room for no checkpoint of 10 GB"


def test_what_was_said_holds_on_until_it_is_clearly_better() -> None:
    room = shelf(*GROWING, free=80 * 10**10)
    assert judge_room(room, None) is None
    assert judge_room(room, None, is_firing=True)
    assert judge_room(replace(room, disk=Disk(10**13, 91 * 10**10)), None, is_firing=True) is None
