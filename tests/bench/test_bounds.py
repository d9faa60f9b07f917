from __future__ import annotations

import pytest

from tests.bench.bounds import poisson, wilson


def test_no_event_leaves_room_for_nearly_four() -> None:
    assert poisson(0) == pytest.approx((0.0, 3.6889), abs=1e-3)


def test_ten_events_are_five_to_eighteen() -> None:
    assert poisson(10) == pytest.approx((4.7954, 18.3904), abs=1e-3)


def test_eight_of_ten_are_half_to_nearly_all() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_nothing_measured_is_anything() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
