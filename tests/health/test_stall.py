from __future__ import annotations

import numpy as np
import pytest

from tui.health.stall import DECAY, FLOOR_S, Cadence, block_time_s, measure_cadence, stall_limit_s


def test_without_gaps_it_is_the_floor() -> None:
    assert stall_limit_s(np.empty(0)) == FLOOR_S


def test_a_fast_log_has_the_floor() -> None:
    assert stall_limit_s(np.full(100, 2.0)) == FLOOR_S


def test_a_slow_log_has_thirty_usual_gaps() -> None:
    assert stall_limit_s(np.full(100, 60.0)) == pytest.approx(1800)


def test_a_long_pause_seen_before_allows_five_times_as_much_and_is_forgotten_slowly() -> None:
    gaps = np.full(1000, 1.0)
    gaps[0] = 200
    assert stall_limit_s(gaps) == pytest.approx(5 * 200 * DECAY**999)


def test_gaps_that_are_no_numbers_or_negative_are_left_out() -> None:
    assert stall_limit_s(np.array([np.nan, -50.0, np.inf, 60.0])) == pytest.approx(1800)


def test_the_cadence_is_known_from_ten_gaps_on_by_either_clock() -> None:
    few, enough = np.full(9, 2.0), np.full(10, 3.0)
    assert measure_cadence(few, few) == Cadence(2.0, FLOOR_S, is_known=False)
    assert measure_cadence(few, enough) == Cadence(3.0, FLOOR_S, is_known=True)
    assert measure_cadence(enough, few) == Cadence(3.0, FLOOR_S, is_known=True)


def test_the_larger_limit_of_both_clocks_holds_and_a_pause_that_is_known_to_be_usual() -> None:
    arrived, logged = np.full(20, 1.0), np.array([1.0] * 20 + [100.0])
    assert measure_cadence(arrived, logged).limit_s == 500
    assert measure_cadence(arrived, logged, pause_s=3600).limit_s == 3600


def test_a_buffer_takes_as_long_to_fill_as_its_lines_take() -> None:
    assert block_time_s(np.full(20, 10.0), line_bytes=128) == 640
    assert block_time_s(np.empty(0), line_bytes=128) == 0
    assert block_time_s(np.full(20, 10.0), line_bytes=0) == 0


def test_a_writer_with_a_buffer_may_be_silent_for_five_blocks() -> None:
    assert measure_cadence(np.empty(0), np.full(20, 10.0), block_s=640).limit_s == 3200


def test_a_stall_is_critical_at_three_limits_but_not_before_half_an_hour() -> None:
    assert Cadence(1.0, 300.0, is_known=True).critical_s == 1800
    assert Cadence(1.0, 1000.0, is_known=True).critical_s == 3000
