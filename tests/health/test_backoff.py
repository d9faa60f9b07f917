from __future__ import annotations

from tui.health.backoff import HEALED_ROWS, MOST, QUIET_ROWS, BackOff


def test_three_healed_notices_in_a_short_time_double_the_threshold() -> None:
    backoff = BackOff()
    for row in (10, 20, 30):
        assert backoff.factor == 1
        backoff.note_healed(row)
    assert backoff.factor == 2


def test_notices_far_apart_do_not() -> None:
    backoff = BackOff()
    for turn in range(10):
        backoff.note_healed(turn * HEALED_ROWS)
    assert backoff.factor == 1


def test_it_is_never_more_than_eightfold() -> None:
    backoff = BackOff()
    for row in range(60):
        backoff.note_healed(row)
    assert backoff.factor == MOST


def test_quiet_halves_it() -> None:
    backoff = BackOff()
    for row in (10, 20, 30):
        backoff.note_healed(row)
    backoff.pass_by(30 + QUIET_ROWS - 1)
    assert backoff.factor == 2
    backoff.pass_by(30 + QUIET_ROWS)
    assert backoff.factor == 1
