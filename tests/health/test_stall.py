from __future__ import annotations

import numpy as np
import pytest

from tui.health.stall import DECAY, FLOOR_S, stall_limit_s


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
