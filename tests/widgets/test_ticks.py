"""Round ticks."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.ticks import clock_ticks, duration_ticks, log_ticks, round_ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0.0, 21784.0, 5, [0.0, 5000.0, 10000.0, 15000.0, 20000.0]),
        (0.86, 3.8, 4, [1.0, 2.0, 3.0]),
        (0.035, 0.26, 3, [0.1, 0.2]),
        (-1.0, 1.0, 3, [-1.0, 0.0, 1.0]),
        (3.0, 3.0, 4, [3.0]),
        (0.0, 1e13, 3, [0.0, 5e12, 1e13]),
    ],
)
def test_ticks_are_round_and_few(low: float, high: float, most: int, ticks: list[float]) -> None:
    assert round_ticks(low, high, most) == pytest.approx(ticks)


@given(st.floats(-1e15, 1e15), st.floats(1e-9, 1e15), st.integers(1, 10))
def test_there_are_never_more_than_asked_nor_outside(low: float, extent: float, most: int) -> None:
    ticks = round_ticks(low, low + extent, most)
    assert len(ticks) <= most
    assert ticks == sorted(ticks)


def test_a_range_that_is_none_has_no_ticks() -> None:
    assert round_ticks(float("nan"), 1.0, 3) == []
    assert round_ticks(2.0, 1.0, 3) == []


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (1.0, 21784.0, 5, [1, 10, 100, 1000, 10000]),
        (1e-8, 1e6, 4, [1e-8, 1e-4, 1.0, 1e4]),
        (0.05, 0.6, 5, [0.05, 0.1, 0.2, 0.5]),
        (0.9, 1.05, 5, [0.9, 0.95, 1.0, 1.05]),
    ],
)
def test_logarithmic_ticks_are_round_on_their_axis(
    low: float, high: float, most: int, ticks: list[float]
) -> None:
    assert log_ticks(low, high, most) == pytest.approx(ticks)


@given(st.floats(1e-12, 1e12), st.floats(1.0001, 1e9), st.integers(1, 9))
def test_logarithmic_ticks_are_positive_few_and_inside(low: float, ratio: float, most: int) -> None:
    ticks = log_ticks(low, low * ratio, most)
    assert len(ticks) <= most
    assert all(0 < low * 0.999999 <= tick <= low * ratio * 1.000001 for tick in ticks)


def test_times_have_the_ticks_of_clocks() -> None:
    assert duration_ticks(0, 100, 5)[1] == ["0", "30s", "60s", "90s"]
    assert duration_ticks(0, 7300, 5)[1] == ["0", "30m", "60m", "90m", "120m"]
    assert duration_ticks(0, 10 * 86400, 6)[1] == ["0", "2d", "4d", "6d", "8d", "10d"]
    midnight = datetime(2026, 11, 30).timestamp()
    assert clock_ticks(midnight - 7200, midnight + 7200, 5) == (
        [midnight + 3600 * hour for hour in range(-2, 3)],
        ["22:00", "23:00", "Nov 30", "01:00", "02:00"],
    )
    assert clock_ticks(midnight, midnight + 3 * 86400, 4)[1] == ["Nov 30", "Dec 1", "Dec 2", "Dec 3"]
    assert clock_ticks(-5.0, 1e300, 4) == ([], [])
