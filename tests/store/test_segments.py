from tests.store.entries import make_run, steps
from tui.store.segments import Boundary, FieldWatch

OLD, NEW = frozenset({"loss", "step_time"}), frozenset({"loss", "tok_per_sec"})


def test_a_field_that_ends_while_another_begins_is_a_boundary_after_twenty_entries() -> None:
    watch = FieldWatch()
    assert watch.extend(0, OLD, 100) is None
    assert watch.extend(100, NEW, 19) is None
    assert watch.extend(119, NEW, 1) == Boundary(100, 119)


def test_the_boundary_is_the_same_in_one_piece() -> None:
    watch = FieldWatch()
    watch.extend(0, OLD, 100)
    assert watch.extend(100, NEW, 500) == Boundary(100, 119)


def test_a_field_that_is_missing_now_and_then_makes_no_boundary() -> None:
    watch = FieldWatch()
    for start in range(0, 2000, 50):
        assert watch.extend(start, OLD, 49) is None
        assert watch.extend(start + 49, OLD | {"val_loss"}, 1) is None


def test_a_field_that_only_begins_or_only_ends_makes_no_boundary() -> None:
    watch = FieldWatch()
    watch.extend(0, OLD, 100)
    assert watch.extend(100, OLD | {"extra"}, 100) is None
    assert watch.extend(200, OLD, 100) is None


def test_a_change_that_goes_back_within_twenty_entries_is_none() -> None:
    watch = FieldWatch()
    watch.extend(0, OLD, 100)
    watch.extend(100, NEW, 19)
    assert watch.extend(119, OLD, 100) is None


def test_a_restart_begins_a_segment_and_supersedes_what_lies_at_or_beyond_it() -> None:
    run = make_run(steps(*range(1, 101), *range(51, 81)))
    assert [(s.first_step, s.last_step, s.entries, s.started_by) for s in run.segments] == [
        (1, 100, 100, "start"),
        (51, 80, 30, "restart"),
    ]
    assert (run.entries, run.superseded, run.unique_steps) == (130, 50, 100)
    assert (run.first_step, run.last_step) == (1, 80)


def test_a_restart_with_other_fields_is_one_segment_started_by_fields() -> None:
    old = [{"step": step, "loss": 1.0, "step_time": 2.0} for step in range(100)]
    new = [{"step": step, "loss": 1.0, "tok_per_sec": 2.0} for step in range(60, 100)]
    run = make_run(old + new)
    assert [(s.first_step, s.started_by, s.fields) for s in run.segments] == [
        (0, "start", ("loss", "step_time")),
        (60, "fields", ("loss", "tok_per_sec")),
    ]


def test_a_change_of_fields_without_a_restart_begins_a_segment_too() -> None:
    old = [{"step": step, "loss": 1.0, "step_time": 2.0} for step in range(100)]
    new = [{"step": step, "loss": 1.0, "tok_per_sec": 2.0} for step in range(100, 150)]
    run = make_run(old + new)
    assert [(s.first_step, s.last_step, s.entries, s.started_by) for s in run.segments] == [
        (0, 99, 100, "start"),
        (100, 149, 50, "fields"),
    ]
    assert run.superseded == 0
