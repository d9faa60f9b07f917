"""The waits between attempts and looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.sources.pace import Backoff, Pace


def test_the_first_retry_comes_within_a_second() -> None:
    assert all(0.3 < Backoff(Pace()).next_s() < 1 for _ in range(100))


def test_each_failure_doubles_the_wait_up_to_a_minute() -> None:
    backoff = Backoff(Pace())
    waits = [backoff.next_s() for _ in range(12)]
    assert all(0.75 * 0.5 * 2**n <= wait <= 1.25 * 0.5 * 2**n for n, wait in enumerate(waits[:6]))
    assert all(45 <= wait <= 60 for wait in waits[8:])


def test_a_good_connection_starts_the_waits_again() -> None:
    backoff = Backoff(Pace())
    for _ in range(8):
        backoff.next_s()
    backoff.reset()
    assert backoff.next_s() < 1


def test_the_waits_for_many_places_spread() -> None:
    assert len({Backoff(Pace(), f"host{number}").next_s() for number in range(50)}) > 40


def test_those_who_wait_for_one_place_come_back_together() -> None:
    one, other = Backoff(Pace(), "gpu-box"), Backoff(Pace(), "gpu-box")
    assert [one.next_s() for _ in range(5)] == [other.next_s() for _ in range(5)]
    one.reset()
    assert one.next_s() == Backoff(Pace(), "gpu-box").next_s()


def test_the_faster_a_log_grows_the_longer_is_the_wait_between_two_looks() -> None:
    pace = Pace(busy_s=4.0)
    waits = [pace.pause_s(size, apart_s=3600) for size in (0, 200, 256 * 1024, 1024 * 1024, 10**9)]
    assert waits[0] == 0
    assert waits[1] < 0.001
    assert waits[2:] == [1, 4, 4]


def test_looks_at_a_growing_log_keep_a_distance_and_one_after_a_pause_is_made_up_for() -> None:
    pace = Pace(poll_s=0.1)
    assert pace.pause_s(200, apart_s=0.02) == pytest.approx(0.08)
    assert pace.pause_s(200, apart_s=0.1) < 0.001


@given(st.integers(0, 100_000))
def test_a_wait_is_bounded_after_any_number_of_failures(failures: int) -> None:
    backoff = Backoff(Pace())
    backoff._failures = failures
    assert 0 < backoff.next_s() <= 60


def test_a_quiet_log_is_looked_at_on_each_beat_or_where_nothing_wakes_us_after_a_quarter_of_its_silence() -> (
    None
):
    pace = Pace()
    assert [pace.rest_s(quiet_s, can_wake=False) for quiet_s in (0, 1, 4, 8, 20, 3600)] == [
        0.1,
        0.25,
        1,
        2,
        5,
        5,
    ]
    assert [pace.rest_s(quiet_s, can_wake=True) for quiet_s in (0, 3600)] == [5, 5]
